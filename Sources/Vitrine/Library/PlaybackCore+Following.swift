internal import Dispatch
internal import PlayerCore
internal import Synchronization

/// What a `PlayerController` and a `PlayerDelegate` hear: all that the player tells, as one sequence.
extension PlaybackCore {
    /// All that the player tells, in one order, from what is now on, with the film's time at multiples of an interval, and each
    /// interval while it stands.
    func follow(every interval: MediaTime) -> AsyncStream<PlayerNews> {
        let (stream, follower) = AsyncStream.makeStream(
            of: PlayerNews.self, bufferingPolicy: .bufferingNewest(Broadcast<PlayerNews>.depth))
        follow(every: interval, into: follower) { $0 }
        return stream
    }

    /// The same, put into a sequence of the follower's, whose end ends it.
    func follow<Reported>(
        every interval: MediaTime, into sequence: AsyncStream<Reported>.Continuation,
        as translate: @escaping @Sendable (PlayerNews) -> Reported
    ) {
        let follower = Follower(notify: { sequence.yield(translate($0)) }, finish: { sequence.finish() })
        let id: TimeObserverID? = state.withLock { state in
            // Who asks for no interval is told no times, and costs none.
            guard let id = interval > .zero ? observe(.periodic(interval), &state) : number(&state) else { return nil }
            // Behind what is still to be told.
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

    /// Does it once all that is told by now is told.
    func inTurn(_ action: @escaping @Sendable () -> Void) {
        state.withLock { _ in outbox.async(execute: action) }
    }

    /// Put into the queue under the lock, as all that is told: it comes in its turn.
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

    /// In place of the one before.
    func setDelegation(_ delegation: Task<Void, Never>?) {
        let before = state.withLock { state in
            defer { state.delegation = delegation }
            return state.delegation
        }
        before?.cancel()
    }

    /// On the outbox.
    func notifyFollowers(_ news: PlayerNews) {
        let observers = state.withLock { $0.observers.values }
        for case .all(let follower) in observers { follower.notify(news) }
    }
}
