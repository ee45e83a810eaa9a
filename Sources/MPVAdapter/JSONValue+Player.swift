internal import Control
internal import Media
internal import PlayerCore

// Conversions of the player's values for mpv's clients.

extension JSONValue {
    static func count(_ number: some BinaryInteger) -> JSONValue { .integer(Int64(number)) }

    static func nanoseconds(_ time: MediaTime) -> JSONValue { .integer(time.nanoseconds) }

    static func nanoseconds(_ time: MonotonicTime) -> JSONValue { .integer(time.nanoseconds) }

    /// A film time in seconds.
    static func seconds(_ time: MediaTime) -> JSONValue { .double(time.inSeconds) }

    static func keysAndValues(_ words: [String: String]) -> JSONValue {
        .array(words.sorted { $0.key < $1.key }.map { ["key": .string($0.key), "value": .string($0.value)] })
    }
}

extension Chapter {
    var json: JSONValue {
        var json: JSONObject = ["time": .seconds(start)]
        json["title"] = title.map { .string($0) }
        return .object(json)
    }
}

extension ShownFrame {
    var json: JSONValue { .array([time.map { .nanoseconds($0) } ?? .null, .nanoseconds(shownAt)]) }
}

/// The form of mpv's `loop-file` and `loop-playlist`.
extension Repetition {
    var json: JSONValue {
        switch self {
        case .none: .bool(false)
        case .times(let count): .count(count)
        case .forever: .string("inf")
        }
    }

    /// Parses `loop-file`, the number of repetitions.
    init(_ value: JSONValue) throws(MPVError) {
        try self.init(value, from: 0)
    }

    /// The value of `loop-playlist`, the number of plays.
    var jsonOfPlays: JSONValue {
        if case .times(let count) = self { .count(count + 1) } else { json }
    }

    init(ofPlays value: JSONValue) throws(MPVError) {
        try self.init(value, from: 1)
    }

    /// - Parameter first: the number for no repetition.
    private init(_ value: JSONValue, from first: Double) throws(MPVError) {
        switch value {
        case .string("inf"), .string("yes"), .string("force"), .bool(true): self = .forever
        case .string("no"), .bool(false): self = .none
        default:
            let count = Int(try value.number(in: first...10000) - first)
            self = count == 0 ? .none : .times(count)
        }
    }
}

extension TrackPreference {
    /// The value of `alang` and `slang`.
    var json: JSONValue {
        guard case .languages(let tags) = self else { return [] }
        return .array(tags.map { .string($0.description) })
    }

    /// Parses `alang` and `slang`: a list, or text with commas.
    init(languages value: JSONValue, otherwise: TrackPreference) throws(MPVError) {
        let text: String
        if case .array(let values) = value {
            var words: [String] = []
            for value in values { words.append(try value.text()) }
            text = words.joined(separator: ",")
        } else {
            text = try value.text()
        }
        if text.isEmpty {
            self = otherwise
        } else {
            guard let tags = LanguageTag.list(text) else { throw .unsupportedPropertyFormat }
            self = .languages(tags)
        }
    }
}
