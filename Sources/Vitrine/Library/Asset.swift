public import Media
public import PlayerCore
internal import Synchronization

/// A film or sound on a disk or in a network: its properties that do not change while it plays.
///
/// Nothing is read until it is needed; then it is read once for all callers.
public final class Asset: Sendable {
    /// The path, or any URI that GStreamer plays, as given.
    public let address: String
    /// The location, if it was resolved before; `nil` for a plain address.
    public let location: MediaLocation?

    /// An asset's contents.
    public struct Contents: Hashable, Sendable {
        /// `nil` while unknown, and for live media: never 0.
        public var duration: MediaTime?
        /// The video, audio and subtitle tracks, in the file's order.
        public var tracks: [MediaTrack]
        /// GStreamer's tags, by their names: "title", "artist".
        public var metadata: [String: String]
        /// Whether the media are live: without an end, and not seekable.
        public var isLive: Bool
        /// Whether seeking is possible: not for live media, nor for servers without range requests.
        public var isSeekable: Bool
    }

    private typealias Waiting = CheckedContinuation<Result<Contents, PlayerError>, Never>

    private struct State {
        var contents: Contents?
        var waiting: [UInt64: Waiting] = [:]
        var next: UInt64 = 0
        /// The reading in progress, while somebody waits for it.
        var reading: Task<Void, Never>?
        var readings = 0
    }

    private let state = Mutex(State())
    private let read: @Sendable (String) async -> Result<Contents, PlayerError>

    /// Creates an asset without I/O; `load` reports errors in the address.
    public convenience init(_ address: String) {
        self.init(address, read: Asset.inspect)
    }

    /// Creates an asset whose contents a test provides.
    init(_ address: String, read: @escaping @Sendable (String) async -> Result<Contents, PlayerError>) {
        self.address = address
        location = nil
        self.read = read
    }

    /// Creates an asset for a resolved location, with its title in a playlist: it is not resolved again when it is
    /// opened.
    public init(_ location: MediaLocation) {
        address = location.name
        self.location = location
        read = { _ in await Asset.inspect(location.name) { location } }
    }

    /// Whether it is a file on this machine, whose frames can follow the finger. Known without I/O.
    public var isLocal: Bool { MediaLocation.isLocal(address) }

    /// Reads the contents: once, for all callers, also while they are being read. A local film takes some 100 ms, one
    /// in a network up to 10 s.
    ///
    /// A cancelled caller stops waiting at once, the others continue; when the last one is cancelled, reading ends. A
    /// failed reading is tried again at the next call.
    /// - Throws: the error that prevents reading; `.cancelled` if the caller was cancelled.
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

    /// The duration, loaded if needed; `nil` while unknown, and for live media.
    /// - Throws: as `load`.
    public var duration: MediaTime? {
        get async throws(PlayerError) { try await load().duration }
    }

    /// The video, audio and subtitle tracks, loaded if needed.
    /// - Throws: as `load`.
    public var tracks: [MediaTrack] {
        get async throws(PlayerError) { try await load().tracks }
    }

    /// GStreamer's tags by their names, loaded if needed.
    /// - Throws: as `load`.
    public var metadata: [String: String] {
        get async throws(PlayerError) { try await load().metadata }
    }

    /// Whether the media are live, loaded if needed.
    /// - Throws: as `load`.
    public var isLive: Bool {
        get async throws(PlayerError) { try await load().isLive }
    }

    /// The metadata's title, loaded if needed, else the file's name, also if it cannot be read.
    public var title: String {
        get async {
            if let title = try? await load().metadata["title"] { return title }
            return fileName
        }
    }

    /// The file's name in the address, without the extension.
    var fileName: String { location?.title ?? MediaLocation.title(of: address) }

    // MARK: Reading

    /// The number of callers that wait for the contents.
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
        // Cancelled before the caller was registered.
        if Task.isCancelled { cancel(number) }
    }

    /// - Parameter reading: its result is ignored if nobody waited for it any more.
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
            let location = try await runBlocking(locate)
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
