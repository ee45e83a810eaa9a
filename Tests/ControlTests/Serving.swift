import Control
import FoundationEssentials
import Testing

/// A directory that is removed with its test.
struct TemporaryDirectory: ~Copyable {
    let path: String

    init() throws {
        path = "/tmp/control-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Runs `body` with a server on a socket of its own, then stops the server.
func serving(
    _ player: FakePlayer = FakePlayer(), _ body: (String, FakePlayer) async throws -> Void
) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/control.sock"
    let server = try IPCServer(path: path)
    let running = Task { try await server.run(player) }
    do {
        try await body(path, player)
    } catch {
        running.cancel()
        throw error
    }
    running.cancel()
    try await running.value
}

/// A connected client that the server already serves, so that it is notified of everything from now on.
func connected(_ path: String) async throws -> LineClient {
    let client = try LineClient(path)
    _ = try await client.ask(#"{"command":["get_version"]}"#)
    return client
}

let success = #"{"request_id":0,"error":"success"}"#
