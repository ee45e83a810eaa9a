/// The arguments of a command as they came: in order, or by name.
struct CommandInput {
    private var positional: ArraySlice<JSONValue> = []
    private var named = JSONObject()

    init(positional: ArraySlice<JSONValue>) { self.positional = positional }
    init(named: JSONObject) { self.named = named }

    /// The next argument, or the one called `name`.
    mutating func take(_ name: String) -> JSONValue? {
        if let next = positional.popFirst() { return next }
        defer { named[name] = nil }
        return named[name]
    }

    /// Whether every argument was taken.
    var isEmpty: Bool { positional.isEmpty && named.members.isEmpty }
}
