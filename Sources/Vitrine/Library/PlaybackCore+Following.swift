internal import Dispatch
internal import PlayerCore
internal import Synchronization

/// The player's reports as one sequence, for a `PlayerController` or a `PlayerDelegate`.
extension PlaybackCore {
    /// All reports in one order, starting with the current state, with the film's time at multiples of an interval, and
    /// at each interval while it stands.
    func follow(every interval: MediaTime) -> AsyncStream<PlayerNews> {
        let (stream, follower) = AsyncStream.makeStream(
            of: PlayerNews.self, bufferingPolicy: .bufferingNewest(Broadcast<PlayerNews>.depth))
        follow(every: interval, into: follower) { $0 }
        return stream
    }

    /// Reports into a follower's sequence, whose end ends the reports.
    func follow<Reported>(
        every interval: MediaTime, into sequence: AsyncStream<Reported>.Continuation,
        as translate: @escaping @Sendable (PlayerNews) -> Reported
    ) {
        let follower = Follower(notify: { sequence.yield(translate($0)) }, finish: { sequence.finish() })
        let id: TimeObserverID? = state.withLock { state in
            // A follower without an interval is not sent times, which would cost time.
            guard let id = interval > .zero ? observe(.periodic(interval), &state) : number(&state) else { return nil }
            // The outbox sends the pending reports first.
            outbox.async { [self] in welcome(follower, id) }
            return id
        }
        guard let id else { return follower.finish() }
        let beat =
            interval > .zero
            ? Task { [weak self] in
                while (try? await Task.sleep(for: .nanoseconds(interval.nanoseconds))) != nil, let self {
                    await reportRestingPlace(follower)
                }
            } : nil
        sequence.onTermination = { [weak self] _ in
            beat?.cancel()
            guard let self else { return }
            outbox.async { self.endObserving(id) }
        }
    }

    /// Runs an action after all pending reports.
    func inTurn(_ action: @escaping @Sendable () -> Void) {
        state.withLock { _ in outbox.async(execute: action) }
    }

    /// Enqueued under the lock, as all reports are, to keep the order.
    private func reportRestingPlace(_ follower: Follower) async {
        await withCheckedContinuation { done in
            state.withLock { state in
                let restingPlace = state.machine.restingPlace
                outbox.async { [self] in
                    if let restingPlace, let item = currentItems.now ?? nil, item.id == restingPlace.item {
                        follower.notify(.time(restingPlace.time, of: item))
                    }
                    done.resume()
                }
            }
        }
    }

    private func welcome(_ follower: Follower, _ id: TimeObserverID) {
        let item = currentItems.now ?? nil
        follower.notify(.status(statuses.now ?? .paused))
        follower.notify(.pipelineState(pipelineStates.now ?? .null))
        follower.notify(.message(messages.now ?? nil))
        follower.notify(.routes(routes.now ?? []))
        follower.notify(.route(currentRoutes.now ?? nil))
        follower.notify(.item(item))
        for news in item?.reported ?? [] { follower.notify(news) }
        if read(\.isSeeking) { follower.notify(.seeking(true)) }
        state.withLock { $0.observers[id] = .all(follower) }
    }

    /// Replaces the delegation.
    func setDelegation(_ delegation: Task<Void, Never>?) {
        let before = state.withLock { state in
            defer { state.delegation = delegation }
            return state.delegation
        }
        before?.cancel()
    }

    /// Runs on the outbox.
    func notifyFollowers(_ news: PlayerNews) {
        let observers = state.withLock { $0.observers.values }
        for case .all(let follower) in observers { follower.notify(news) }
    }
}
