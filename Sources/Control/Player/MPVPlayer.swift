/// The player as mpv's clients see it.
///
/// The server calls from tasks of its own, one command of a client at a time (several for `async`), those of different
/// clients at once. No call may block its thread; a slow call delays only its client.
public protocol MPVPlayer: Sendable {
    /// The names of all properties, for `property-list`. `property-list` and `command-list` are the server's own.
    var propertyNames: [String] { get }

    /// The current value of a property.
    ///
    /// Paths into a value (`playlist/0/filename`, `playlist/count`) are resolved by the server if this throws
    /// ``MPVError/propertyNotFound``.
    ///
    /// - Throws: ``MPVError/propertyNotFound`` or ``MPVError/propertyUnavailable`` (known, but without a value now).
    func property(_ name: String) async throws(MPVError) -> JSONValue

    /// Sets a property. Clients send `"yes"` for `true` and `"5"` for 5 as well: ``JSONValue/flag()``,
    /// ``JSONValue/number(in:)`` and ``JSONValue/time()`` read both and throw mpv's errors.
    ///
    /// - Throws: ``MPVError/propertyNotFound``, ``MPVError/propertyUnavailable``,
    ///   ``MPVError/unsupportedPropertyFormat`` for a value outside the property's range,
    ///   ``MPVError/errorAccessingProperty`` for a value of a wrong type or a property that is read only.
    func setProperty(_ name: String, to value: JSONValue) async throws(MPVError)

    /// Runs a command. The result is the reply's `data`; most commands have none and return ``JSONValue/null``.
    ///
    /// - Throws: the error for the client; errors about properties (of `add` and `cycle`) are sent as
    ///   ``MPVError/errorRunningCommand``, as in mpv.
    func run(_ command: MPVCommand) async throws(MPVError) -> JSONValue

    /// A new stream of the names of properties that may have changed. Each client gets one of its own; the server reads
    /// the observed ones among them again and sends the client only values that differ. It must buffer without bound:
    /// the server takes the next element without waiting for a client.
    func changes() -> AsyncStream<Set<String>>

    /// A new stream of events from now on. Each client gets one of its own. Buffered as ``changes()``.
    func events() -> AsyncStream<MPVEvent>
}
