/// The order in which people number their films: by name, ignoring case, numbers by their value, so that film 2 comes
/// before film 10.
public enum NaturalOrder {
    /// Whether `first` precedes `second`; two different names are never equal.
    public static func precedes(_ first: String, _ second: String) -> Bool {
        isOrdered(first, second) ?? (first < second)
    }

    /// The same for names of films, whose extensions count last: "film.mp4" precedes "film 2.mp4".
    public static func filmPrecedes(_ first: String, _ second: String) -> Bool {
        isOrdered(stem(of: first), stem(of: second)) ?? precedes(first, second)
    }

    /// The name without its extension.
    private static func stem(of name: String) -> String {
        name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }

    /// `nil` if both have the same parts.
    private static func isOrdered(_ first: String, _ second: String) -> Bool? {
        var (left, right) = (parts(of: first)[...], parts(of: second)[...])
        while let one = left.popFirst() {
            guard let other = right.popFirst() else { return false }
            if one == other { continue }
            return switch (one, other) {
            case (.number(let one), .number(let other)):
                one.count == other.count ? one < other : one.count < other.count
            case (.number, .text): true
            case (.text, .number): false
            case (.text(let one), .text(let other)): one < other
            }
        }
        return right.isEmpty ? nil : true
    }

    private enum Part: Hashable {
        /// The digits without leading zeros, of any length.
        case number(String)
        case text(String)
    }

    private static func parts(of name: String) -> [Part] {
        var parts: [Part] = []
        var rest = name.lowercased()[...]
        while let first = rest.first {
            let isNumber = isDigit(first)
            let part = rest.prefix { isDigit($0) == isNumber }
            rest = rest.dropFirst(part.count)
            parts.append(isNumber ? .number(String(part.drop { $0 == "0" })) : .text(String(part)))
        }
        return parts
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
