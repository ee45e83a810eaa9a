/// A client's request: a command for the player, or one that the server itself runs.
enum CommandRequest: Sendable, Equatable {
    case run(MPVCommand)
    case set(property: String, value: String)
    case expandText(String)
    /// To every client, the sender too.
    case scriptMessage([String])
    case scriptMessageTo(client: String, [String])
    /// A property's name, optionally preceded by `!reverse`, and the values.
    case cycleValues([String])
    case changeList(property: String, operation: String, value: String)
    /// A command with property names in its texts, which are read when it runs.
    case unexpanded(UnexpandedCommand)
}

/// A command whose texts are to be expanded.
struct UnexpandedCommand: Sendable, Equatable {
    var name: String
    var input: CommandInput
    /// The texts as received.
    var texts: [String]
}

/// One command: its name, its arguments, and its request.
struct CommandSpecification: Sendable {
    let name: String
    /// For `command-list`.
    let description: JSONValue
    let shapes: [ArgumentShape]
    let parse: @Sendable (CommandInput) throws(MPVError) -> CommandRequest

    init<each Value: Sendable>(
        _ name: String, _ argument: repeat Argument<each Value>,
        make: @escaping @Sendable (repeat each Value) -> CommandRequest
    ) {
        self.name = name
        var arguments: [JSONValue] = []
        var shapes: [ArgumentShape] = []
        // Not `for argument in repeat each argument`: Swift 6.2.3 as Debian builds it fails on that with -O.
        repeat arguments.append((each argument).description)
        repeat shapes.append((each argument).shape)
        self.shapes = shapes
        description = [
            "name": .string(name), "args": .array(arguments), "vararg": .bool(shapes.contains { $0.takesRest }),
        ]
        parse = { input throws(MPVError) in
            var input = input
            let values = try (repeat (each argument).value(from: &input))
            guard input.isEmpty else { throw .invalidParameter }
            return make(repeat each values)
        }
    }
}
