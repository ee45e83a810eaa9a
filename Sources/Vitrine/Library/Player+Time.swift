public import PlayerCore

extension Player {
    /// The film's time at each multiple of an interval that it passes, after each jump, and where it starts or stops:
    /// across seeks, loops, rates and items. Ends with the loop that reads it.
    ///
    /// A reader that is late gets the newest time only. While somebody scrubs nothing is told.
    public func periodicTimes(every interval: MediaTime) -> AsyncStream<MediaTime> {
        core.times(.periodic(interval))
    }

    /// Those of these times that the film passes by playing, each time it does, backwards too; not those that it jumps over.
    public func boundaryTimes(_ times: [MediaTime]) -> AsyncStream<MediaTime> {
        core.times(.boundaries(times))
    }

    /// `periodicTimes`, for those who would rather be called.
    /// - Parameters:
    ///   - interval: as there.
    ///   - block: runs where it says: `{ @MainActor time in ... }` on the main actor. A call waits until the one before has
    ///     returned.
    /// - Returns: keep it; without it, or after its `cancel`, nothing is called any more.
    public func addPeriodicTimeObserver(
        forInterval interval: MediaTime, using block: @escaping @isolated(any) @Sendable (MediaTime) -> Void
    ) -> TimeObserver {
        TimeObserver(periodicTimes(every: interval), block)
    }

    /// `boundaryTimes`, for those who would rather be called; see `addPeriodicTimeObserver`.
    public func addBoundaryTimeObserver(
        forTimes times: [MediaTime], using block: @escaping @isolated(any) @Sendable (MediaTime) -> Void
    ) -> TimeObserver {
        TimeObserver(boundaryTimes(times), block)
    }
}

/// The token of a time observer: it is called as long as this is kept and not cancelled.
public final class TimeObserver: Sendable {
    private let task: Task<Void, Never>

    init(_ times: AsyncStream<MediaTime>, _ block: @escaping @isolated(any) @Sendable (MediaTime) -> Void) {
        task = Task { await Self.follow(times, block, isolation: block.isolation) }
    }

    /// Runs where the block does, so that nothing comes between the last look at the cancellation and the call.
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

    /// No call begins after this; one that has begun ends by itself. Any number of times.
    public func cancel() { task.cancel() }
}
