public import Media
public import PlayerCore
public import ScrubSheet
internal import Synchronization

/// Makes a local film's scrub sheet: the pictures under the finger.
///
/// It decodes the film on its own, on one thread and in software. It continues an earlier run that was interrupted,
/// also by a power cut.
public final class SheetMaker: Sendable {
    /// The sheet's properties.
    public struct Options: Hashable, Sendable {
        /// The size of a landscape film's pictures.
        public var size: SheetSize = .large
        /// The bar's length in pixels; the sheet has two places for each. 1,834 is that of a display of 1,920 pixels.
        public var trackPixels = 1834
        /// `nil` stores it beside the film.
        public var cache: SheetCache?

        public init() {}
    }

    /// The progress.
    public struct Progress: Hashable, Sendable {
        /// The number of places that are done.
        public var done: Int
        public var places: Int
        /// The number of pictures in the file, and its bytes.
        public var pictures: Int
        public var bytes: Int64
        /// Whether the sheet was complete before.
        public var wasComplete = false
    }

    /// The reason why there is no sheet.
    public enum Failure: Error, Hashable, Sendable {
        /// The film cannot be read, or is not on a disk.
        case media(MediaFailure)
        /// The sheet cannot be written.
        case sheet(SheetError)
    }

    private let location: MediaLocation
    private let options: Options
    private let frames = Mutex<FilmFrames?>(nil)
    private let isCancelled = Atomic<Bool>(false)

    /// Parts of the film that are closer are decoded as one, because a seek costs a group of frames.
    private static let gap = MediaTime.seconds(5)
    /// The most bytes that a power cut may cost.
    private static let unsynced: Int64 = 8 << 20

    public init(_ location: MediaLocation, _ options: Options = Options()) {
        self.location = location
        self.options = options
    }

    /// Cancels `make`, which ends within 50 ms, and keeps its pictures. Any thread.
    public func cancel() {
        isCancelled.store(true, ordering: .sequentiallyConsistent)
        frames.withLock { $0 }?.cancel()
    }

    /// Makes the sheet. Blocks for a fraction of the film's length; not for the loop. One call at a time.
    /// - Parameter report: called with each picture, on another thread.
    /// - Returns: the sheet's contents.
    @discardableResult
    public func make(_ report: @escaping @Sendable (Progress) -> Void = { _ in }) throws(Failure) -> Progress {
        guard let path = location.path else {
            throw .media(
                MediaFailure(reason: .other, message: "\(location.name): only films on a disk have a scrub sheet"))
        }
        let film = try Self.sheet { () throws(SheetError) in try FilmIdentity.of(path) }
        if let sheet = existing(path, film) { return sheet }
        let frames = try Self.media { () throws(MediaFailure) in try FilmFrames(location, limit: options.size) }
        self.frames.withLock { $0 = frames }
        defer { self.frames.withLock { $0 = nil } }
        if isCancelled.load(ordering: .sequentiallyConsistent) { frames.cancel() }
        let about = try Self.media { () throws(MediaFailure) in try frames.open() }
        guard let plan = SheetPlan(duration: about.duration, frame: about.frame, trackPixels: options.trackPixels)
        else {
            throw .media(MediaFailure(reason: .notMedia, message: "\(location.name): it has no length"))
        }
        let media = SheetWriter.Media(
            film: film, plan: plan, frame: about.frame, size: about.size,
            most: SheetPlan.mostPlaces(trackPixels: options.trackPixels))
        let writer = try Self.sheet { () throws(SheetError) in
            try SheetWriter(media, in: options.cache.map { .cache($0) } ?? .beside(film: path))
        }
        let making = Making(writer, report)
        if !writer.coverage.isComplete { try read(.keyframes, of: frames, making) }
        var parts = writer.coverage.missingParts(joining: Self.gap)
        // The film may be longer than it said: it is read to its end, also by a run that goes on with another's sheet.
        let said = writer.coverage.plan
        if let last = parts.last, last.upperBound + Self.gap >= said.duration {
            parts[parts.count - 1] = last.lowerBound..<MediaTime.farthest
        } else {
            parts.append(said.time(of: said.count - 1)..<MediaTime.farthest)
        }
        for part in parts { try read(.range(part), of: frames, making) }
        guard try Self.sheet({ () throws(SheetError) in try FilmIdentity.of(path) }) == film else {
            throw .sheet(SheetError(path: path, reason: .otherFilm))
        }
        try Self.sheet { () throws(SheetError) in try writer.complete() }
        return making.progress
    }

    /// An existing complete sheet, beside the film or at its destination.
    private func existing(_ path: String, _ film: FilmIdentity) -> Progress? {
        guard let sheet = ScrubSheet.find(for: path, identity: film, in: options.cache), sheet.isComplete else {
            return nil
        }
        return Progress(
            done: sheet.count, places: sheet.count, pictures: sheet.count, bytes: sheet.byteCount, wasComplete: true)
    }

    private func read(_ part: FilmFrames.Part, of frames: FilmFrames, _ making: Making) throws(Failure) {
        making.writer.coverage.interrupt()
        let failure = Mutex<SheetError?>(nil)
        let reading = Result { () throws(MediaFailure) in
            try frames.read(part) { time in
                making.writer.coverage.extend(to: time)
                return part == .keyframes ? making.writer.coverage.wants(time) : making.writer.coverage.pass(time)
            } take: { frame in
                do throws(SheetError) {
                    try making.add(frame)
                } catch {
                    failure.withLock { $0 = $0 ?? error }
                    frames.cancel()
                }
            }
        }
        // The part may have been read to its end before it was cancelled.
        if let failure = failure.withLock({ $0 }) { throw .sheet(failure) }
        return try Self.media { () throws(MediaFailure) in try reading.get() }
    }

    private static func sheet<Value: ~Copyable>(_ body: () throws(SheetError) -> Value) throws(Failure) -> Value {
        do throws(SheetError) { return try body() } catch { throw .sheet(error) }
    }

    private static func media<Value>(_ body: () throws(MediaFailure) -> Value) throws(Failure) -> Value {
        do throws(MediaFailure) { return try body() } catch { throw .media(error) }
    }

    /// `@unchecked Sendable` because only the streaming thread uses it, while `read` waits for that thread's end.
    private final class Making: @unchecked Sendable {
        let writer: SheetWriter
        private let report: @Sendable (Progress) -> Void
        private var synced: Int64

        init(_ writer: SheetWriter, _ report: @escaping @Sendable (Progress) -> Void) {
            (self.writer, self.report, synced) = (writer, report, writer.byteCount)
        }

        func add(_ frame: FilmFrames.Frame) throws(SheetError) {
            guard let start = frame.planes.baseAddress else { return }
            try writer.append(SheetPlanes(size: frame.size, packedIn: start), at: frame.time, frame.color)
            if writer.byteCount - synced > SheetMaker.unsynced {
                try writer.sync()
                synced = writer.byteCount
            }
            report(progress)
        }

        var progress: Progress {
            let coverage = writer.coverage
            return Progress(
                done: coverage.plan.count - coverage.missing, places: coverage.plan.count, pictures: coverage.filled,
                bytes: writer.byteCount)
        }
    }
}
