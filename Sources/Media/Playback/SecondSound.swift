internal import CGStreamer
internal import Dispatch
internal import PlayerCore
internal import Synchronization

/// Plays a film's sound at a second place, in a pipeline of its own that runs by the film's clock:
/// `queue ! audioconvert ! audioresample ! alsasink`.
///
/// The film never waits for this pipeline, whatever its driver does. Pad probes on the film's branch copy the sound to the queue. The
/// queue drops samples that the card does not accept. All calls that may wait for the driver run on `line`.
///
/// `@unchecked Sendable` because its references do not change once it is made, and GStreamer's objects lock for themselves.
final class SecondSound: @unchecked Sendable {
    /// ALSA's name.
    let device: String
    /// Keeps the card open.
    let card: SoundCard
    private let pipeline = Element(pipeline: "second-sound")
    private let entry: Pad
    private let line = DispatchQueue.forBlocking("vitrine.second-sound")
    private var busWatch: BusWatch?
    private let state = Mutex(State())

    private struct State: Sendable {
        var report: @Sendable (SoundRouter.Failure) -> Void = { _ in }
        var probes: [Probe] = []
        /// Whether the film is being flushed.
        var isFlushing = false
        /// The number of flushes that `line` has not done yet.
        var flushes = 0
        var input = Input.fresh
        /// This pipeline's running time at the film's start.
        var begin: GstClockTime = 0
        /// The clock's time at this pipeline's start; `nil` while it does not play.
        var base: GstClockTime?
        /// The time when a buffer last left the queue for the card.
        var taken = DispatchTime.now()

        /// Whether buffers are accepted now.
        var isOpen: Bool { !isFlushing && flushes == 0 }
    }

    /// What the entry needs before the next buffer.
    private enum Input: Hashable {
        /// The events that start a stream.
        case fresh
        /// The same events; the buffer follows the last sample of another film.
        case joins
        /// Nothing.
        case flows
    }

    /// How long `close` waits for the card.
    private static let closingPatience = DispatchTimeInterval.seconds(1)
    /// Bases that differ by less, in ns, count as the same.
    private static let tolerance = 20_000_000

    /// - Parameter card: open.
    init(_ card: SoundCard, _ device: String, by clock: FilmClock) throws(MediaFailure) {
        (self.card, self.device) = (card, device)
        let queue = try Element("queue")
        guard let sink = card.sink, let entry = queue.pad("sink") else {
            throw MediaFailure(unlinked: "the second sound's card is not open")
        }
        self.entry = entry
        // 200 buffers, which are some seconds. A limit in time does not work where a stream is joined in the middle.
        for limit in ["max-size-time", "max-size-bytes"] { queue.set(limit, to: 0) }
        // Drops the oldest buffers.
        queue.set("leaky", to: 2)
        queue.pad("src")?.watchBuffers { [weak self] _ in self?.state.withLock { $0.taken = .now() } }
        queue.connect("overrun") { [weak self] _ in self?.reportHanging() }
        sink.set("async", to: false)
        CardStart.atSegmentEnds(of: sink)
        clock.lead(pipeline)
        // `follow` sets the base time: the pipeline does not choose its own.
        pipeline.startTime = GstClockTime(bitPattern: -1)
        // The card may want another format and rate than the first one.
        try pipeline.add(
            [queue, try Element("audioconvert"), try Element("audioresample"), sink], as: "the second sound")
        busWatch = pipeline.bus.map {
            BusWatch($0, on: DispatchQueue(label: "vitrine.second-sound.bus")) { [weak self] in self?.drainBus() }
        }
        perform { $0.pipeline.set(GST_STATE_PAUSED) }
    }

    private func drainBus() {
        while let message = pipeline.bus?.pop() {
            guard case .error(let error) = message.content else { continue }
            debugLog(pipeline, error.text)
            report(error.code == .notFound ? .lost : .refuses)
        }
    }

    /// The queue is full: the card hangs if it has taken nothing for long.
    private func reportHanging() {
        let taken = state.withLock(\.taken)
        if taken + .nanoseconds(Int(SoundCard.patience)) < .now() { report(.hangs) }
    }

    private func report(_ failure: SoundRouter.Failure) { state.withLock(\.report)(failure) }

    /// Sets the handler of failures. It is called on any thread, and perhaps several times.
    func whenFailed(_ report: @escaping @Sendable (SoundRouter.Failure) -> Void) {
        state.withLock { $0.report = report }
    }

    /// Runs on `line` a job that may wait for the driver. Reports a card that hangs in it.
    private func perform(_ job: @escaping @Sendable (SecondSound) -> Void) {
        let group = DispatchGroup()
        line.async(group: group) { job(self) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(SoundCard.patience))) { [weak self] in
            if group.wait(timeout: .now()) == .timedOut { self?.report(.hangs) }
        }
    }

    /// Plays and pauses with the film.
    /// - Parameter base: the clock's time at which the film's sinks play its running time 0.
    func follow(isPlaying: Bool, base: GstClockTime) {
        perform { second in
            guard isPlaying else {
                second.state.withLock { $0.base = nil }
                second.pipeline.set(GST_STATE_PAUSED)
                return
            }
            let (own, now) = second.state.withLock { state in
                let own = base - min(base, state.begin)
                defer { state.base = own }
                return (own, state.base)
            }
            // A sink reads the base time when it begins to play.
            if let now {
                guard abs(Int(now) - Int(own)) > Self.tolerance else { return }
                second.pipeline.set(GST_STATE_PAUSED)
            }
            second.pipeline.baseTime = own
            second.pipeline.set(GST_STATE_PLAYING)
        }
    }

    /// Closes the card.
    /// - Parameter waits: whether to wait for that, 1 s at most. Another user may want the card.
    func close(waits: Bool = true) {
        leave()
        let end = DispatchGroup()
        line.async(group: end) { self.pipeline.set(GST_STATE_NULL) }
        if waits { _ = end.wait(timeout: .now() + Self.closingPatience) }
    }
}

/// The input: the sound of the film's branch.
extension SecondSound {
    /// Copies the sound of the film's branch from now on.
    /// - Parameters:
    ///   - source: the pad that the film's sound passes.
    ///   - exit: the pad that the end of the sound passes, unless the film's card continues with another film.
    ///   - start: the clock's time at which this film's sound starts, if it follows another film's sound, which still plays.
    func join(_ source: Pad, end exit: Pad, from start: GstClockTime? = nil) {
        state.withLock { state in
            state.input = .fresh
            guard let start, let base = state.base, start > base else { return }
            (state.begin, state.input) = (start - base, .joins)
        }
        let flushes: GstPadProbeType = [GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_EVENT_FLUSH]
        let probes = [
            source.probe(GST_PAD_PROBE_TYPE_BUFFER) { [weak self] pad, info in
                if let buffer = info.buffer { self?.take(buffer, from: pad) }
                return GST_PAD_PROBE_OK
            },
            source.probe(flushes) { [weak self] pad, info in
                if let event = info.event, event.type != GST_EVENT_EOS { self?.take(event, from: pad) }
                return GST_PAD_PROBE_OK
            },
            exit.probe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [weak self, source] _, info in
                if let event = info.event, event.type == GST_EVENT_EOS { self?.take(event, from: source) }
                return GST_PAD_PROBE_OK
            },
        ]
        state.withLock { $0.probes = probes }
    }

    /// Stops copying. The sound in the queue is played.
    func leave() {
        let probes = state.withLock { state in
            defer { state.probes = [] }
            return state.probes
        }
        for probe in probes { probe.remove() }
    }

    private func take(_ event: Event, from pad: Pad) {
        switch event.type {
        case GST_EVENT_FLUSH_START:
            state.withLock { $0.isFlushing = true }
            flush()
        case GST_EVENT_FLUSH_STOP: state.withLock { $0.isFlushing = false }
        case let type where type.rawValue & GST_EVENT_TYPE_SERIALIZED.rawValue == 0: break
        case GST_EVENT_EOS: if begin(from: pad) != nil { entry.send(event) }
        case let type where type.rawValue & GST_EVENT_TYPE_STICKY.rawValue == 0:
            if begin(from: pad) != nil { entry.send(event) }
        default:
            // `begin` sends sticky events before the first buffer.
            if state.withLock({ $0.isOpen && $0.input == .flows }) { give(event) }
        }
    }

    /// Drops the sound in the queue, and accepts buffers again after that.
    private func flush() {
        state.withLock { $0.flushes += 1 }
        perform { second in
            second.pipeline.set(GST_STATE_PAUSED)
            if let start = Event.flushStart, let stop = Event.flushStop {
                second.entry.send(start)
                second.entry.send(stop)
            }
            second.state.withLock { state in
                (state.base, state.begin, state.input) = (nil, 0, .fresh)
                state.flushes -= 1
            }
        }
    }

    /// Sends the events that start a stream, unless they were sent.
    /// - Returns: what the entry needed; `nil` if nothing may pass.
    private func begin(from pad: Pad) -> Input? {
        let needed: Input? = state.withLock { state in
            guard state.isOpen else { return nil }
            defer { state.input = .flows }
            return state.input
        }
        if let needed, needed != .flows {
            for type in [GST_EVENT_STREAM_START, GST_EVENT_CAPS, GST_EVENT_SEGMENT] { pad.kept(type).map(give) }
        }
        return needed
    }

    private func give(_ event: Event) {
        let begin = state.withLock(\.begin)
        guard event.type == GST_EVENT_SEGMENT, begin > 0 else { return entry.send(event) }
        var segment = event.segment
        segment.base += begin
        Event.segment(segment, seqnum: event.seqnum).map(entry.send)
    }

    private func take(_ buffer: Buffer, from pad: Pad) {
        guard let needed = begin(from: pad) else { return }
        switch entry.chain(needed == .joins ? buffer.withoutDiscontinuity : buffer.shared) {
        // The pads are not active yet.
        case GST_FLOW_FLUSHING: state.withLock { $0.input = .fresh }
        case GST_FLOW_NOT_NEGOTIATED: report(.refuses)
        // The sink reports other errors on the bus.
        default: break
        }
    }
}
