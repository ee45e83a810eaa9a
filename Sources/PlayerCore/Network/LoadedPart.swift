/// The part of a film that is loaded ahead of the shown frame. The progress of a single file is known in bytes, from
/// which its time is estimated.
public struct LoadedPart: Hashable, Sendable {
    /// Times of the film; empty if nothing ahead is loaded.
    public let times: ClosedRange<MediaTime>

    /// Estimates the loaded part from bytes; `nil` if the sizes are unknown.
    /// - Parameters:
    ///   - shown: the film's position.
    ///   - place: the offset in bytes up to which the file has been read. Everything up to `shown` has been read,
    ///     whatever it says.
    public init?(from shown: MediaTime, of duration: MediaTime, read place: Int64, ofBytes size: Int64) {
        guard place >= 0, size > 0, duration > .zero, let end = duration.scaled(by: min(place, size), over: size) else {
            return nil
        }
        self.init(from: shown, to: end, of: duration)
    }

    /// - Parameters:
    ///   - shown: the film's position.
    ///   - ahead: the duration that waits to be decoded.
    public init(from shown: MediaTime, of duration: MediaTime, waiting ahead: MediaTime) {
        self.init(from: shown, to: shown + min(ahead, duration), of: duration)
    }

    private init(from shown: MediaTime, to end: MediaTime, of duration: MediaTime) {
        let start = shown.clamped(to: .zero...duration)
        times = start...end.clamped(to: start...duration)
    }
}
