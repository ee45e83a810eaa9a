internal import CGStreamer
internal import PlayerCore
internal import Synchronization

/// The sound's way to ALSA's default card:
/// `input-selector ! queue ! audioconvert ! audioresample ! scaletempo ! volume ! alsasink`.
///
/// A valve stands before every audio decoder of the pipeline (`input`): a drag costs no sound. scaletempo keeps the pitch at
/// other rates than the film's own, and does nothing at that one.
final class AudioBranch: Sendable {
    let input = SoundInput()
    /// `nil` where no sound is wanted.
    let card: SoundCard?
    private let state: Mutex<State>
    /// Held while elements are told what the state says, so that they are told the newest last. GStreamer calls nothing of ours then.
    private let applying = Mutex(())
    private let switching = Switching()

    private struct State: Sendable {
        var sound: FilmOutput.Sound
        var wish: TrackWish
        var tracks: [MediaOption] = []
        /// Once there is a track.
        var elements: Elements?
        /// As `elements`.
        var controls: Controls?

        var number: Int? { wish.choose(among: tracks) ?? tracks.first?.number }
    }

    private struct Elements {
        let selector: Element
        let volume: Element
    }

    /// Tell the elements what was chosen. A test has its own, and no elements.
    struct Controls: Sendable {
        let setSound: @Sendable (FilmOutput.Sound) -> Void
        let switchTo: @Sendable (_ track: Int) -> Void
    }

    init(tracks: [MediaOption], controls: Controls) {
        card = nil
        state = Mutex(State(sound: .init(), wish: .any, tracks: tracks, controls: controls))
    }

    /// - Parameter wish: which track is heard first.
    init(hasSound: Bool, sound: FilmOutput.Sound, wish: TrackWish) {
        card = hasSound ? SoundCard() : nil
        state = Mutex(State(sound: sound, wish: wish))
    }

    /// The track that is heard; `nil` before there is one. Any thread.
    var number: Int? { state.withLock { $0.elements == nil ? nil : $0.number } }

    /// Waits for the card's opening.
    var isSilent: Bool { card?.sink == nil }

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

    /// Chooses a track; any thread, also before there are tracks. What was decoded of the track before is heard until a flush.
    /// - Parameter waits: a flush is to come, and brings the track. The track before must be there until then: a streaming
    ///   thread that waits for room behind the selector is released by the flush of the active pad, and of no other.
    func select(_ wish: TrackWish, waits: Bool) {
        activate(waits: waits) { $0.wish = wish }
    }

    /// The flush that a choice waits for does not come.
    func selectNow() {
        if let number = switching.take() { activate { $0.wish = .number(number) } }
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
        // Half is to be half as loud (GST_STREAM_VOLUME_FORMAT_CUBIC).
        let part = sound.volume / 100
        volume.set("volume", to: part * part * part)
        volume.set("mute", to: sound.isMuted)
    }

    private static func switchTo(_ number: Int, of selector: Element) {
        if let pad = selector.pad(padName(number)) { selector.set("active-pad", to: pad) }
    }

    /// A track that is to be heard from the next flush on.
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

    /// Switches when a flush begins to pass the selector, on its way to release what waits behind it.
    private func switchAtFlush(of selector: Element) {
        selector.pad("src")?.probe(GST_PAD_PROBE_TYPE_EVENT_FLUSH) { [switching] pad, info in
            if info.event?.type == GST_EVENT_FLUSH_START, let number = switching.take(), let selector = pad.parent {
                Self.switchTo(number, of: selector)
            }
            return GST_PAD_PROBE_OK
        }
    }

    private static func padName(_ number: Int) -> String { "sink_\(number - 1)" }

    /// Links one more track; the first one adds the branch to the pipeline. Thread: the streaming thread that found the pad.
    func link(_ pad: Pad, _ track: MediaOption, in pipeline: Element) throws(MediaFailure) {
        guard let sink = card?.sink else { return }
        let known = state.withLock { $0.elements }
        let elements = if let known { known } else { try add(before: sink, to: pipeline) }
        guard let entry = elements.selector.requestPad(Self.padName(track.number)) else {
            throw MediaFailure(unlinked: "no more tracks of sound")
        }
        guard pad.link(to: entry) else { throw MediaFailure(unlinked: "the sound's pad does not link") }
        state.withLock { $0.tracks.append(track) }
        // A choice that waits for its flush goes on waiting.
        if !switching.isWaiting { activate { _ in } }
    }

    private func add(before sink: Element, to pipeline: Element) throws(MediaFailure) -> Elements {
        let elements = Elements(selector: try Element("input-selector"), volume: try Element("volume"))
        state.withLock {
            $0.elements = elements
            $0.controls = Controls(
                setSound: { Self.set($0, of: elements.volume) }, switchTo: { Self.switchTo($0, of: elements.selector) })
        }
        applySound()
        let chain = [
            elements.selector, try Element("queue", name: "sound-queue"), try Element("audioconvert"),
            try Element("audioresample"), try Element("scaletempo"), elements.volume, sink,
        ]
        try pipeline.add(chain, as: "the sound's branch")
        CardStart.atSegmentEnds(of: sink)
        switchAtFlush(of: elements.selector)
        for element in chain.reversed() { element.syncStateWithParent() }
        return elements
    }
}
