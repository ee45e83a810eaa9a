/// When a film that broke off is opened anew where it was: soon at first, then ever more rarely, so that a server that comes
/// back is not overrun.
///
/// A value without a clock.
public struct Reconnection: Hashable, Sendable {
    /// Before each attempt; the last one also before all that follow.
    static let delays: [Duration] = [1, 2, 4, 8, 16, 30].map { .seconds($0) }
    /// Where another film could be played instead, so long after the connection was lost no more attempts are made.
    public static let patience = Duration.seconds(60)
    /// A connection that holds for so long is none of those that come and break at once.
    static let steady = Duration.seconds(10)

    private var attempts = 0
    private var lostAt: MonotonicTime?
    private var openedAt: MonotonicTime?

    public init() {}

    /// Whether the connection is lost: until `opened`.
    public var isTrying: Bool { lostAt != nil && openedAt == nil }

    /// The film plays.
    public mutating func opened(at now: MonotonicTime) {
        if openedAt == nil { openedAt = now }
    }

    /// The connection is lost, or an attempt has failed.
    /// - Parameter isBounded: something else could be played.
    /// - Returns: when to try next; `nil`: no more.
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
    /// Whether it stays as it is until somebody changes the server, or the list of films.
    public var isLasting: Bool { reason == .needsRanges || reason == .remoteList }

    /// Whether the same film may well be played a while later: the network or its server is to blame, and not what was asked
    /// for. So may one whose server is not trusted: a board without a battery learns the date from the network.
    public var isPassing: Bool {
        guard reason == .network else { return false }
        return switch httpStatus {
        case nil, 408, 425, 429: true
        case let status?: (500...599).contains(status)
        }
    }

    /// What to say of a film, to people who know neither GStreamer nor HTTP: on the screen.
    /// - Parameters:
    ///   - title: the film's.
    ///   - isLocal: it is a file.
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
        // Which package would play it stands in the log: a visitor can do nothing with its name.
        case (.missingPlugin, _): "\(title): this kind of film cannot be played here"
        default: "\(title): this film cannot be played"
        }
    }
}
