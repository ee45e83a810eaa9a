public import FoundationEssentials

extension JSONValue: Codable {
    /// - Throws: `DecodingError` also for NaN and infinity, which JSON5 allows and mpv does not.
    public init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: JSONKey.self) {
            // Foundation does not keep the document's order: sorted, so that an echo is the same each time.
            let keys = object.allKeys.sorted { $0.stringValue < $1.stringValue }
            self = .object(
                JSONObject(try keys.map { ($0.stringValue, try object.decode(JSONValue.self, forKey: $0)) }))
            return
        }
        if var array = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !array.isAtEnd { elements.append(try array.decode(JSONValue.self)) }
            self = .array(elements)
            return
        }
        let scalar = try decoder.singleValueContainer()
        if scalar.decodeNil() {
            self = .null
        } else if let bool = try? scalar.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? scalar.decode(Int64.self) {
            self = .integer(integer)
        } else if let double = try? scalar.decode(Double.self) {
            guard double.isFinite else {
                throw DecodingError.dataCorruptedError(in: scalar, debugDescription: "\(double) is no JSON number")
            }
            self = .double(double)
        } else {
            self = .string(try scalar.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let object):
            var container = encoder.container(keyedBy: JSONKey.self)
            for (key, value) in object.members { try container.encode(value, forKey: JSONKey(key)) }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let bool): try container.encode(bool)
            case .integer(let integer): try container.encode(integer)
            case .double(let double): try container.encode(double)
            case .string(let string): try container.encode(string)
            case .null, .array, .object: try container.encodeNil()
            }
        }
    }
}

extension JSONValue {
    /// Parses one value from UTF-8 text. Like mpv's parser it accepts unquoted keys, trailing commas and hexadecimal
    /// numbers (JSON5).
    ///
    /// - Throws: `DecodingError`, also if there is more than one value.
    public init(jsonText: Data) throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        self = try decoder.decode(JSONValue.self, from: jsonText)
    }
}

private struct JSONKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ string: String) { stringValue = string }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
