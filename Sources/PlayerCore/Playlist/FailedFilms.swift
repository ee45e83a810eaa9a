/// Films of a playlist that fail one after another: once all of them have, the next try waits, each time longer, so that
/// nothing goes round and round. A value without a clock.
public struct FailedFilms: Hashable, Sendable {
    /// A film that was open for so long is none of those that fail at once.
    public static let proof = Duration.seconds(10)
    /// The longest wait.
    public static let longest = Duration.seconds(60)

    /// So many in a row.
    public private(set) var count = 0
    /// Whether any film of this playlist could be opened, since it was asked for.
    public private(set) var hasOpened = false
    private var openSince: MonotonicTime?

    public init() {}

    /// A film is open: its first picture is there.
    public mutating func opened(at now: MonotonicTime) {
        hasOpened = true
        openSince = now
    }

    /// A film came to its end.
    public mutating func ended() { count = 0 }

    /// A film that was open for long enough before (`proof`) begins the count anew.
    public mutating func failed(at now: MonotonicTime) {
        if let openSince, now - openSince >= Self.proof { count = 0 }
        openSince = nil
        count += 1
    }

    /// How long to wait before the first of so many films is tried again: a second once each of them has failed, twice as
    /// long each time that they all fail again.
    public func pause(of films: Int) -> Duration {
        let rounds = count / max(films, 1)
        return rounds == 0 ? .zero : min(.seconds(1 << min(rounds - 1, 16)), Self.longest)
    }
}
