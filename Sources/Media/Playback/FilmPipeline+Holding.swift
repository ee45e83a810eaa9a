internal import CGStreamer
internal import Dispatch
internal import PlayerCore
internal import Synchronization

/// A film that is made ready while another one plays: opened as far as nobody sees or hears it. Its container is parsed, its
/// decoders have made their first picture and sound; plane and sound card stay the other one's until `open` (A13).
extension FilmPipeline {
    struct Hold {
        /// All pads are there, and something waits at each.
        var isFull = false
        /// It is to be opened.
        var isOver = false
    }

    /// Makes ready a film that was built to be held. What it tells meanwhile, its failure too, is heard once it is opened.
    public func prepare() {
        worker.async { [self] in
            guard !isClosed, hold != nil else { return }
            watchBus()
            change(to: GST_STATE_PAUSED)
        }
    }

    /// Whether it failed before it was opened. Any thread.
    public var hasFailedHeld: Bool { failedHeld.load(ordering: .acquiring) }

    /// Everything of the film's has come to where it is held. Worker only.
    func becomeFull() {
        hold?.isFull = true
        if hold?.isOver == true { letGo() }
    }

    /// Plane and sound card are free. Worker only.
    func endHold() {
        hold?.isOver = true
        if hold?.isFull == true { letGo() }
    }

    private func letGo() {
        guard stage == .running else { return }
        debugLog(pipeline, "no longer held")
        hold = nil
        // Now the sinks come, which the pipeline waits for once more.
        if let source { linker?.release(source) }
    }
}
