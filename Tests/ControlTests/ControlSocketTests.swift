import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import Control

private final class Count: Sendable {
    let holders = Atomic(0)
    let overlaps = Atomic(0)
}

@Suite("The socket") struct ControlSocketTests {
    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }

    @Test("has mode 0600 and is gone with the server, as its lock is")
    func ownerOnly() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        do {
            let server = try IPCServer(path: path)
            #expect(mode(path) == S_IFSOCK | 0o600)
            #expect(mode(path + ".lock") == S_IFREG | 0o600)
            #expect(server.path == path)
        }
        #expect(mode(path) == nil)
        #expect(mode(path + ".lock") == nil)
    }

    @Test("a client that connects before the server runs is answered when it does")
    func early() async throws {
        let directory = try TemporaryDirectory()
        let server = try IPCServer(path: directory.path + "/s")
        let client = try LineClient(server.path)
        try await client.send(#"{"command":["client_name"]}"#)
        let running = Task { try await server.run(FakePlayer()) }
        #expect(try await client.line().contains("ipc_0"))
        running.cancel()
        try await running.value
        #expect(try await client.hasEnded)
        #expect(mode(server.path) == nil)
    }

    @Test("stopping answers the command that runs, then ends")
    func stopping() async throws {
        let directory = try TemporaryDirectory()
        let server = try IPCServer(path: directory.path + "/s")
        let player = FakePlayer()
        player.closeGate("last words")
        let running = Task { try await server.run(player) }
        let client = try await connected(server.path)
        let asking = try await connected(server.path)
        try await client.send(#"{"command":["show-text","last words"]}"#)
        while player.commands.isEmpty { _ = try await asking.ask(#"{"command":["client_name"]}"#) }
        running.cancel()
        #expect(try await asking.hasEnded)
        player.openGate("last words")
        #expect(try await client.line() == #"{"data":null,"request_id":0,"error":"success"}"#)
        #expect(try await client.hasEnded)
        try await running.value
    }

    @Test("stopping does not wait for a client that does not read")
    func stoppingDeaf() async throws {
        let directory = try TemporaryDirectory()
        let server = try IPCServer(path: directory.path + "/s")
        let player = FakePlayer()
        player["media-title"] = .string(String(repeating: "x", count: 900_000))
        let running = Task { try await server.run(player) }
        let deaf = try await connected(server.path)
        let reads = player.reads
        try await deaf.send(#"{"command":["get_property","media-title"]}"#)
        let asking = try await connected(server.path)
        while player.reads == reads { _ = try await asking.ask(#"{"command":["client_name"]}"#) }
        running.cancel()
        try await running.value
        #expect(try await deaf.bytesUntilEnd() < 900_000)
    }

    @Test("a server runs once")
    func once() async throws {
        let directory = try TemporaryDirectory()
        let server = try IPCServer(path: directory.path + "/s")
        let running = Task { try await server.run(FakePlayer()) }
        running.cancel()
        try await running.value
        await #expect(throws: IPCServerError.notListening(path: server.path)) { try await server.run(FakePlayer()) }
    }

    @Test("a socket that nobody listens on is replaced")
    func stale() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        try bindAndForget(path)
        #expect(mode(path) != nil)
        let server = try IPCServer(path: path)
        #expect(mode(path) == S_IFSOCK | 0o600)
        _ = try LineClient(server.path)
    }

    @Test("a socket that somebody listens on is left alone")
    func live() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        let server = try IPCServer(path: path)
        #expect(throws: IPCServerError.alreadyServed(path: path)) { try IPCServer(path: path) }
        _ = try LineClient(server.path)
    }

    @Test("a socket whose server does not listen yet is left alone")
    func betweenBindAndListen() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        try #require(flock(lock, LOCK_EX) == 0)
        try bindAndForget(path)
        #expect(throws: IPCServerError.alreadyServed(path: path)) { try IPCServer(path: path) }
        #expect(mode(path) != nil)
        // The server dies.
        try #require(flock(lock, LOCK_UN) == 0)
        let server = try IPCServer(path: path)
        try withExtendedLifetime(server) { _ = try LineClient(path) }
    }

    @Test("of servers that start at once one serves, and the others get an error")
    func race() async throws {
        let directory = try TemporaryDirectory()
        for round in 0..<300 {
            let path = directory.path + "/\(round)"
            // Half of the rounds find the remains of a dead server.
            if round.isMultiple(of: 2) { try bindAndForget(path) }
            let servers = await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask { Result { () throws(IPCServerError) in try IPCServer(path: path) } }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let serving = servers.compactMap { try? $0.get() }
            try #require(serving.count == 1, "round \(round)")
            for case .failure(let error) in servers { #expect(error == .alreadyServed(path: path)) }
            try withExtendedLifetime(servers) { _ = try LineClient(path) }
        }
    }

    @Test("of locks that follow one another at once no two are held")
    func preloading() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        let count = Count()
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<5000 {
                        guard let lock = try? ControlLock(socket: path) else { continue }
                        if count.holders.add(1, ordering: .relaxed).newValue > 1 {
                            count.overlaps.add(1, ordering: .relaxed)
                        }
                        sched_yield()
                        count.holders.subtract(1, ordering: .relaxed)
                        _ = consume lock
                    }
                }
            }
        }
        #expect(count.overlaps.load(ordering: .relaxed) == 0)
        #expect(mode(path + ".lock") == nil)
    }

    @Test("what is no lock is left alone")
    func notALock() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        try Data("mine".utf8).write(to: URL(filePath: path + ".lock"))
        #expect(throws: IPCServerError.notALock(path: path + ".lock")) { try IPCServer(path: path) }
        #expect(try Data(contentsOf: URL(filePath: path + ".lock")) == Data("mine".utf8))
        try FileManager.default.removeItem(atPath: path + ".lock")
        try #require(mkfifo(path + ".lock", 0o600) == 0)
        #expect(throws: IPCServerError.notALock(path: path + ".lock")) { try IPCServer(path: path) }
        try FileManager.default.removeItem(atPath: path + ".lock")
        try #require(symlink(path, path + ".lock") == 0)
        #expect(throws: IPCServerError.lockFailed(path: path + ".lock", errno: ELOOP)) { try IPCServer(path: path) }
    }

    @Test("what is no socket is left alone")
    func notASocket() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        try Data("mine".utf8).write(to: URL(filePath: path))
        #expect(throws: IPCServerError.notASocket(path: path)) { try IPCServer(path: path) }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
    }

    @Test("a link to a socket is no socket")
    func link() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        try bindAndForget(directory.path + "/other")
        #expect(symlink(directory.path + "/other", path) == 0)
        #expect(throws: IPCServerError.notASocket(path: path)) { try IPCServer(path: path) }
        #expect(mode(directory.path + "/other") != nil)
    }

    @Test("a name that has become somebody else's is not removed")
    func replaced() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        do {
            let server = try IPCServer(path: path)
            #expect(rename(server.path, directory.path + "/kept") == 0)  // keeps the inode number in use
            try Data("mine".utf8).write(to: URL(filePath: path))
        }
        #expect(mode(path) != nil)
    }

    @Test("errors name the path and the remedy")
    func errors() throws {
        let directory = try TemporaryDirectory()
        let missing = directory.path + "/no/s"
        #expect(throws: IPCServerError.lockFailed(path: missing + ".lock", errno: ENOENT)) {
            try IPCServer(path: missing)
        }
        let long = directory.path + "/" + String(repeating: "x", count: 107)
        #expect(throws: IPCServerError.pathTooLong(path: long, limit: 107)) { try IPCServer(path: long) }
        let longest = directory.path + "/" + String(repeating: "x", count: 107 - directory.path.utf8.count - 1)
        _ = try IPCServer(path: longest)
        for error: IPCServerError in [
            .systemCall("bind", path: missing, errno: ENOENT), .pathTooLong(path: missing, limit: 107),
            .alreadyServed(path: missing), .notASocket(path: missing), .notListening(path: missing),
            .listenerFailed(path: missing, reason: "x"), .lockFailed(path: missing, errno: EROFS),
            .notALock(path: missing),
        ] {
            #expect(error.description.contains(missing))
            #expect(error.description.contains(#/(Create|Choose|choose|Make|Start)/#))
        }
        #expect(
            IPCServerError.systemCall("bind", path: missing, errno: ENOENT).description
                == "bind for the control socket \(missing) failed: No such file or directory (errno 2). "
                + "Create its directory, or choose another path.")
        #expect(
            IPCServerError.lockFailed(path: "/s.lock", errno: EROFS).description
                == "The lock file of the control socket, /s.lock, cannot be made: Read-only file system (errno 30). "
                + "Choose a path on a file system that can be written, such as /run.")
    }

    private func bindAndForget(_ path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
    }
}
