public import Media
public import PlayerCore
internal import Synchronization

/// A film or sound as it lies on a disk or in a network: what does not change while it plays.
///
/// Nothing is read until it is asked for; then it is read once, for all who ask.
public final class Asset: Sendable {
    /// A path, or any URI that GStreamer plays, as it was given.
    public let address: String
    /// Where it was looked up already; `nil` for what was given as an address.
    public let location: MediaLocation?

    /// What is in it.
    public struct Contents: Hashable, Sendable {
        /// `nil` while it is unknown, and for live media: never 0.
        public var duration: MediaTime?
        /// Its video, sounds and subtitles, as the file counts them.
        public var tracks: [MediaTrack]
        /// GStreamer's tags, by their names: "title", "artist".
        public var metadata: [String: String]
        /// It comes as it happens: no end, and nothing to seek in.
        public var isLive: Bool
        /// Whether there is anything to seek in: no live media, nor a server that gives out no parts of its file.
        public var isSeekable: Bool
    }

    private typealias Waiting = CheckedContinuation<Result<Contents, PlayerError>, Never>

    private struct State {
        var contents: Contents?
        var waiting: [UInt64: Waiting] = [:]
        var next: UInt64 = 0
        /// While it is read, and somebody waits for it.
        var reading: Task<Void, Never>?
        var readings = 0
    }

    private let state = Mutex(State())
    private let read: @Sendable (String) async -> Result<Contents, PlayerError>

    /// Looks at nothing yet; what is wrong with an address is told by `load`.
    public convenience init(_ address: String) {
        self.init(address, read: Asset.inspect)
    }

    /// With something else than GStreamer that knows what is in it.
    init(_ address: String, read: @escaping @Sendable (String) async -> Result<Contents, PlayerError>) {
        self.address = address
        location = nil
        self.read = read
    }

    /// What was looked up already, with the title that it has in a list: it is not looked for again when it is opened.
    public init(_ location: MediaLocation) {
        address = location.name
        self.location = location
        read = { _ in await Asset.inspect(location.name) { location } }
    }

    /// A file of this machine's: its frames follow the finger. Known without looking.
    public var isLocal: Bool { MediaLocation.isLocal(address) }

    /// Reads what is in it: once, however many ask, also while it is read. A local film takes some 100 ms, one in a network
    /// up to 10 s.
    ///
    /// Whoever is cancelled stops waiting at once, the others go on; with the last one, reading ends. What failed is tried again
    /// the next time.
    /// - Throws: what there is no reading it for; `.cancelled` where whoever waits was cancelled.
    public nonisolated(nonsending) func load() async throws(PlayerError) -> Contents {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { wait(number, $0) }
        } onCancel: {
            cancel(number)
        }
        return try result.get()
    }

    /// Loads it: how long it is; `nil` while that is unknown, and for live media.
    /// - Throws: as `load`.
    public var duration: MediaTime? {
        get async throws(PlayerError) { try await load().duration }
    }

    /// Loads it: its video, sounds and subtitles.
    /// - Throws: as `load`.
    public var tracks: [MediaTrack] {
        get async throws(PlayerError) { try await load().tracks }
    }

    /// Loads it: GStreamer's tags, by their names.
    /// - Throws: as `load`.
    public var metadata: [String: String] {
        get async throws(PlayerError) { try await load().metadata }
    }

    /// Loads it: whether it comes as it happens.
    /// - Throws: as `load`.
    public var isLive: Bool {
        get async throws(PlayerError) { try await load().isLive }
    }

    /// Loads it: its metadata's title, else its file's name, also of what cannot be read.
    public var title: String {
        get async {
            if let title = try? await load().metadata["title"] { return title }
            return fileName
        }
    }

    /// Of its address, without the ending.
    var fileName: String { location?.title ?? MediaLocation.title(of: address) }

    // MARK: Reading

    /// How many callers wait for it to be read.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    private func wait(_ number: UInt64, _ continuation: Waiting) {
        let contents: Contents? = state.withLock { state in
            if let contents = state.contents { return contents }
            state.waiting[number] = continuation
            guard state.reading == nil else { return nil }
            state.readings += 1
            state.reading = Task { [self, reading = state.readings] in finish(reading, await read(address)) }
            return nil
        }
        if let contents { continuation.resume(returning: .success(contents)) }
        // Before there was anything to cancel.
        if Task.isCancelled { cancel(number) }
    }

    /// - Parameter reading: of which nothing is heard where nobody waited for it any more.
    private func finish(_ reading: Int, _ result: Result<Contents, PlayerError>) {
        let waiting: [UInt64: Waiting] = state.withLock { state in
            guard state.reading != nil, state.readings == reading else { return [:] }
            state.contents = try? result.get()
            state.reading = nil
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume(returning: result) }
    }

    private func cancel(_ number: UInt64) {
        let (continuation, reading) = state.withLock { state -> (Waiting?, Task<Void, Never>?) in
            let continuation = state.waiting.removeValue(forKey: number)
            guard state.waiting.isEmpty else { return (continuation, nil) }
            defer { state.reading = nil }
            return (continuation, state.reading)
        }
        reading?.cancel()
        continuation?.resume(
            returning: .failure(
                .cancelled(.init(attempt: .load, address: address, text: "\(address): nobody waits for it any more"))))
    }

    private static func inspect(_ address: String) async -> Result<Contents, PlayerError> {
        await inspect(address) { () throws(MediaFailure) in try MediaLocation(address) }
    }

    private static func inspect(
        _ address: String, _ locate: @escaping @Sendable () throws(MediaFailure) -> MediaLocation
    ) async -> Result<Contents, PlayerError> {
        do throws(MediaFailure) {
            let location = try await offLoop(locate)
            let inspection = try await MediaInspection.of(location, findsKeyframes: false)
            return .success(
                Contents(
                    duration: inspection.duration, tracks: inspection.tracks, metadata: inspection.metadata,
                    isLive: inspection.isLive, isSeekable: inspection.isSeekable))
        } catch {
            return .failure(PlayerError(error, address: address, attempt: .load))
        }
    }
}
