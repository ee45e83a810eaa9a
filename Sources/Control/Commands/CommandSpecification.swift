/// What a client asks for by name: a command of the player, or `set`, which is access to a property.
enum CommandRequest: Sendable, Equatable {
    case run(MPVCommand)
    case set(property: String, value: String)
}

/// One command: its name, its arguments, and what it becomes.
struct CommandSpecification: Sendable {
    let name: String
    /// For `command-list`.
    let description: JSONValue
    let parse: @Sendable (CommandInput) throws(MPVError) -> CommandRequest

    init<each Value: Sendable>(
        _ name: String, _ argument: repeat Argument<each Value>,
        make: @escaping @Sendable (repeat each Value) -> CommandRequest
    ) {
        self.name = name
        var arguments: [JSONValue] = []
        // Not `for argument in repeat each argument`: Swift 6.2.3 as Debian builds it fails on that with -O.
        repeat arguments.append((each argument).description)
        description = ["name": .string(name), "args": .array(arguments), "vararg": false]
        parse = { input throws(MPVError) in
            var input = input
            let values = try (repeat (each argument).value(from: &input))
            guard input.isEmpty else { throw .invalidParameter }
            return make(repeat each values)
        }
    }
}
