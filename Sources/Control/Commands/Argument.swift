/// One argument of a command: its name for commands in object form, how it is read, and what it is when left out.
struct Argument<Value: Sendable>: Sendable {
    var name: String
    /// mpv's name of the type, for `command-list`.
    var type: String
    /// `nil` where the argument is required.
    var fallback: Value?
    var parse: @Sendable (JSONValue) throws(MPVError) -> Value

    func value(from input: inout CommandInput) throws(MPVError) -> Value {
        guard let given = input.take(name) else {
            guard let fallback else { throw .invalidParameter }
            return fallback
        }
        return try parse(given)
    }

    var description: JSONValue {
        ["name": .string(name), "type": .string(type), "optional": .bool(fallback != nil)]
    }
}

extension Argument where Value == String {
    static func string(_ name: String) -> Self {
        Self(name: name, type: "String") { value throws(MPVError) in
            guard case .string(let text) = value else { throw .invalidParameter }
            return text
        }
    }
}

extension Argument where Value == Double {
    static func double(_ name: String, default fallback: Double? = nil) -> Self {
        number(name, type: "Double", default: fallback) { CommandNumber.double($0) }
    }

    static func time(_ name: String) -> Self {
        number(name, type: "Time", default: nil) { CommandNumber.time($0) }
    }

    private static func number(
        _ name: String, type: String, default fallback: Double?, parse: @escaping @Sendable (String) -> Double?
    ) -> Self {
        Self(name: name, type: type, fallback: fallback) { value throws(MPVError) in
            switch value {
            case .integer(let integer): return Double(integer)
            case .double(let double): return double
            case .string(let text):
                if let number = parse(text) { return number }
            default: break
            }
            throw .invalidParameter
        }
    }

    /// The step of `cycle`: `up`, `down`, or a number in text.
    static func step(_ name: String) -> Self {
        Self(name: name, type: "up|down", fallback: 1) { value throws(MPVError) in
            switch value {
            case .string("up"): return 1
            case .string("down"): return -1
            case .string(let text):
                if let number = CommandNumber.double(text) { return number }
            default: break
            }
            throw .invalidParameter
        }
    }
}

extension Argument where Value == Int32 {
    static func integer(_ name: String, default fallback: Int32) -> Self {
        Self(name: name, type: "Integer", fallback: fallback) { value throws(MPVError) in
            switch value {
            case .integer(let integer):
                if let number = Int32(exactly: integer) { return number }
            case .string(let text):
                if let number = CommandNumber.integer(text) { return number }
            default: break
            }
            throw .invalidParameter
        }
    }
}

extension Argument where Value: RawRepresentable<String> {
    /// One word of `Choice`'s raw values.
    static func choice(_ name: String, default fallback: Value) -> Self {
        Self(name: name, type: "Choice", fallback: fallback) { value throws(MPVError) in
            guard case .string(let word) = value, let choice = Value(rawValue: word) else {
                throw .invalidParameter
            }
            return choice
        }
    }
}

extension Argument where Value == Set<String> {
    /// Words joined by `+`, or an array of them: of each group at most one, in any order.
    static func flags(_ name: String, groups: [[String]]) -> Self {
        Self(name: name, type: "Flags", fallback: []) { value throws(MPVError) in
            var words: [JSONValue]
            switch value {
            case .array(let elements): words = elements
            case .string(let text):
                words = text.split(separator: "+", omittingEmptySubsequences: false).map { .string(String($0)) }
                // As in mpv a sum may be empty or end in a plus, but nothing may be missing before one.
                if words.last == "" { words.removeLast() }
            default: throw .invalidParameter
            }
            var chosen: Set<String> = []
            for word in words {
                guard case .string(let word) = word,
                    let group = groups.first(where: { $0.contains(word) }), chosen.isDisjoint(with: group)
                else { throw .invalidParameter }
                chosen.insert(word)
            }
            return chosen
        }
    }
}

extension Argument where Value == [String: String] {
    /// An object of strings, or `key=value,...` in text.
    static func keyValues(_ name: String) -> Self {
        Self(name: name, type: "Key/value list", fallback: [:]) { value throws(MPVError) in
            switch value {
            case .object(let object):
                var pairs: [String: String] = [:]
                for (key, value) in object.members {
                    guard case .string(let text) = value else { throw .invalidParameter }
                    pairs[key] = text
                }
                return pairs
            case .string(let text):
                guard let pairs = KeyValueList.parse(text) else { throw .invalidParameter }
                return pairs
            default: throw .invalidParameter
            }
        }
    }
}
