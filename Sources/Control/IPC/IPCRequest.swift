import FoundationEssentials

/// One line from a client.
enum IPCLine: Sendable, Equatable {
    /// A JSON object: always answered.
    case request(IPCRequest)
    /// Commands as text: run, and never answered.
    case text([CommandRequest])

    init(_ line: some Collection<UInt8>) {
        // mpv treats a line as JSON if it starts with a brace.
        guard line.first(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) == UInt8(ascii: "{") else {
            self = .text(CommandText.parse(String(decoding: line, as: UTF8.self)))
            return
        }
        self = .request(IPCRequest(try? JSONValue(jsonText: Data(line))))
    }
}

/// A request with the id that its answer carries.
struct IPCRequest: Sendable, Equatable {
    /// Any value, echoed unchanged; 0 if there was none or the line could not be read.
    var id: JSONValue = 0
    /// Whether later requests of the client need not wait for this command.
    var isAsync = false
    var verb: Result<IPCVerb, MPVError> = .failure(.invalidParameter)

    /// Parses a decoded line; `nil` is one that could not be decoded.
    init(_ line: JSONValue?) {
        guard case .object(let object)? = line else { return }
        switch object["async"] {
        case .bool(let flag): isAsync = flag
        case nil: break
        // mpv checks this before it reads the id.
        default: return
        }
        id = object["request_id"] ?? 0
        do {
            verb = .success(try IPCVerb(object["command"]))
        } catch {
            verb = .failure(error)
        }
    }
}

/// The verb of a request.
enum IPCVerb: Sendable, Equatable {
    case getProperty(String, asText: Bool)
    case setProperty(String, JSONValue)
    case observeProperty(id: Int64, name: String, asText: Bool)
    case unobserveProperty(id: Int64)
    case setEvents(Set<String>, enabled: Bool)
    /// Ends messages that never started: the player's log is not sent over the socket.
    case endLogMessages
    case clientName
    case version
    case time
    case command(CommandRequest)

    private static let logLevels: Set<String> = [
        "fatal", "error", "warn", "info", "v", "debug", "trace", "terminal-default",
    ]

    init(_ command: JSONValue?) throws(MPVError) {
        switch command {
        case .object(let object): self = .command(try CommandTable.parse(object))
        case .array(let words): try self.init(words)
        default: throw .invalidParameter
        }
    }

    private init(_ words: [JSONValue]) throws(MPVError) {
        guard case .string(let name)? = words.first else { throw .invalidParameter }
        switch (name, words.count, words.dropFirst().first, words.dropFirst(2).first) {
        case ("get_property", 2, .string(let property)?, _):
            self = .getProperty(property, asText: false)
        case ("get_property_string", 2, .string(let property)?, _):
            self = .getProperty(property, asText: true)
        case ("set_property", 3, .string(let property)?, let value?),
            ("set_property_string", 3, .string(let property)?, let value?):
            self = .setProperty(property, value)
        case ("observe_property", 3, .integer(let id)?, .string(let property)?):
            self = .observeProperty(id: id, name: property, asText: false)
        case ("observe_property_string", 3, .integer(let id)?, .string(let property)?):
            self = .observeProperty(id: id, name: property, asText: true)
        case ("unobserve_property", 2, .integer(let id)?, _):
            self = .unobserveProperty(id: id)
        case ("enable_event", 2, .string(let event)?, _), ("disable_event", 2, .string(let event)?, _):
            guard event == "all" || MPVEvent.names.contains(event) else { throw .invalidParameter }
            self = .setEvents(event == "all" ? MPVEvent.names : [event], enabled: name == "enable_event")
        case ("request_log_messages", 2, .string("no")?, _): self = .endLogMessages
        case ("request_log_messages", 2, .string(let level)?, _) where Self.logLevels.contains(level):
            throw .notImplemented
        case ("client_name", _, _, _): self = .clientName
        case ("get_version", _, _, _): self = .version
        case ("get_time_us", _, _, _): self = .time
        default:
            // The verbs above are not in the table: with wrong arguments they fail there too.
            self = .command(try CommandTable.parse(words))
        }
    }
}
