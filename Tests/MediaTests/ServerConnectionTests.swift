import Foundation
import Glibc
import Testing

@testable import Media

@Suite("The connection that notices a sound server's end")
struct ServerConnectionTests {
    /// A server's socket.
    private final class Server {
        let path = FileManager.default.temporaryDirectory.appending(path: "server-\(UUID().uuidString.prefix(8))").path
        private let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        private var client: Int32?

        init() throws {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let isBound = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                }
            }
            try #require(isBound && listen(listener, 4) == 0)
        }

        func accept(saying text: String) {
            let client = Glibc.accept(listener, nil, nil)
            _ = Array(text.utf8).withUnsafeBytes { send(client, $0.baseAddress, $0.count, 0) }
            self.client = client
        }

        /// Whether a client waits to be accepted.
        var hasClient: Bool {
            var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, 0) == 1
        }

        func end() {
            if let client { close(client) }
            close(listener)
        }

        deinit { unlink(path) }
    }

    @Test(
        "Each handler is called once: at the end, or at once after it. What a server sends is no end",
        .timeLimit(.minutes(1)))
    func end() async throws {
        let server = try Server()
        let connection = try #require(ServerConnection(to: ["/nowhere", server.path]))
        server.accept(saying: "hello")
        #expect(!server.hasClient, "it connects once")
        let (ends, end) = AsyncStream.makeStream(of: Int.self)
        for number in [1, 2] { connection.whenLost { end.yield(number) } }
        // What the server has sent is read in the meantime, or before the end.
        #expect(!connection.isLost)
        server.end()
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == 1)
        #expect(await iterator.next() == 2)
        #expect(connection.isLost)
        connection.whenLost { end.yield(3) }
        #expect(await iterator.next() == 3)
        #expect(ServerConnection(to: [server.path]) == nil, "nobody listens any more")
    }

    @Test("An end that comes together with what the server sends is an end", .timeLimit(.minutes(1)))
    func endWithData() async throws {
        for _ in 0..<30 {
            let server = try Server()
            let connection = try #require(ServerConnection(to: [server.path]))
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            connection.whenLost { end.finish() }
            server.accept(saying: "hello")
            server.end()
            for await _ in ends {}
            #expect(connection.isLost)
        }
    }
}
