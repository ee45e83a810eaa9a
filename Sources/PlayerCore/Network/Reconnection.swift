/// When to open a lost film anew at its position: soon at first, then ever more rarely, so that a server that comes
/// back is not overrun.
///
/// A value without a clock.
public struct Reconnection: Hashable, Sendable {
    /// The delay before each attempt; the last one repeats.
    static let delays: [Duration] = [1, 2, 4, 8, 16, 30].map { .seconds($0) }
    /// If another film could be played, attempts end so long after the connection was lost.
    public static let patience = Duration.seconds(60)
    /// A connection that holds for so long does not count as one that breaks at once.
    static let steady = Duration.seconds(10)

    private var attempts = 0
    private var lostAt: MonotonicTime?
    private var openedAt: MonotonicTime?

    public init() {}

    /// Whether the connection is lost: until `opened`.
    public var isTrying: Bool { lostAt != nil && openedAt == nil }

    /// The film plays again.
    public mutating func opened(at now: MonotonicTime) {
        if openedAt == nil { openedAt = now }
    }

    /// The connection is lost, or an attempt has failed.
    /// - Parameter isBounded: whether something else could be played.
    /// - Returns: when to try next; `nil` for never.
    public mutating func failed(at now: MonotonicTime, isBounded: Bool) -> MonotonicTime? {
        if let openedAt, now - openedAt >= Self.steady { self = Reconnection() }
        openedAt = nil
        let lostAt = lostAt ?? now
        self.lostAt = lostAt
        let due = now + Self.delays[min(attempts, Self.delays.count - 1)]
        attempts += 1
        guard !isBounded || due - lostAt <= Self.patience else { return nil }
        return due
    }
}

extension MediaFailure {
    /// Whether the failure stays until somebody changes the server or the playlist.
    public var isLasting: Bool { reason == .needsRanges || reason == .remoteList }

    /// Whether the same film may play a while later: the network or the server is to blame, not the request. This
    /// includes an untrusted certificate, because a board without a battery learns the date from the network.
    public var isPassing: Bool {
        guard reason == .network else { return false }
        return switch httpStatus {
        case nil, 408, 425, 429: true
        case let status?: (500...599).contains(status)
        }
    }

    /// A message for the screen, for people who know neither GStreamer nor HTTP.
    /// - Parameters:
    ///   - title: the film's title.
    ///   - isLocal: whether it is a file.
    public func userMessage(about title: String, isLocal: Bool = false) -> String {
        if let doubt { return "\(title): \(doubt.userMessage)" }
        return switch (reason, httpStatus) {
        case (.network, 404?), (.network, 410?): "\(title): the server does not have this film"
        case (.network, 401?), (.network, 403?), (.network, 407?): "\(title): the server does not let us have this film"
        case (.network, let status?) where status >= 500: "\(title): the server has a problem"
        case (.network, _): "\(title): no connection to the server"
        case (.needsRanges, _): "\(title): the server cannot send this film as it is"
        case (.remoteList, _): "\(title): a list of films is not read from a server"
        case (.noSuchFile, _): "\(title): this film is not there"
        case (.noPermission, _): "\(title): this film may not be read"
        case (.notMedia, _) where isLocal: "\(title): this is not a film"
        case (.notMedia, _): "\(title): what the server sends is not a film"
        case (.broken, _): "\(title): the film is damaged"
        // The log names the package; its name is no use to a visitor.
        case (.missingPlugin, _): "\(title): this kind of film cannot be played here"
        default: "\(title): this film cannot be played"
        }
    }
}
