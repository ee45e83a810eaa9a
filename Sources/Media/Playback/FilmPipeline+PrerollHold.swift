internal import CGStreamer
internal import Dispatch
internal import PlayerCore
internal import Synchronization

/// Preloads a film while another one plays. Its container is parsed, its first frame waits in its sink in the plane's size, and
/// its first sound waits behind the decoder. The other film keeps the plane until `open`, and the sound card until `takeCard`.
extension FilmPipeline {
    struct PrerollHold {
        /// All pads exist, and data waits at each.
        var isFull = false
        /// The sound card is free.
        var isOver = false
    }

    /// Preloads a film that was built with `holdsPreroll`. Its events, failures included, are handled once it is opened.
    public func preload() {
        worker.async { [self] in
            guard !isClosed, prerollHold != nil else { return }
            watchBus()
            change(to: GST_STATE_PAUSED)
        }
    }

    /// Whether the film failed before it was opened. Any thread.
    public var hasFailedPreroll: Bool { failedPreroll.load(ordering: .acquiring) }

    /// Notes that all data of the film has arrived where it is held. Worker only.
    func becomeFull() {
        // The film's end has arrived in place of its first frame. Its decoder may serve one film at a time.
        if frames.hasEnded, frames.areTakenInVain(since: nil), let decoder = hardwareDecoder, !isAvoided(decoder) {
            let text = "\(location.name): its decoder gave out no frame up to its end"
            var failure = MediaFailure(reason: .other, message: text)
            failure.decoder = decoder
            return fail(failure)
        }
        prerollHold?.isFull = true
        if prerollHold?.isOver == true { letGo() }
    }

    /// Lets the film use the sound card, which must be free. Call it after `open`. Does nothing for a film that is not held.
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
        // With a card, the pipeline also waits for the card's sink. A handed-over sound already flows.
        let isReleased = routing.following.handed != nil
        let waits = isReleased ? pipeline.state.result == GST_STATE_CHANGE_ASYNC : linker.release(source)
        guard !waits else { return }
        // The frame's message is handled first, as always.
        drainBus()
        becomeReady()
    }
}
