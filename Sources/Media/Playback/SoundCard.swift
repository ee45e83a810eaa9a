internal import CGStreamer
internal import Dispatch
internal import Glibc

/// ALSA's default card. It is opened beside the film, whose pictures do not wait for it: loading ALSA takes a small board as
/// long as loading a decoder.
///
/// `@unchecked Sendable` because `opened` is set before `opening` is left, and read behind it; `hasBegun` is its film's alone.
final class SoundCard: @unchecked Sendable {
    private let opening = DispatchGroup()
    private var opened: Result<Element, Silence>?
    private var hasBegun = false

    /// Why there is no sound.
    struct Silence: Error {
        var reason: String

        static let noCard = Silence(
            reason: "no sound: ALSA's default card is missing or busy (aplay -l lists the cards)")
    }

    /// Begins to open it, unless that was done. By whoever has the film alone, one after another.
    func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        DispatchQueue.global(qos: .userInitiated).async(group: opening) { self.opened = Self.open() }
    }

    private static func open() -> Result<Element, Silence> {
        // A kiosk without loudspeakers does not load ALSA for nothing: 0.3 s of the virtual board's start.
        guard isThinkable() else { return .failure(.noCard) }
        guard let sink = try? Element("alsasink", name: "sound") else {
            return .failure(
                Silence(reason: "no sound: GStreamer has no alsasink: sudo apt install gstreamer1.0-alsa"))
        }
        // READY opens the card: a missing or busy one is known before the film depends on it.
        guard sink.set(GST_STATE_READY) != GST_STATE_CHANGE_FAILURE else {
            sink.set(GST_STATE_NULL)
            return .failure(.noCard)
        }
        return .success(sink)
    }

    /// Whether ALSA can have a default card: there is one that plays, or somebody configured another way than to cards, to a
    /// sound server for one.
    static func isThinkable(
        below root: String = "", home: String? = getenv("HOME").map { String(cString: $0) },
        isConfigured: Bool = getenv("ALSA_CONFIG_PATH") != nil
    ) -> Bool {
        let system = ["/dev/snd/pcmC*p", "/etc/asound.conf", "/etc/alsa/conf.d/*"].map { root + $0 }
        let own = home.map { ["\($0)/.asoundrc", "\($0)/.config/alsa/asoundrc"] } ?? []
        return isConfigured
            || (system + own).contains { pattern in
                var found = glob_t()
                defer { globfree(&found) }
                return glob(pattern, 0, nil, &found) == 0
            }
    }

    /// Whether it is still being opened: a driver may hang, and a server for sound may not answer.
    var isOpening: Bool { opening.wait(timeout: .now()) == .timedOut }

    /// The opened card's element; `nil` where there is no usable card, or before `begin`. Waits for its opening; any
    /// thread that may.
    var sink: Element? {
        opening.wait()
        return try? opened?.get()
    }

    /// Why there is no sound, on `queue`, once it is known, after `begin`; not called where there is some.
    func whenSilent(on queue: DispatchQueue, _ tell: @escaping @Sendable (String) -> Void) {
        opening.notify(queue: queue) {
            if case .failure(let silence)? = self.opened { tell(silence.reason) }
        }
    }

    /// Gives the card back, which another film may have to itself. The pipeline, if the sink is in it, must be in NULL.
    /// Waits for its opening; any thread that may; a second time does nothing.
    func release() {
        sink?.set(GST_STATE_NULL)
    }

    /// The same, without waiting.
    func releaseLater() {
        opening.notify(queue: .global()) { self.release() }
    }

    deinit {
        // Nobody opens it any more: that holds a reference.
        if case .success(let sink)? = opened { sink.set(GST_STATE_NULL) }
    }
}
