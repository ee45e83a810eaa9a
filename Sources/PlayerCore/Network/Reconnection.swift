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

    /// Whether another file has to take its place: neither the network nor this moment is to blame.
    public var isOfTheFile: Bool {
        switch reason {
        case .noPermission, .notMedia, .missingPlugin, .broken: true
        default: false
        }
    }

    /// Whether the same film may play a while later: the network or the server is to blame, not the request. This
    /// includes an untrusted certificate, because a board without a battery learns the date from the network.
    public var isPassing: Bool {
        guard reason == .network else { return false }
        return switch httpStatus {
        case nil, 408, 425, 429: true
        case let status?: (500...599).contains(status)
        }
    }

    /// A message for the screen, for people who know neither GStreamer nor HTTP: what happened, and what to do.
    /// - Parameters:
    ///   - title: the film's title.
    ///   - isLocal: whether it is a file.
    public func userMessage(about title: String, isLocal: Bool = false) -> String {
        let parts = userMessageParts(isLocal: isLocal)
        return "\(title): \(doubt?.userMessage ?? "\(parts.what). \(parts.remedy).")"
    }

    /// Two short sentences, because the title stands before them in one line.
    public func userMessageParts(isLocal: Bool) -> (what: String, remedy: String) {
        switch (reason, httpStatus) {
        case (.network, 404?), (.network, 410?): ("The server does not have this film", "Check the address")
        case (.network, 401?), (.network, 403?), (.network, 407?):
            ("The server refuses this film", "Check name and password")
        case (.network, let status?) where status >= 500: ("The server has a problem", "Ask whoever runs it")
        case (.network, _): ("No connection to the server", "Check the network")
        case (.needsRanges, _): ("The server cannot send this film as it is", "Copy it here")
        case (.remoteList, _): ("A list of films is not read from a server", "Copy it here")
        case (.noSuchFile, _): ("This film is not there", "Copy it again")
        case (.noPermission, _): ("This film may not be read", "Copy it again")
        case (.notMedia, _) where isLocal: ("This is not a film", "Copy it again")
        case (.notMedia, _): ("What the server sends is not a film", "Check the address")
        case (.broken, _): ("The film is damaged", "Copy it again")
        // The log names the package; its name is no use to a visitor.
        case (.missingPlugin, _): ("This kind of film cannot be played", "Export it as H.264")
        default: ("This film cannot be played", "Export it as H.264")
        }
    }
}
