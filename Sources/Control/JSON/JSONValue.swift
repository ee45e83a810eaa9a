/// One JSON value of mpv's IPC.
///
/// Integers and doubles are distinct in output, because mpv prints `1` for one and `1.000000` for the other. In input a
/// number without a fraction (`1`, `1.0`, `1e2`) is an ``integer(_:)``.
public enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

// Not by nil: in place of an optional value, `nil` would silently become `null`.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSONValue: ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements))
    }
}
