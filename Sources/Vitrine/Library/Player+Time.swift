public import PlayerCore

extension Player {
    /// The film's time at each multiple of an interval that it passes, after each jump, and at its starts and stops:
    /// across seeks, loops, rates and items. Ends with the loop that reads it.
    ///
    /// A late reader gets the newest time only. While somebody scrubs nothing is reported.
    public func periodicTimes(every interval: MediaTime) -> AsyncStream<MediaTime> {
        core.times(.periodic(interval))
    }

    /// Reports each of these times whenever playback passes it, backwards too; not when a seek skips it.
    public func boundaryTimes(_ times: [MediaTime]) -> AsyncStream<MediaTime> {
        core.times(.boundaries(times))
    }

    /// Calls a block at the times of `periodicTimes`.
    /// - Parameters:
    ///   - interval: as there.
    ///   - block: runs in its own isolation: `{ @MainActor time in ... }` on the main actor. A call waits until the
    ///     previous one has returned.
    /// - Returns: the token; when it is released, or after its `cancel`, the calls end.
    public func addPeriodicTimeObserver(
        forInterval interval: MediaTime, using block: @escaping @isolated(any) @Sendable (MediaTime) -> Void
    ) -> TimeObserver {
        TimeObserver(periodicTimes(every: interval), block)
    }

    /// Calls a block at the times of `boundaryTimes`; see `addPeriodicTimeObserver`.
    public func addBoundaryTimeObserver(
        forTimes times: [MediaTime], using block: @escaping @isolated(any) @Sendable (MediaTime) -> Void
    ) -> TimeObserver {
        TimeObserver(boundaryTimes(times), block)
    }
}

/// The token of a time observer, which is called while the token is retained and not cancelled.
public final class TimeObserver: Sendable {
    private let task: Task<Void, Never>

    init(_ times: AsyncStream<MediaTime>, _ block: @escaping @isolated(any) @Sendable (MediaTime) -> Void) {
        task = Task { await Self.follow(times, block, isolation: block.isolation) }
    }

    /// Runs in the block's isolation, so that no cancellation comes between the last check and the call.
    private static func follow(
        _ times: AsyncStream<MediaTime>, _ block: @escaping @isolated(any) @Sendable (MediaTime) -> Void,
        isolation: isolated (any Actor)?
    ) async {
        for await time in times {
            guard !Task.isCancelled else { return }
            await block(time)
        }
    }

    deinit { task.cancel() }

    /// Cancels the observer. No call starts after this; a running call ends by itself. May be called repeatedly.
    public func cancel() { task.cancel() }
}
