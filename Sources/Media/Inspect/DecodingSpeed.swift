public import PlayerCore

/// How fast this machine decodes a film's frames when it does nothing else.
public struct DecodingSpeed: Hashable, Sendable {
    /// So much of the film was decoded ...
    public var film: MediaTime
    /// ... in so much of the clock's time; above 0.
    public var clock: Duration
    /// By this element: "avdec_h264", or one of a device's, "v4l2slh264dec".
    public var decoder: String

    public init(film: MediaTime, clock: Duration, decoder: String) {
        self.film = film
        self.clock = clock
        self.decoder = decoder
    }

    /// In hundredths of the film's own speed: at 100 each frame is there just in time.
    public var hundredths: Int64 { film.nanoseconds / max(clock.inNanoseconds / 100, 1) }
}
