import Dispatch
import Glibc
import Synchronization

/// A client on the real socket. It blocks only a queue of its own.
final class LineClient: Sendable {
    /// Longer than any answer takes: a silent server fails the test instead of hanging it.
    private static let deadline = timeval(tv_sec: 60, tv_usec: 0)

    enum Failure: Error { case connect(errno: Int32), send(errno: Int32), receive(errno: Int32), ended }

    private let descriptor: CInt
    private let queue = DispatchQueue(label: "client")
    private let received = Mutex<[UInt8]>([])

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw Failure.connect(errno: errno)
        }
        var deadline = Self.deadline
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &deadline, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    deinit { close(descriptor) }

    /// Sends `line` with its line end.
    func send(_ line: String) async throws { try await send(bytes: Array((line + "\n").utf8)) }

    func send(bytes: [UInt8]) async throws {
        try await onQueue { [descriptor] in
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure.send(errno: errno) }
                sent += count
            }
        }
    }

    /// The next line. Throws ``Failure/ended`` when the server has closed the connection.
    func line() async throws -> String {
        try await onQueue { [self] in
            while true {
                let line: String? = received.withLock { bytes in
                    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
                    defer { bytes.removeFirst(end + 1) }
                    return String(decoding: bytes[..<end], as: UTF8.self)
                }
                if let line { return line }
                guard try receive() > 0 else { throw Failure.ended }
            }
        }
    }

    func ask(_ line: String) async throws -> String {
        try await send(line)
        return try await self.line()
    }

    /// Reads until the server closes the connection, and returns the number of bytes.
    func bytesUntilEnd() async throws -> Int {
        try await onQueue { [self] in
            while true {
                do {
                    if try receive() == 0 { break }
                } catch Failure.receive(errno: ECONNRESET) {
                    break  // closed with something of ours unread
                }
            }
            return received.withLock(\.count)
        }
    }

    /// Waits, without reading, until the server has closed the connection.
    func hangUp() async throws {
        try await onQueue { [descriptor] in
            var events = pollfd(fd: descriptor, events: 0, revents: 0)
            guard poll(&events, 1, Int32(Self.deadline.tv_sec) * 1000) == 1 else {
                throw Failure.receive(errno: ETIMEDOUT)
            }
        }
    }

    /// Waits for the server to close the connection; `false` if it sends a line instead.
    var hasEnded: Bool {
        get async throws {
            do {
                _ = try await line()
                return false
            } catch Failure.ended {
                return true
            } catch Failure.receive(errno: ECONNRESET) {
                return true
            }
        }
    }

    func closeSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    private func receive() throws -> Int {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count >= 0 else { throw Failure.receive(errno: errno) }
        received.withLock { $0 += chunk[..<count] }
        return count
    }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
