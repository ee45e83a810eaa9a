public import PlayerCore

/// The speed at which this machine decodes a film's frames when it does nothing else.
public struct DecodingSpeed: Hashable, Sendable {
    /// The duration of the film that was decoded ...
    public var film: MediaTime
    /// ... and the clock time that it took; above 0.
    public var clock: Duration
    /// The decoder: "avdec_h264", or a hardware decoder, "v4l2slh264dec".
    public var decoder: String

    public init(film: MediaTime, clock: Duration, decoder: String) {
        self.film = film
        self.clock = clock
        self.decoder = decoder
    }

    /// In hundredths of the film's own speed: at 100 each frame is just in time.
    public var hundredths: Int64 { film.nanoseconds / max(clock.inNanoseconds / 100, 1) }
}
