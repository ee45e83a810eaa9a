internal import Dispatch
public import Media
public import PlayerCore
public import ScrubSheet
internal import Synchronization

/// Makes still images of a film: for a filmstrip or a menu. It corresponds to AV Foundation's
/// AVAssetImageGenerator.
///
/// An image is read from the film's scrub sheet at once if it is there. Otherwise a software decoder makes it, on one
/// thread, beside the player. Sources are films on a disk and files on a web server, but no HLS and no live media.
///
/// Any thread. One image is made at a time, and one is held in memory: `images` makes the next when it is requested.
public final class ImageGenerator: Sendable {
    /// The properties of images.
    public struct Options: Hashable, Sendable {
        /// The greatest width in pixels, at the film's aspect: 16 to 1,920.
        public var maximumWidth = 640
        /// The greatest height in pixels: 16 to 1,080.
        public var maximumHeight = 640
        /// How much earlier than requested an image may be. Above 0 a local film's key frame within that time is used,
        /// which needs no other frame decoded.
        public var toleranceBefore = MediaTime.zero
        /// How much later it may be; used only for a scrub sheet's pictures.
        public var toleranceAfter = MediaTime.zero
        /// The folder of scrub sheets, besides those beside their films.
        public var cache: SheetCache?

        /// Images of up to 640 by 640 pixels, each of the exact frame.
        public init() {}
    }

    /// A still image.
    public struct Image: Hashable, Sendable {
        /// The requested time.
        public var requestedTime: MediaTime
        /// The presentation time of the frame that it shows.
        public var actualTime: MediaTime
        /// The pixels, upright.
        public var picture: StillPicture

        /// Writes the image; `.png`, `.jpg` and `.jpeg` select the format, other names are refused. The file appears
        /// whole or not at all.
        public nonisolated(nonsending) func write(to path: String) async throws(PlayerError) {
            guard PictureFile.hasFormat(path) else {
                let text = "\(path): the name of an image ends with .png, .jpg or .jpeg"
                throw PlayerError(ofScreenshot: MediaFailure(reason: .other, message: text), path)
            }
            let picture = picture
            do throws(MediaFailure) {
                try await runBlocking { () throws(MediaFailure) in
                    try PictureFile.write(picture.bytes, width: picture.width, height: picture.height, to: path)
                }
            } catch {
                throw PlayerError(ofScreenshot: error, path)
            }
        }
    }

    /// The outcome of one request.
    public struct Outcome: Sendable {
        /// The requested time.
        public var requestedTime: MediaTime
        /// The image, or the reason why there is none: `.cancelled` after `cancel`.
        public var result: Result<Image, PlayerError>
    }

    /// The film.
    public let asset: Asset
    /// The properties of its images.
    public let options: Options
    private let queue = DispatchQueue(label: "vitrine.images", qos: .utility)
    private let state = Mutex(State())

    private struct State {
        /// The number of calls of `cancel`: earlier requests are not done.
        var cancellations = 0
        var maker: Maker?
        /// The request whose image is being made.
        var request: Request?

        /// Stops the current image; the next one starts anew.
        mutating func interrupt() {
            maker?.cancel()
            maker = nil
        }
    }

    /// A request that a caller waits for.
    private final class Request: Sendable {
        let begun: Int
        let isCancelled = Atomic<Bool>(false)

        init(_ begun: Int) { self.begun = begun }
    }

    /// Creates a generator without I/O.
    public init(_ asset: Asset, _ options: Options = Options()) {
        self.asset = asset
        self.options = options
    }

    /// The frame that is shown at a time. Behind the film's end its last one; before its first frame that one.
    /// - Throws: the error that prevents it; `.cancelled` if the caller was cancelled, or after `cancel`.
    public nonisolated(nonsending) func image(at time: MediaTime) async throws(PlayerError) -> Image {
        try await make(time, Request(state.withLock(\.cancellations))).get()
    }

    /// One outcome for each time, in the order in which they become available: those of the scrub sheet first, then by
    /// their times. The next one is made when it is requested.
    public func images(at times: [MediaTime]) -> AsyncStream<Outcome> {
        let begun = state.withLock(\.cancellations)
        let waiting = Mutex<[MediaTime]?>(nil)
        return AsyncStream { [self] in
            if waiting.withLock({ $0 == nil }) {
                let ordered = await ordered(times)
                waiting.withLock { $0 = ordered.reversed() }
            }
            guard let time = waiting.withLock({ $0?.popLast() }) else { return nil }
            return Outcome(requestedTime: time, result: await make(time, Request(begun)))
        }
    }

    /// Cancels all pending requests, which end with `.cancelled`. Later requests are done.
    public func cancel() {
        state.withLock { state in
            state.cancellations += 1
            state.interrupt()
        }
    }

    // MARK: The queue

    private func ordered(_ times: [MediaTime]) async -> [MediaTime] {
        await withCheckedContinuation { done in
            queue.async { [self] in
                let maker = try? readyMaker()
                let known = times.map { maker?.isInSheet($0) == true }
                let ordered = times.indices.sorted { first, second in
                    known[first] != known[second] ? known[first] : (times[first], first) < (times[second], second)
                }
                done.resume(returning: ordered.map { times[$0] })
            }
        }
    }

    private func make(_ time: MediaTime, _ request: Request) async -> Result<Image, PlayerError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { done in
                queue.async { [self] in done.resume(returning: made(time, request)) }
            }
        } onCancel: {
            request.isCancelled.store(true, ordering: .sequentiallyConsistent)
            state.withLock { if $0.request === request { $0.interrupt() } }
        }
    }

    private func made(_ time: MediaTime, _ request: Request) -> Result<Image, PlayerError> {
        do throws(MediaFailure) {
            let maker = try readyMaker()
            let mayBegin = state.withLock { state in
                state.request = request
                return state.cancellations == request.begun
                    && !request.isCancelled.load(ordering: .sequentiallyConsistent)
            }
            defer { state.withLock { $0.request = nil } }
            guard mayBegin else {
                throw MediaFailure(reason: .cancelled, message: "\(asset.address): it was cancelled")
            }
            do throws(MediaFailure) { return .success(try maker.image(at: time)) } catch {
                // A decoder that failed is of no more use.
                state.withLock { if $0.maker === maker { $0.maker = nil } }
                throw error
            }
        } catch {
            return .failure(PlayerError(error, address: asset.address, attempt: .makeImage))
        }
    }

    private func readyMaker() throws(MediaFailure) -> Maker {
        if let maker = state.withLock(\.maker) { return maker }
        let location = if let known = asset.location { known } else { try MediaLocation(asset.address) }
        let made = Maker(location, options)
        state.withLock { $0.maker = made }
        return made
    }
}

/// The film, opened for images. Everything except `cancel` runs on the generator's queue.
///
/// `@unchecked Sendable` because mutable state belongs to that queue, except for the decoder, which is behind a lock.
private final class Maker: @unchecked Sendable {
    private let location: MediaLocation
    private let options: ImageGenerator.Options
    private let limit: (width: Int, height: Int)
    private let sheet: SheetReader?
    private let frames = Mutex<FilmFrames?>(nil)
    private let isCancelled = Atomic<Bool>(false)
    private var film: FilmFrames.Film?

    /// The assumed duration of a frame if the film does not say.
    private static let longFrame = MediaTime.milliseconds(100)

    init(_ location: MediaLocation, _ options: ImageGenerator.Options) {
        self.location = location
        self.options = options
        limit = (max(options.maximumWidth, 16), max(options.maximumHeight, 16))
        sheet = location.path.flatMap { ScrubSheet.find(for: $0, in: options.cache) }.map { SheetReader($0) }
    }

    func cancel() {
        isCancelled.store(true, ordering: .sequentiallyConsistent)
        frames.withLock { $0 }?.cancel()
    }

    func isInSheet(_ time: MediaTime) -> Bool { entry(at: time) != nil }

    func image(at time: MediaTime) throws(MediaFailure) -> ImageGenerator.Image {
        if let image = sheetImage(at: time) { return image }
        // A demuxer in push mode does not continue after its end.
        if !location.isLocal { frames.withLock { $0 = nil } }
        let frames = try openedFrames()
        guard let film else { throw MediaFailure(reason: .cancelled, message: "\(location.name): stopped") }
        let frame = film.frame ?? Self.longFrame
        let place = max(min(time, film.duration - frame), .zero)
        if options.toleranceBefore > .zero, location.isLocal,
            let found = try read(.keyframe(before: place), of: frames, wants: { _ in true }),
            found.time.distance(to: place) <= options.toleranceBefore || found.time + frame > place
        {
            return try image(found, for: time)
        }
        // Most frames on the way are skipped, but a long one may be the requested one. A server sends nothing twice.
        let range = place..<(place + frame)
        for earliest in location.isLocal ? [place - frame - frame, .zero] : [.zero] {
            if let found = try read(.range(range), of: frames, wants: { $0 >= earliest && $0 <= place }) {
                return try image(found, for: time)
            }
        }
        // There is no frame before the first one.
        if let found = try read(.range(.zero..<(place + .seconds(10))), of: frames, wants: { _ in true }, isFirst: true)
        {
            return try image(found, for: time)
        }
        throw MediaFailure(reason: .notMedia, message: "\(location.name): there is no frame at \(time)")
    }

    // MARK: The sheet

    private func entry(at time: MediaTime) -> SheetEntry? {
        guard let sheet = sheet?.sheet, let entry = sheet.nearest(to: time) else { return nil }
        let (width, height) = (sheet.size.width, sheet.size.height)
        // Images larger than the sheet's pictures are decoded.
        guard limit.width <= width || limit.height <= height else { return nil }
        let earliest = time - max(options.toleranceBefore, film?.frame ?? sheet.frame ?? .zero)
        return entry.time >= earliest && entry.time <= time + options.toleranceAfter ? entry : nil
    }

    private func sheetImage(at time: MediaTime) -> ImageGenerator.Image? {
        guard let sheet, let entry = entry(at: time) else { return nil }
        let size = sheet.sheet.size
        let picture = sheet.read(entry) { planes, color in
            StillPicture(planes, width: size.width, height: size.height, color: color, fitting: limit)
        }
        return picture.map { .init(requestedTime: time, actualTime: entry.time, picture: $0) }
    }

    // MARK: The decoder

    private func openedFrames() throws(MediaFailure) -> FilmFrames {
        if let frames = frames.withLock({ $0 }) { return frames }
        let size = SheetSize(width: min(limit.width, 1920) & ~1, height: min(limit.height, 1080) & ~1)
        let made = try FilmFrames(location, limit: size)
        frames.withLock { $0 = made }
        if isCancelled.load(ordering: .sequentiallyConsistent) { made.cancel() }
        film = try made.open()
        return made
    }

    private struct Found: Sendable {
        var time: MediaTime
        var picture: StillPicture?
    }

    /// - Parameter isFirst: whether to use the first wanted frame; else the last.
    private func read(
        _ part: FilmFrames.Part, of frames: FilmFrames, wants: @escaping @Sendable (MediaTime) -> Bool,
        isFirst: Bool = false
    ) throws(MediaFailure) -> Found? {
        let found = Mutex<Found?>(nil)
        let limit = limit
        try frames.read(part) { time in
            wants(time) && !(isFirst && found.withLock { $0 != nil })
        } take: { frame in
            let picture = StillPicture(
                UnsafeRawBufferPointer(frame.planes), width: frame.size.width, height: frame.size.height,
                color: frame.color, fitting: limit)
            found.withLock { $0 = Found(time: frame.time, picture: picture) }
        }
        return found.withLock { $0 }
    }

    private func image(_ found: Found, for time: MediaTime) throws(MediaFailure) -> ImageGenerator.Image {
        guard let picture = found.picture else {
            throw MediaFailure(
                reason: .other, message: "\(location.name): the frame at \(found.time) cannot be converted")
        }
        return .init(requestedTime: time, actualTime: found.time, picture: picture)
    }
}
