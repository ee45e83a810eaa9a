/// The members of a JSON object, in the order in which they were set: mpv's replies have a fixed order, and so have
/// Vitrine's.
public struct JSONObject: Sendable {
    /// Keys and values in order; each key occurs once.
    public private(set) var members: [(key: String, value: JSONValue)] = []

    public init() {}

    /// An object of `members`; if a key occurs more than once the last value counts.
    public init(_ members: [(String, JSONValue)]) {
        // Not by the subscript: a client may send a hundred thousand of them.
        var places: [String: Int] = [:]
        for (key, value) in members {
            if let place = places[key] {
                self.members[place].value = value
            } else {
                places[key] = self.members.count
                self.members.append((key, value))
            }
        }
    }

    /// The value of `key`. Setting `nil` removes the member.
    public subscript(key: String) -> JSONValue? {
        get { members.first { $0.key == key }?.value }
        set {
            let index = members.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append((key, value))
            case (nil, nil): break
            }
        }
    }
}

extension JSONObject: Equatable {
    /// Whether the members are equal, in any order.
    public static func == (left: Self, right: Self) -> Bool {
        let values = Dictionary(uniqueKeysWithValues: right.members)
        return left.members.count == right.members.count && left.members.allSatisfy { values[$0.key] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
