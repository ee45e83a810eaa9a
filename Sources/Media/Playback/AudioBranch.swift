internal import CGStreamer
internal import Dispatch
internal import PlayerCore
internal import Synchronization

/// The sound's branch from the decoder to the card:
/// `input-selector ! queue ! audioconvert ! audioresample ! scaletempo ! volume ! socket ! alsasink`.
/// A second place has its own pipeline (`SecondSound`), which gets the sound after the volume.
///
/// The socket holds the sound back while the sink is replaced (`replace`). Without a card, a `fakesink` is used. A valve before
/// each audio decoder (`input`) drops the sound during a drag. scaletempo keeps the pitch at other rates than 1.
final class AudioBranch: Sendable {
    let input = SoundInput()
    /// The film's clock. It follows the current card's clock.
    var clock: FilmClock { state.withLock(\.clock) }
    /// `nil` if no sound is wanted.
    var card: SoundCard? { state.withLock(\.card) }
    private let state: Mutex<State>
    /// Held while the state is applied to elements, so that the newest state is applied last. GStreamer does not call back
    /// meanwhile.
    private let applying = Mutex(())
    private let switching = Switching()

    private struct State: Sendable {
        var sound: FilmOutput.Sound
        var preference: TrackPreference
        var tracks: [MediaOption] = []
        /// `nil` before there is a track.
        var elements: Elements?
        /// `nil` before there is a track.
        var controls: Controls?

        var clock = FilmClock()
        var card: SoundCard?
        /// The sink in the pipeline: the card's, or the `fakesink`.
        var sink: Element?
        /// The second place, if there is one.
        var second: SecondSound?
        /// The playing card that the previous film handed over.
        var handed: HandedSound?

        var number: Int? { preference.choose(among: tracks) ?? tracks.first?.number }
    }

    private struct Elements {
        let selector: Element
        let volume: Element
        let socket: SoundSocket
    }

    /// Applies choices to elements. Tests replace it, and have no elements.
    struct Controls: Sendable {
        let setSound: @Sendable (FilmOutput.Sound) -> Void
        let switchTo: @Sendable (_ track: Int) -> Void
    }

    init(tracks: [MediaOption], controls: Controls) {
        state = Mutex(State(sound: .init(), preference: .any, tracks: tracks, controls: controls))
    }

    /// - Parameters:
    ///   - devices: ALSA's names of the devices, the best first; `nil` if no sound is wanted.
    ///   - preference: chooses the first track.
    init(devices: [String]?, sound: FilmOutput.Sound, preference: TrackPreference) {
        state = Mutex(State(sound: sound, preference: preference, card: devices.map { SoundCard($0) }))
    }

    /// Begins to open the card. Calls must not overlap.
    func begin() { card?.begin() }

    /// Closes the cards, as `SoundCard.release` does.
    func release() {
        card?.release()
        closeSecond()
    }

    /// Closes the card as `SoundCard.releaseLater` does. Only before there are tracks.
    func releaseLater() { card?.releaseLater() }

    /// The current track; `nil` before there is one. Any thread.
    var number: Int? { state.withLock { $0.elements == nil ? nil : $0.number } }

    /// Whether the sound has neither a branch nor a card. Waits while the card is being opened.
    var isSilent: Bool { !isLinked && card?.sink == nil }

    /// Whether the branch is in the pipeline, so that its sink can be replaced.
    var isLinked: Bool { state.withLock { $0.sink != nil } }

    /// Whether an element is the sink in the pipeline.
    func isSink(_ element: Element?) -> Bool { state.withLock { $0.sink != nil && $0.sink == element } }

    /// The sink in the pipeline; `nil` before there is one.
    var sink: Element? { state.withLock(\.sink) }

    /// The second place, if there is one.
    var second: SecondSound? { state.withLock(\.second) }

    /// Whether the card hangs with the first format or buffer, or its sound server has ended. Any thread, never blocks.
    var isStuck: Bool {
        let (socket, sink, card) = state.withLock { ($0.elements?.socket, $0.sink, $0.card) }
        if let card, !card.isOpening, card.hasLostServer { return true }
        guard let socket, let sink, sink.state.result == GST_STATE_CHANGE_ASYNC else { return false }
        return socket.waits > SoundCard.patience
    }

    /// Replaces a card that has not begun to open. Only for the film's worker.
    func prepare(_ card: SoundCard) { state.withLock { if $0.card != nil { $0.card = card } } }

    /// Replaces the sink in the pipeline while the film plays. Sound that the old sink has not played is lost. Waits for the old
    /// sink's driver. Only for the film's worker, once there are tracks.
    /// - Parameter card: an open card; `nil`: silence.
    func replace(with card: SoundCard?, in pipeline: Element) throws(MediaFailure) {
        let (elements, old) = state.withLock { ($0.elements, $0.sink) }
        guard let elements, let old else { return }
        let new: Element
        if let sink = card?.sink {
            new = sink
        } else {
            new = try Self.silence(PadLinker.silence)
        }
        try Self.replace(old, with: new, isCard: card != nil, behind: elements.socket, in: pipeline)
        state.withLock {
            $0.sink = new
            $0.card = card ?? SoundCard([])
        }
    }

    private static func silence(_ name: String) throws(MediaFailure) -> Element {
        let sink = try Element("fakesink", name: name)
        sink.set("sync", to: true)
        return sink
    }

    /// Replaces the second place; `nil` removes it. Only for the film's worker, once there are tracks.
    func setSecond(_ second: SecondSound?) {
        closeSecond()
        guard let second else { return }
        state.withLock { $0.second = second }
        join(second)
    }

    /// Removes and closes the second place. Any thread that may wait.
    func closeSecond() { takeSecond()?.close() }

    /// Removes the second place, for another film or to close it.
    func takeSecond() -> SecondSound? {
        state.withLock { state in
            defer { state.second = nil }
            return state.second
        }
    }

    private func join(_ second: SecondSound, from start: GstClockTime? = nil) {
        guard let elements = state.withLock(\.elements), let source = elements.volume.pad("src"),
            let exit = elements.socket.pad("src")
        else { return }
        second.join(source, end: exit, from: start)
    }

    private static func replace(
        _ old: Element, with new: Element, isCard: Bool, behind socket: SoundSocket, in pipeline: Element
    ) throws(MediaFailure) {
        // Without a new card, the old one may have failed.
        socket.unplug(hasFailed: !isCard)
        old.lockState(true)
        old.set(GST_STATE_NULL)
        pipeline.remove(old)
        old.lockState(false)
        // The pipeline does not wait for this sink's first sample, and keeps its state. `expectSeek` makes it wait again.
        new.set("async", to: false)
        pipeline.add(new)
        CardStart.atSegmentEnds(of: new)
        guard let exit = socket.pad("src"), let entry = new.pad("sink"), exit.link(to: entry) else {
            throw MediaFailure(unlinked: "the sound's sink does not link")
        }
        new.syncStateWithParent()
        socket.plug()
        // If the sound has ended before the frames, the new sink gets the end from here. The push waits while the film is
        // paused. A pad that has seen an end accepts another one only after a new start.
        if let end = exit.kept(GST_EVENT_EOS), let start = exit.kept(GST_EVENT_STREAM_START) {
            DispatchQueue.forBlocking("vitrine.sound.end").async {
                exit.push(start)
                exit.push(end)
            }
        }
    }

    /// The socket in the pipeline; `nil` before there are tracks.
    var socket: SoundSocket? { state.withLock { $0.elements?.socket } }
    var selector: Element? { state.withLock { $0.elements?.selector } }
    var sound: FilmOutput.Sound { state.withLock(\.sound) }

    /// Notes that another sink is in the pipeline.
    func take(_ sink: Element, _ card: SoundCard) {
        state.withLock {
            $0.sink = sink
            $0.card = card
        }
    }

    /// Uses a playing card of the previous film. Only before there are tracks.
    func adopt(_ sound: HandedSound) {
        state.withLock {
            $0.card = sound.card
            $0.clock = sound.clock
            $0.second = sound.second
            $0.handed = sound
        }
    }

    /// Makes the next seek wait for the sound as well, whichever sink is used.
    func expectSeek() { sink?.set("async", to: true) }

    /// Any thread.
    func set(_ sound: FilmOutput.Sound) {
        state.withLock { $0.sound = sound }
        applySound()
    }

    private func applySound() {
        applying.withLock { _ in
            let (sound, controls) = state.withLock { ($0.sound, $0.controls) }
            controls?.setSound(sound)
        }
    }

    /// Chooses a track, also before there are tracks. Decoded sound of the previous track is heard until a flush. Any thread.
    /// - Parameter waits: whether the next flush switches the track. The old pad must stay active until then: only its flush
    ///   releases a streaming thread that waits for room behind the selector.
    func select(_ preference: TrackPreference, waits: Bool) {
        activate(waits: waits) { $0.preference = preference }
    }

    /// Applies a choice that waits for a flush which will not come.
    func selectNow() {
        if let number = switching.take() { activate { $0.preference = .number(number) } }
    }

    private func activate(waits: Bool = false, _ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        applying.withLock { _ in
            let (controls, number) = state.withLock { ($0.controls, $0.number) }
            guard let controls, let number else { return }
            if waits {
                switching.expect(number)
            } else {
                _ = switching.take()
                controls.switchTo(number)
            }
        }
    }

    private static func set(_ sound: FilmOutput.Sound, of volume: Element) {
        // Volume 50 sounds half as loud (GST_STREAM_VOLUME_FORMAT_CUBIC).
        let part = sound.volume / 100
        volume.set("volume", to: part * part * part)
        volume.set("mute", to: sound.isMuted)
    }

    private static func switchTo(_ number: Int, of selector: Element) {
        if let pad = selector.pad(padName(number)) { selector.set("active-pad", to: pad) }
    }

    /// The track that the next flush switches to.
    private final class Switching: Sendable {
        private let number = Mutex<Int?>(nil)

        var isWaiting: Bool { number.withLock { $0 != nil } }

        func expect(_ number: Int) { self.number.withLock { $0 = number } }

        func take() -> Int? {
            number.withLock { number in
                defer { number = nil }
                return number
            }
        }
    }

    /// Switches the track when a flush passes the selector, before it releases the threads behind it.
    private func switchAtFlush(of selector: Element) {
        selector.pad("src")?.probe(GST_PAD_PROBE_TYPE_EVENT_FLUSH) { [switching] pad, info in
            if info.event?.type == GST_EVENT_FLUSH_START, let number = switching.take(), let selector = pad.parent {
                Self.switchTo(number, of: selector)
            }
            return GST_PAD_PROBE_OK
        }
    }

    private static func padName(_ number: Int) -> String { "sink_\(number - 1)" }

    /// Links a track. The first one adds the branch to the pipeline. Thread: the streaming thread that found the pad.
    func link(_ pad: Pad, _ track: MediaOption, in pipeline: Element) throws(MediaFailure) {
        let elements: Elements
        if let known = state.withLock({ $0.elements }) {
            elements = known
        } else {
            guard let sink = card?.sink else { return }
            elements = try add(before: sink, to: pipeline)
        }
        guard let entry = elements.selector.requestPad(Self.padName(track.number)) else {
            throw MediaFailure(unlinked: "no more tracks of sound")
        }
        guard pad.link(to: entry) else { throw MediaFailure(unlinked: "the sound's pad does not link") }
        state.withLock { $0.tracks.append(track) }
        // A choice that waits for a flush keeps waiting.
        if !switching.isWaiting { activate { _ in } }
    }

    private func add(before sink: Element, to pipeline: Element) throws(MediaFailure) -> Elements {
        let elements = Elements(
            selector: try Element("input-selector"), volume: try Element("volume"),
            socket: SoundSocket(name: "sound-socket"))
        state.withLock {
            $0.elements = elements
            $0.sink = sink
            $0.controls = Controls(
                setSound: { Self.set($0, of: elements.volume) }, switchTo: { Self.switchTo($0, of: elements.selector) })
        }
        applySound()
        let handed = state.withLock(\.handed)
        sink.lockState(handed != nil)
        let chain = [
            elements.selector, try Element("queue", name: "sound-queue"), try Element("audioconvert"),
            try Element("audioresample"), try Element("scaletempo"), elements.volume, elements.socket, sink,
        ]
        try pipeline.add(chain, as: "the sound's branch")
        if let handed { goOn(handed, sink, behind: elements.socket) } else { CardStart.atSegmentEnds(of: sink) }
        clock.follow(sink)
        switchAtFlush(of: elements.selector)
        if let handed, let second { join(second, from: handed.start) }
        for element in chain.reversed() where handed == nil || element != sink { element.syncStateWithParent() }
        return elements
    }
}
