/// The player as mpv's clients see it.
///
/// The server calls from tasks of its own, one command of a client at a time (several if the client asks for `async`),
/// those of different clients at once. No call may block its thread; a call that takes long holds up only its client.
public protocol MPVPlayer: Sendable {
    /// The names of all properties, for `property-list`. `property-list` and `command-list` are the server's own.
    var propertyNames: [String] { get }

    /// The value of a property now.
    ///
    /// Paths into a value (`playlist/0/filename`, `playlist/count`) are resolved by the server where this throws
    /// ``MPVError/propertyNotFound``.
    ///
    /// - Throws: ``MPVError/propertyNotFound`` or ``MPVError/propertyUnavailable`` (known, but there is no value now).
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
    /// - Throws: what the client shall read; errors about properties (of `add` and `cycle`) reach it as
    ///   ``MPVError/errorRunningCommand``, as in mpv.
    func run(_ command: MPVCommand) async throws(MPVError) -> JSONValue

    /// A new stream of the names of properties that may have changed. Each client gets one of its own; the server reads
    /// the observed ones among them again and tells the client only of values that differ.
    /// Buffer without bound: the server never waits for a client before it takes the next element.
    func changes() -> AsyncStream<Set<String>>

    /// A new stream of events from now on. Each client gets one of its own. Buffer as for ``changes()``.
    func events() -> AsyncStream<MPVEvent>
}
