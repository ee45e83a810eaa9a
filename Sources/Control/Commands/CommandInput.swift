/// The arguments of a command as received: in order, or by name.
struct CommandInput: Sendable, Equatable {
    private var positional: ArraySlice<JSONValue> = []
    private var named = JSONObject()
    private var isNamed = false

    init(positional: ArraySlice<JSONValue>) { self.positional = positional }

    init(named: JSONObject) {
        self.named = named
        isNamed = true
    }

    /// The next of the arguments in order.
    var next: JSONValue? { positional.first }

    /// The next argument, or the one called `name`.
    mutating func take(_ name: String) -> JSONValue? {
        if let next = positional.popFirst() { return next }
        defer { named[name] = nil }
        return named[name]
    }

    /// All remaining arguments in order.
    mutating func takeRest() throws(MPVError) -> [JSONValue] {
        guard !isNamed else { throw .invalidParameter }
        defer { positional = [] }
        return Array(positional)
    }

    /// Whether every argument was taken.
    var isEmpty: Bool { positional.isEmpty && named.members.isEmpty }

    /// The texts among the arguments.
    func texts(_ shapes: [ArgumentShape]) -> [String] {
        var texts: [String] = []
        _ = mapTexts(shapes) { text in
            texts.append(text)
            return text
        }
        return texts
    }

    /// The same arguments with other texts.
    func mapTexts(_ shapes: [ArgumentShape], _ transform: (String) -> String) -> CommandInput {
        var input = self
        for (place, index) in positional.indices.enumerated() {
            let shape = place < shapes.count ? shapes[place] : shapes.last { $0.takesRest }
            guard shape?.isText == true, case .string(let text) = positional[index] else { continue }
            input.positional[index] = .string(transform(text))
        }
        for shape in shapes where shape.isText {
            if case .string(let text)? = named[shape.name] { input.named[shape.name] = .string(transform(text)) }
        }
        return input
    }
}
