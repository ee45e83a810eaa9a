/// What of a film is loaded ahead of what is shown (M10). How much of it has been read is known in bytes, which are taken for
/// its time.
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
        let start = shown.clamped(to: .zero...duration)
        times = start...max(start, end)
    }
}
