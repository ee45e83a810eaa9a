/// Whether another look at the displays is due, from what the connector in use says, and what became of the last look.
///
/// A value: a display may come and go again between any two of the looks that it is told of.
public struct ConnectorWatch: Hashable, Sendable {
    /// What it said when the picture was last known to be there; `nil`: there is none, or nobody knows.
    private var known: ConnectorState?

    public init(_ known: ConnectorState?) {
        self.known = known
    }

    /// Nothing is known of a picture there: a look that failed may be tried again in a moment.
    public var hasFailed: Bool { known == nil }

    /// Whether something may have changed. Without a display each event may tell of another one.
    public func isNews(_ now: ConnectorState?) -> Bool {
        now != known || now?.isUsable != true || now?.isLinkBad == true
    }

    /// The displays were looked at, and what they ask for was done.
    /// - Parameters:
    ///   - state: what the connector that is used from now on said before that, or says now if it is another one; `nil` where
    ///     that failed.
    ///   - isGone: there was no display, whatever the connector said before: it is looked for again, however soon it is back.
    /// - Returns: whether that look was the last one until the next event.
    public mutating func looked(_ state: ConnectorState?, isGone: Bool) -> Bool {
        known = isGone ? nil : state
        return isGone || state.map { !$0.isUsable } ?? false
    }
}
