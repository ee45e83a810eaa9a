/// How much of a film is read ahead of what is shown where it is one file of a server's, in bytes.
public struct ReadAhead: Hashable, Sendable {
    /// Of any film: what is read ahead takes no more memory than a kiosk's small board has.
    public static let most: Int64 = 8 << 20
    /// Pieces that come from a server are as large.
    static let least: Int64 = 256 << 10

    /// No more is read: half a minute of the film, `most` at most.
    public let bytes: Int64
    /// With so much the film plays on: two seconds.
    public let start: Int64
    /// With less it waits: a quarter of a second.
    public let stop: Int64

    /// `nil` where nobody knows how much of the film a second is.
    public init?(ofBytes size: Int64, lasting duration: MediaTime) {
        guard size > 0, duration > .zero,
            // More than this in a second is the same.
            let second = Int64(
                exactly: min(Int128(size) * 1_000_000_000 / Int128(duration.nanoseconds), Int128(Self.most)))
        else { return nil }
        bytes = min(max(second * 30, Self.least), Self.most)
        start = min(second * 2, bytes / 4 * 3)
        stop = second / 4
    }
}
