/// The number of bytes that are read ahead of the shown frame, for a film that is one file on a server.
public struct ReadAhead: Hashable, Sendable {
    /// The limit for any film: read-ahead must fit the memory of a kiosk's small board.
    public static let most: Int64 = 8 << 20
    /// A server's data arrives in pieces of this size.
    static let least: Int64 = 256 << 10

    /// The most that is read ahead: half a minute of the film, at most `most`.
    public let bytes: Int64
    /// The amount with which the film resumes: two seconds.
    public let start: Int64
    /// The amount below which the film waits: a quarter of a second.
    public let stop: Int64

    /// `nil` if the bytes of a second are unknown.
    public init?(ofBytes size: Int64, lasting duration: MediaTime) {
        guard size > 0, duration > .zero,
            // Larger values give the same result.
            let second = Int64(
                exactly: min(Int128(size) * 1_000_000_000 / Int128(duration.nanoseconds), Int128(Self.most)))
        else { return nil }
        bytes = min(max(second * 30, Self.least), Self.most)
        start = min(second * 2, bytes / 4 * 3)
        stop = second / 4
    }
}
