internal import Glibc
internal import Media
internal import OSDDrawing
internal import PlayerCore
internal import ScrubSheet
internal import Synchronization

/// Reads pictures for a filmstrip: from the film's scrub sheet if it has them, else with a software decoder of its own,
/// on one thread. It has a connection of its own to a film's server.
///
/// `@unchecked Sendable` because its calls follow one another, except `cancel`, whose state is behind a lock.
final class FilmstripReader: @unchecked Sendable {
    /// The size of the pictures.
    struct Size: Hashable, Sendable {
        var width: Int
        var height: Int
    }

    struct Result: Sendable {
        var answer: FilmstripPlan.Answer
        /// The picture, if the answer is `.picture`.
        var pixels: PicturePixels?
        var cost = Duration.zero

        init(_ answer: FilmstripPlan.Answer) { self.answer = answer }

        init(_ time: MediaTime, _ pixels: PicturePixels) { (answer, self.pixels) = (.picture(time), pixels) }
    }

    private let pendingWork = GStreamer.PendingWork()
    private let film: MediaLocation
    private let identity: FilmIdentity?
    private let tolerance: MediaTime
    private let size: Size
    private let sheet: (reader: SheetReader, thumbnail: SheetThumbnail)?
    private var isSheetFresh = false
    private let decoder = Mutex(Decoder())
    /// The duration of the film's frames.
    private var frame = MediaTime.milliseconds(100)

    private struct Decoder {
        var isCancelled = false
        var frames: FilmFrames?
    }

    /// - Parameter identity: the file that is read, and no other one of its name; `nil`: any.
    init(
        _ film: MediaLocation, _ identity: FilmIdentity?, _ sheet: ScrubSheet?, tolerance: MediaTime, _ size: Size
    ) {
        (self.film, self.identity, self.tolerance, self.size) = (film, identity, tolerance, size)
        self.sheet = sheet.map { (SheetReader($0), SheetThumbnail(of: $0, width: size.width, height: size.height)) }
    }

    /// Cancels reading, which ends within 50 ms. Any thread.
    func cancel() {
        let frames = decoder.withLock { decoder in
            decoder.isCancelled = true
            return decoder.frames
        }
        frames?.cancel()
    }

    /// Frees the decoder. Blocks.
    func close() {
        let frames = decoder.withLock { decoder in
            defer { decoder.frames = nil }
            return decoder.frames
        }
        _ = consume frames
    }

    /// Reads one picture. Blocks for the disk and the decoder.
    func read(_ request: FilmstripPlan.Request) -> Result {
        let begun = MonotonicTime.now
        var result = fromSheet(request) ?? Result(.none)
        // A complete sheet has every picture that exists.
        if result.pixels == nil, sheet?.reader.sheet.isComplete != true {
            do throws(MediaFailure) {
                result = try decode(request)
            } catch {
                // The film is opened anew if it is tried again.
                close()
                result = Result(.failed)
            }
        }
        result.cost = MonotonicTime.now - begun
        return result
    }

    private func fromSheet(_ request: FilmstripPlan.Request) -> Result? {
        guard let sheet else { return nil }
        if !isSheetFresh { _ = try? sheet.reader.sheet.refresh() }
        isSheetFresh = true
        guard let entry = sheet.reader.sheet.nearest(to: request.time),
            entry.time.distance(to: request.time) <= tolerance,
            let pixels = sheet.reader.pixels(entry, sheet.thumbnail)
        else { return nil }
        return Result(entry.time, pixels)
    }

    // MARK: The decoder

    private func decode(_ request: FilmstripPlan.Request) throws(MediaFailure) -> Result {
        let frames = try opened()
        switch request.way {
        case .single:
            let before = try keyframe(before: request.time, of: frames)
            if let before, before.time.distance(to: request.time) <= tolerance { return before.result }
            let behind = try keyframe(before: request.time + tolerance, of: frames)
            if let behind, behind.time.distance(to: request.time) <= tolerance { return behind.result }
            return Result(before.map { .sparse(after: $0.time) } ?? .none)
        case .exact:
            let (time, earliest) = (request.time, request.time - frame - frame)
            let pace = Pace()
            let found = try last(.range(time..<(time + frame)), of: frames) { now in
                pace.rest()
                return now >= earliest && now <= time
            }
            return found?.result ?? Result(.none)
        }
    }

    private func opened() throws(MediaFailure) -> FilmFrames {
        if let frames = decoder.withLock(\.frames) { return frames }
        if let identity, let path = film.path, (try? FilmIdentity.of(path)) != identity {
            throw MediaFailure(reason: .other, message: "\(film.name) was replaced")
        }
        // Pictures are cropped to fit, so that a film of another shape has as many pixels.
        let limit = SheetSize(width: max(size.width * 2 & ~1, 2), height: max(size.height * 2 & ~1, 2))
        let made = try FilmFrames(film, limit: limit)
        let isCancelled = decoder.withLock { decoder in
            decoder.frames = made
            return decoder.isCancelled
        }
        if isCancelled { made.cancel() }
        if let known = try made.open().frame { frame = known }
        return made
    }

    private struct Found: Sendable {
        var time: MediaTime
        var pixels: PicturePixels?

        var result: Result { pixels.map { Result(time, $0) } ?? Result(.none) }
    }

    private func keyframe(before time: MediaTime, of frames: FilmFrames) throws(MediaFailure) -> Found? {
        if film.isLocal { return try last(.keyframe(before: time), of: frames) { _ in true } }
        return try found { take throws(MediaFailure) in try frames.readKeyframe(before: time, take: take) }
    }

    private func last(
        _ part: FilmFrames.Part, of frames: FilmFrames, wants: @escaping @Sendable (MediaTime) -> Bool
    ) throws(MediaFailure) -> Found? {
        try found { take throws(MediaFailure) in try frames.read(part, wants: wants, take: take) }
    }

    /// The last frame that `read` takes.
    private func found(
        _ read: (@escaping @Sendable (FilmFrames.Frame) -> Void) throws(MediaFailure) -> Void
    ) throws(MediaFailure) -> Found? {
        let found = Mutex<Found?>(nil)
        let size = size
        try read { frame in
            let thumbnail = SheetThumbnail(
                sheetWidth: frame.size.width, sheetHeight: frame.size.height, width: size.width, height: size.height)
            let color = frame.color ?? FilmColor(matrix: .bt709)
            let pixels = thumbnail.pixels(of: UnsafeRawBufferPointer(frame.planes), color)
            found.withLock {
                $0 = Found(
                    time: frame.time,
                    pixels: pixels.map { PicturePixels(width: size.width, height: size.height, pixels: $0) })
            }
        }
        return found.withLock { $0 }
    }

    /// Pauses for as long as a frame took, so that decoding leaves at least half of a processor free.
    ///
    /// `@unchecked Sendable` because only the streaming thread uses it.
    private final class Pace: @unchecked Sendable {
        private var rested: MonotonicTime?

        func rest() {
            if let rested { usleep(UInt32(min((MonotonicTime.now - rested).inNanoseconds / 1000, 50_000))) }
            rested = .now
        }
    }
}
