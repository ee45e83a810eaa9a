/// One argument of a command: its name for commands in object form, its reader, and its default.
struct Argument<Value: Sendable>: Sendable {
    var name: String
    /// mpv's name of the type, for `command-list`.
    var type: String
    /// `nil` if the argument is required.
    var fallback: Value?
    /// Whether it takes all remaining arguments, as an array. A command with such an argument has no named form.
    var takesRest = false
    /// Whether an unreadable value is left to the argument that follows.
    var mayBeSkipped = false
    var parse: @Sendable (JSONValue) throws(MPVError) -> Value

    func value(from input: inout CommandInput) throws(MPVError) -> Value {
        if takesRest { return try parse(.array(try input.takeRest())) }
        if mayBeSkipped, let fallback, let next = input.next, !isReadable(next) { return fallback }
        guard let given = input.take(name) else {
            guard let fallback else { throw .invalidParameter }
            return fallback
        }
        return try parse(given)
    }

    private func isReadable(_ value: JSONValue) -> Bool {
        do {
            _ = try parse(value)
            return true
        } catch {
            return false
        }
    }

    var description: JSONValue {
        ["name": .string(name), "type": .string(type), "optional": .bool(fallback != nil)]
    }

    var shape: ArgumentShape { ArgumentShape(name: name, isText: type == "String", takesRest: takesRest) }
}

/// The properties of an argument that are needed to expand its text.
struct ArgumentShape: Sendable {
    var name: String
    var isText: Bool
    var takesRest: Bool
}

extension Argument where Value == [String] {
    /// All remaining strings.
    static func strings(_ name: String, atLeast least: Int = 0) -> Self {
        Self(name: name, type: "String", fallback: least == 0 ? [] : nil, takesRest: true) { value throws(MPVError) in
            guard case .array(let elements) = value, elements.count >= least else { throw .invalidParameter }
            var texts: [String] = []
            for element in elements {
                guard case .string(let text) = element else { throw .invalidParameter }
                texts.append(text)
            }
            return texts
        }
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
    static func integer(_ name: String, default fallback: Int32? = nil) -> Self {
        Self(name: name, type: "Integer", fallback: fallback) { value throws(MPVError) in
            try value.commandInteger()
        }
    }

    /// The index that mpv 0.38 has before `loadfile`'s options; clients of an older mpv have the options in its place.
    static let index: Self = {
        var argument = integer("index", default: -1)
        argument.mayBeSkipped = true
        return argument
    }()
}

extension Argument where Value == MPVPlaylistEntry {
    /// A place from 0 on, or one of these words.
    static func entry(
        _ name: String, words: [String: MPVPlaylistEntry], default fallback: MPVPlaylistEntry? = nil
    ) -> Self {
        Self(name: name, type: "Choice", fallback: fallback) { value throws(MPVError) in
            if case .string(let word) = value, let entry = words[word] { return entry }
            let number = try value.commandInteger()
            guard number >= 0 else {
                guard number == -1, words.values.contains(.nothing) else { throw .invalidParameter }
                return .nothing
            }
            return .place(Int(number))
        }
    }
}

extension JSONValue {
    fileprivate func commandInteger() throws(MPVError) -> Int32 {
        switch self {
        case .integer(let integer):
            if let number = Int32(exactly: integer) { return number }
        case .string(let text):
            if let number = CommandNumber.integer(text) { return number }
        default: break
        }
        throw .invalidParameter
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
    /// Words joined by `+`, or an array of them: at most one of each group, in any order.
    static func flags(_ name: String, groups: [[String]]) -> Self {
        Self(name: name, type: "Flags", fallback: []) { value throws(MPVError) in
            var words: [JSONValue]
            switch value {
            case .array(let elements): words = elements
            case .string(let text):
                words = text.split(separator: "+", omittingEmptySubsequences: false).map { .string(String($0)) }
                // As in mpv a sum may be empty or end in a plus, but no word may be missing before one.
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
