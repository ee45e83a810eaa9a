/// A parsed text with mpv's `${...}`: the properties that it names, and the result once they are read.
struct PropertyExpansion: Sendable {
    /// The result of reading a property.
    enum Reading: Sendable {
        case value(JSONValue)
        case unavailable
        case failed
    }

    private enum Part: Sendable {
        case text(String.UnicodeScalarView)
        /// `${...` up to the colon or the brace.
        case opening(Expression, hasFallback: Bool)
        case closing
    }

    private struct Expression: Sendable {
        enum Condition: Sendable { case met, unmet }

        var name: String
        var condition: Condition?
        var isRaw: Bool
        /// The text that the value is compared with.
        var wanted: String?

        init(_ text: Substring) {
            var rest = text
            switch rest.first {
            case "?": condition = .met
            case "!": condition = .unmet
            default: condition = nil
            }
            if condition != nil { rest.removeFirst() }
            isRaw = rest.first == "="
            // `>` asks for a constant width, which no value needs here.
            if isRaw || rest.first == ">" { rest.removeFirst() }
            if condition != nil, let equals = rest.firstRange(of: "==") {
                wanted = String(rest[equals.upperBound...])
                rest = rest[..<equals.lowerBound]
            }
            name = String(rest)
        }
    }

    private let parts: [Part]

    /// The properties that the text names.
    var names: Set<String> {
        var names: Set<String> = []
        for case .opening(let expression, _) in parts { names.insert(expression.name) }
        return names
    }

    init(_ text: String) {
        var parts: [Part] = []
        var literal = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        let lastBrace = rest.lastIndex(of: "}")
        var level = 0
        func endLiteral() {
            guard !literal.isEmpty else { return }
            parts.append(.text(literal))
            literal = String.UnicodeScalarView()
        }
        func take(_ word: String) -> Bool {
            guard rest.starts(with: word.unicodeScalars) else { return false }
            rest.removeFirst(word.unicodeScalars.count)
            return true
        }
        while let first = rest.first {
            if level > 0, take("}") {
                endLiteral()
                parts.append(.closing)
                level -= 1
            } else if let lastBrace, rest.startIndex < lastBrace, take("${") {
                endLiteral()
                level += 1
                let name = rest.prefix { $0 != ":" && $0 != "}" }
                rest = rest[name.endIndex...]
                parts.append(.opening(Expression(Substring(name)), hasFallback: take(":")))
            } else if level == 0, take("$>") {
                literal.append(contentsOf: rest)
                break
            } else if take("$$") {
                literal.append("$")
            } else if take("$}") {
                literal.append("}")
            } else {
                literal.append(first)
                rest.removeFirst()
            }
        }
        endLiteral()
        self.parts = parts
    }

    /// The longest result: a few bytes may name a long list many times.
    static let bound = 1 << 20

    /// - Returns: `nil` if it is too long.
    func text(_ readings: [String: Reading]) -> String? {
        var text = ""
        // The level at which the part that is left out started, if one is.
        var skipped: Int?
        var level = 0
        for part in parts {
            switch part {
            case .text(let literal): if skipped == nil { text.unicodeScalars.append(contentsOf: literal) }
            case .opening(let expression, let hasFallback):
                level += 1
                guard skipped == nil else { break }
                let reading = readings[expression.name] ?? .failed
                if Self.expand(expression, reading, hasFallback, into: &text) { skipped = level }
            case .closing:
                if let start = skipped, level <= start { skipped = nil }
                level -= 1
            }
            guard text.utf8.count <= Self.bound else { return nil }
        }
        return text
    }

    /// - Returns: whether the text up to the closing brace is left out.
    private static func expand(
        _ expression: Expression, _ reading: Reading, _ hasFallback: Bool, into text: inout String
    ) -> Bool {
        var value: String?
        if case .value(let json) = reading {
            value = expression.isRaw ? json.propertyText : json.printed(as: expression.name)
        }
        if let condition = expression.condition {
            let isMet = if let wanted = expression.wanted { value == wanted } else { value != nil }
            return isMet != (condition == .met)
        }
        if let value {
            text += value
            return true
        }
        if !hasFallback, !expression.isRaw {
            if case .unavailable = reading { text += "(unavailable)" } else { text += "(error)" }
        }
        return false
    }
}

extension JSONValue {
    private static let times: Set<String> = [
        "time-pos", "playback-time", "time-remaining", "playtime-remaining", "duration",
    ]

    /// The property's value in mpv's form for people: times as hours, minutes and seconds, numbers without needless
    /// zeros.
    func printed(as name: String) -> String {
        switch self {
        case .integer(let integer) where Self.times.contains(name): Self.clock(Double(integer))
        case .double(let double) where double.isFinite:
            switch name {
            case _ where Self.times.contains(name): Self.clock(double)
            case "percent-pos", "volume": Self.decimal(double, places: 0)
            case "speed": Self.decimal(double, places: 2)
            default: Self.decimal(double, places: 4)
            }
        case .object(let object) where name == "metadata":
            object.members.map { "\($0.key): \($0.value.propertyText)\n" }.joined()
        case .array(let elements) where elements.allSatisfy(\.isString):
            elements.map(\.propertyText).joined(separator: ",")
        default: propertyText
        }
    }

    private var isString: Bool { if case .string = self { true } else { false } }

    private static func clock(_ seconds: Double) -> String {
        guard let whole = Int64(exactly: seconds.magnitude.rounded(.towardZero)) else { return "\(seconds)" }
        let fields = [whole / 3600, whole / 60 % 60, whole % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return (seconds < 0 ? "-" : "") + fields.joined(separator: ":")
    }

    private static func decimal(_ number: Double, places: Int) -> String {
        let scale = [1.0, 10, 100, 1000, 10_000][places]
        var text = ((number * scale).rounded(.toNearestOrEven) / scale).sixDecimals
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}
