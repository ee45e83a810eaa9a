/// What of a film is loaded ahead of what is shown. How much of a single file has been read is known in bytes, which are
/// taken for its time.
public struct LoadedPart: Hashable, Sendable {
    /// Of the film; empty in length where nothing ahead is loaded.
    public let times: ClosedRange<MediaTime>

    /// `nil` where nobody knows.
    /// - Parameters:
    ///   - shown: where the film is.
    ///   - place: of the file's bytes, up to where it has been read. What is shown has been, whatever that says.
    public init?(from shown: MediaTime, of duration: MediaTime, read place: Int64, ofBytes size: Int64) {
        guard place >= 0, size > 0, duration > .zero, let end = duration.scaled(by: min(place, size), over: size) else {
            return nil
        }
        self.init(from: shown, to: end, of: duration)
    }

    /// - Parameters:
    ///   - shown: where the film is.
    ///   - ahead: of it waits to be decoded.
    public init(from shown: MediaTime, of duration: MediaTime, waiting ahead: MediaTime) {
        self.init(from: shown, to: shown + min(ahead, duration), of: duration)
    }

    private init(from shown: MediaTime, to end: MediaTime, of duration: MediaTime) {
        let start = shown.clamped(to: .zero...duration)
        times = start...end.clamped(to: start...duration)
    }
}
