/// Decides whether the displays must be checked again, from the connector's state and the result of the last check.
///
/// A value. A display may disappear and return between two reports.
public struct ConnectorWatch: Hashable, Sendable {
    /// The connector's state when the picture was last known to be shown; `nil` if it is not shown, or unknown.
    private var known: ConnectorState?

    public init(_ known: ConnectorState?) {
        self.known = known
    }

    /// Whether the last check failed, so that it should be repeated soon.
    public var hasFailed: Bool { known == nil }

    /// Whether something may have changed. Without a display each event may report another one.
    public func isNews(_ now: ConnectorState?) -> Bool {
        now != known || now?.isUsable != true || now?.isLinkBad == true
    }

    /// Notes that the displays were checked and the changes applied.
    /// - Parameters:
    ///   - state: the state, before the check, of the connector that is used from now on, or its state now if it is
    ///     another connector; `nil` if the check failed.
    ///   - isGone: whether there was no display. It is then looked for again, however soon it returns.
    /// - Returns: whether no further check is needed until the next event.
    public mutating func looked(_ state: ConnectorState?, isGone: Bool) -> Bool {
        known = isGone ? nil : state
        return isGone || state.map { !$0.isUsable } ?? false
    }
}
