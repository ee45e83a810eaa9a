/// mpv's text form of a list of options: `a=1,b="x,y",c=[x,y],d=%3%x,y`.
enum KeyValueList {
    /// The pairs, or `nil` if an entry has no `=` or a quotation has no end.
    static func parse(_ text: String) -> [String: String]? {
        var pairs: [String: String] = [:]
        var rest = text.utf8[...]
        while !rest.isEmpty {
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let key = rest[..<equals]
            guard !key.isEmpty, !key.contains(UInt8(ascii: ",")) else { return nil }
            rest = rest[rest.index(after: equals)...]
            guard let value = takeValue(from: &rest), let key = String(key), let value = String(value) else {
                return nil
            }
            pairs[key] = value
            guard let next = rest.popFirst() else { break }
            guard next == UInt8(ascii: ",") else { return nil }
        }
        return pairs
    }

    private static func takeValue(from rest: inout Substring.UTF8View) -> Substring.UTF8View? {
        switch rest.first {
        case UInt8(ascii: "\""): return takeQuoted(from: &rest, until: UInt8(ascii: "\""))
        case UInt8(ascii: "["): return takeQuoted(from: &rest, until: UInt8(ascii: "]"))
        case UInt8(ascii: "%"):
            guard let digits = takeQuoted(from: &rest, until: UInt8(ascii: "%")).flatMap(String.init),
                let count = Int(digits), count >= 0, count <= rest.count
            else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        default:
            let value = rest.prefix { $0 != UInt8(ascii: ",") }
            rest = rest[value.endIndex...]
            return value
        }
    }

    /// The text between the first byte and the next `end`.
    private static func takeQuoted(from rest: inout Substring.UTF8View, until end: UInt8) -> Substring.UTF8View? {
        let body = rest.dropFirst()
        guard let close = body.firstIndex(of: end) else { return nil }
        rest = body[body.index(after: close)...]
        return body[..<close]
    }
}
