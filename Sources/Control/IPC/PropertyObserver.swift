/// A property that a client observes, and its last sent value.
struct PropertyObserver: Sendable {
    /// Distinguishes observers: clients may use an id more than once.
    var serial: Int
    /// The client's id. 0 is not sent back, as in mpv.
    var id: Int64
    var name: String
    var asText: Bool
    /// Whether the property may have changed since it was last read. True for a new observer, which is notified at
    /// once.
    var isStale = true
    /// The last value sent: none yet (`nil`), the absence of a value, or a value.
    var lastReported: JSONValue??

    /// Whether a change of `names` may affect this property: `playlist` affects `playlist/0/filename` too.
    func concerns(_ names: Set<String>) -> Bool {
        if names.contains(name) { return true }
        guard let slash = name.firstIndex(of: "/") else { return false }
        return names.contains(String(name[..<slash]))
    }

    /// The event for `value`, or `nil` if the client has it. An event without `data` says that there is no value.
    mutating func event(for value: JSONValue?) -> JSONObject? {
        let value = asText ? value.map { .string($0.propertyText) } : value
        if let lastReported, lastReported == value { return nil }
        lastReported = .some(value)
        var event: JSONObject = ["event": "property-change"]
        if id != 0 { event["id"] = .integer(id) }
        event["name"] = .string(name)
        event["data"] = value
        return event
    }
}
