internal import CVideoSink

/// The element in front of an audio sink that keeps the film going while the sink is replaced: its input waits, and an
/// error of the sink is not forwarded. It posts "vitrine-sound-refused" if a sink refuses all formats.
///
/// Thread: any; nothing blocks.
final class SoundSocket: Element, @unchecked Sendable {
    convenience init(name: String) { self.init(sinking: vitrine_sound_socket_new(name)) }

    /// Prepares for stopping and unlinking the sink. Data on its way into it is kept for the next one.
    /// - Parameter hasFailed: whether that data is dropped instead, because the sink has failed.
    func unplug(hasFailed: Bool) { vitrine_sound_socket_unplug(raw, hasFailed) }

    /// Continues with another sink, which is linked and accepts data.
    func plug() { vitrine_sound_socket_plug(raw) }

    /// How long the current call into the sink has taken so far, ns; 0 if there is none.
    var waits: UInt64 { vitrine_sound_socket_waits(raw) }

    /// Sets whether EOS waits before the sink for another film that continues there. "vitrine-sound-ends" reports it.
    func setFollowed(_ isFollowed: Bool) { vitrine_sound_socket_set_followed(raw, isFollowed) }

    /// Forwards the waiting EOS.
    func end() { vitrine_sound_socket_end(raw) }

    /// As `unplug`, while EOS waits.
    /// - Returns: whether EOS waits; else the sink must not be removed.
    func give() -> Bool { vitrine_sound_socket_give(raw) }

    /// Makes the first buffer follow the other film's last data in the sink, without a gap.
    func goOn() { vitrine_sound_socket_go_on(raw) }
}

extension Element {
    /// Stops the thread of an ALSA sink for ever: the sound server that it plays into has ended.
    func serverHasEnded() { vitrine_server_end(raw) }
}

enum ALSA {
    /// Whether a sound server receives the sound of the PCM of that name, by ALSA's configuration. Reads its files the
    /// first time, and loads ALSA's library.
    static func playsIntoServer(_ device: String) -> Bool { vitrine_pcm_is_servers(device) }
}
