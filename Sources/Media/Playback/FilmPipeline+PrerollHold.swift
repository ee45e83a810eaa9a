internal import CGStreamer
internal import Dispatch
internal import PlayerCore
internal import Synchronization

/// A film that is made ready while another one plays: opened as far as nobody sees or hears it. Its container is parsed, its
/// first frame waits in its sink, as large as the plane wants it, its first sound behind the decoder. The plane stays the
/// other one's until `open`, the sound card until `takeCard`.
extension FilmPipeline {
    struct PrerollHold {
        /// All pads are there, and something waits at each.
        var isFull = false
        /// The sound card is free.
        var isOver = false
    }

    /// Makes ready a film that was built to be held. Its messages meanwhile, its failure too, are delivered once it is opened.
    public func preload() {
        worker.async { [self] in
            guard !isClosed, prerollHold != nil else { return }
            watchBus()
            change(to: GST_STATE_PAUSED)
        }
    }

    /// Whether it failed before it was opened. Any thread.
    public var hasFailedPreroll: Bool { failedPreroll.load(ordering: .acquiring) }

    /// Everything of the film's has come to where it is held. Worker only.
    func becomeFull() {
        prerollHold?.isFull = true
        if prerollHold?.isOver == true { letGo() }
    }

    /// After `open`: the sound card is free, too. Does nothing for a film that was not held.
    public func takeCard() {
        worker.async { [self] in
            guard !isClosed, prerollHold != nil else { return }
            if routing.following.handed == nil {
                beginSound()
            } else {
                news.yield(.soundDevice(routing.places.first.current, .first))
            }
            prerollHold?.isOver = true
            if prerollHold?.isFull == true { letGo() }
        }
    }

    private func letGo() {
        guard teardown.stage == .running, let source = source.element, let linker else { return }
        debugLog(pipeline, "no longer held")
        prerollHold = nil
        // The card's sink is one more that the pipeline waits for. Without it, all is there.
        // Its sound plays already, and flows.
        let isReleased = routing.following.handed != nil
        let waits = isReleased ? pipeline.state.result == GST_STATE_CHANGE_ASYNC : linker.release(source)
        guard !waits else { return }
        // The messages about its frame come first, as always.
        drainBus()
        becomeReady()
    }
}
