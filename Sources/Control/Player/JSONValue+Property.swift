// Reads clients' values as mpv 0.35 does: text is parsed, a wrong type is an access error, text or a number out of
// range has an unsupported format.
extension JSONValue {
    /// A flag: `true`, `false`, `"yes"`, `"no"`; empty text is yes.
    public func flag() throws(MPVError) -> Bool {
        switch self {
        case .bool(let flag): return flag
        case .string("yes"), .string(""): return true
        case .string("no"): return false
        case .string: throw .unsupportedPropertyFormat
        default: throw .errorAccessingProperty
        }
    }

    /// A number, or text that is one.
    public func number(in range: ClosedRange<Double> = -.infinity ... .infinity) throws(MPVError) -> Double {
        try checked(in: range) { CommandNumber.double($0) }
    }

    /// Seconds: a number, or text that is one or a time such as `1:30` or `00:01:30.5`.
    public func time() throws(MPVError) -> Double {
        try checked(in: -.infinity ... .infinity) { CommandNumber.time($0) }
    }

    /// A string.
    public func text() throws(MPVError) -> String {
        guard case .string(let text) = self else { throw .errorAccessingProperty }
        return text
    }

    private func checked(
        in range: ClosedRange<Double>, parse: (String) -> Double?
    ) throws(MPVError) -> Double {
        let number: Double
        switch self {
        case .integer(let integer): number = Double(integer)
        case .double(let double): number = double
        case .string(let text):
            guard let parsed = parse(text) else { throw .unsupportedPropertyFormat }
            number = parsed
        default: throw .errorAccessingProperty
        }
        guard range.contains(number) else { throw .unsupportedPropertyFormat }
        return number
    }

    /// The value in the form of `get_property_string`: bare text, `yes` and `no`, everything else as JSON.
    var propertyText: String {
        switch self {
        case .string(let text): text
        case .bool(let flag): flag ? "yes" : "no"
        default: jsonText
        }
    }

    /// Whether a client's text means this value.
    func isWritten(_ text: String) -> Bool {
        switch self {
        case .integer(let integer): CommandNumber.double(text) == Double(integer)
        case .double(let double): CommandNumber.double(text) == double
        default: propertyText == text
        }
    }

    /// The result of `change-list` on a list of words.
    func changed(by operation: String, _ value: String) throws(MPVError) -> JSONValue {
        guard case .array(var words) = self, words.allSatisfy({ if case .string = $0 { true } else { false } }) else {
            throw .errorRunningCommand
        }
        let item = JSONValue.string(value)
        let items = value.isEmpty ? [] : value.split(separator: ",").map { JSONValue.string(String($0)) }
        switch operation {
        case "set": words = items
        case "append": words.append(item)
        case "add": words += items
        case "pre": words = items + words
        case "clr": words = []
        case "remove": words.removeAll { $0 == item }
        case "toggle": if words.contains(item) { words.removeAll { $0 == item } } else { words.append(item) }
        default: throw .errorRunningCommand
        }
        return .array(words)
    }

    /// The value below this one at `path`, split at its slashes: keys of objects, indices of arrays, `count`.
    /// - Throws: ``MPVError/propertyNotFound``, ``MPVError/errorAccessingProperty``.
    public func value(at path: ArraySlice<Substring>) throws(MPVError) -> JSONValue {
        guard let step = path.first else { return self }
        let next: JSONValue?
        switch self {
        case .array(let elements):
            if step == "count" {
                next = .integer(Int64(elements.count))
            } else {
                next = Int(step).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            }
        case .object(let object): next = object[String(step)]
        default: throw .errorAccessingProperty
        }
        guard let next else { throw .propertyNotFound }
        return try next.value(at: path.dropFirst())
    }
}
