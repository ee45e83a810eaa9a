import Glibc
import Synchronization
import Testing

@testable import VitrineProgram

/// The manager's end of the socket, as systemd has it.
private final class Listener {
    let name: String
    private let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)

    init(_ name: String) {
        self.name = name
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = (name.hasPrefix("@") ? [0] : [UInt8(ascii: "/")]) + name.utf8.dropFirst()
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
        #expect(isBound)
    }

    deinit {
        close(descriptor)
        if name.hasPrefix("/") { unlink(name) }
    }

    /// The received notification; "" if there is none.
    func hear() -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
    }

    /// The next notification; waits for it, 20 s at most.
    func wait() -> String {
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
    }

    func manager(_ others: [String: String] = [:]) -> ServiceManager? {
        let variables = others.merging(["NOTIFY_SOCKET": name]) { first, _ in first }
        return ServiceManager { variables[$0] }
    }
}

/// sd_notify(3)
struct ServiceManagerTests {
    @Test(arguments: ["/tmp/vitrine-test-notify-\(getpid())", "@vitrine-test-notify-\(getpid())"])
    func `notifications arrive at a path and at an abstract address`(name: String) throws {
        let listener = Listener(name)
        let manager = try #require(listener.manager())
        manager.ready()
        #expect(listener.hear() == "READY=1")
        manager.keepWatchdogQuiet()
        #expect(listener.hear() == "WATCHDOG=1")
        manager.status("playing a\nb")
        #expect(listener.hear() == "STATUS=playing a b")
        manager.status("playing a\nb")
        #expect(listener.hear() == "", "the same status is sent once")
        manager.stopping()
        #expect(listener.hear().split(separator: "\n").first == "STOPPING=1")
    }

    @Test func `the watchdog is this process's or none`() {
        let listener = Listener("@vitrine-test-watchdog-\(getpid())")
        #expect(listener.manager()?.watchdog == nil)
        #expect(listener.manager(["WATCHDOG_USEC": "3000000"])?.watchdog == .seconds(3))
        #expect(listener.manager(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "\(getpid())"])?.watchdog == .seconds(3))
        #expect(listener.manager(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"])?.watchdog == nil)
        #expect(listener.manager(["WATCHDOG_USEC": "0"])?.watchdog == nil)
        #expect(listener.manager(["WATCHDOG_USEC": "soon"])?.watchdog == nil)
    }

    @Test func `a start that loads for long asks for more time, and for all of it afterwards`() async throws {
        let listener = Listener("@vitrine-test-long-\(getpid())")
        let manager = try #require(listener.manager())
        let loaded = Mutex<(@Sendable () -> Void)?>(nil)
        manager.extendStart(every: .milliseconds(10), atMost: 1000) { end in loaded.withLock { $0 = end } }
        for _ in 1...3 { #expect(listener.wait() == "EXTEND_TIMEOUT_USEC=30000") }
        loaded.withLock { $0 }?()
        var last = listener.wait()
        while last == "EXTEND_TIMEOUT_USEC=30000" { last = listener.wait() }
        #expect(last == "EXTEND_TIMEOUT_USEC=90000000")
        manager.ready()
        #expect(listener.wait() == "READY=1", "it is not asked for any longer")
    }

    @Test func `a start that hangs stops asking, and one that is short does not begin`() throws {
        let listener = Listener("@vitrine-test-hangs-\(getpid())")
        let manager = try #require(listener.manager())
        manager.extendStart(every: .milliseconds(10), atMost: 2) { _ in }
        for _ in 1...2 { #expect(listener.wait() == "EXTEND_TIMEOUT_USEC=30000") }
        manager.extendStart(every: .milliseconds(500), atMost: 1000) { end in end() }
        // Twice as long as either would take.
        usleep(1_000_000)
        #expect(listener.hear() == "")
    }

    @Test func `a start that is broken off asks for no more time`() throws {
        let listener = Listener("@vitrine-test-broken-off-\(getpid())")
        let manager = try #require(listener.manager())
        let loaded = Mutex<(@Sendable () -> Void)?>(nil)
        manager.extendStart(every: .milliseconds(10), atMost: 1000) { end in loaded.withLock { $0 = end } }
        #expect(listener.wait() == "EXTEND_TIMEOUT_USEC=30000")
        manager.stopping()
        var last = listener.wait()
        while last == "EXTEND_TIMEOUT_USEC=30000" { last = listener.wait() }
        #expect(last == "STOPPING=1\nSTATUS=stopping")
        loaded.withLock { $0 }?()
        usleep(100_000)
        #expect(listener.hear() == "")
    }

    @Test func `without a manager nothing is sent, and a manager that left does no harm`() throws {
        #expect(ServiceManager { _ in nil } == nil)
        #expect(ServiceManager { $0 == "NOTIFY_SOCKET" ? "relative" : nil } == nil)
        #expect(ServiceManager { _ in "/" + String(repeating: "x", count: 200) } == nil)
        let manager = try #require(ServiceManager { $0 == "NOTIFY_SOCKET" ? "/nowhere/notify" : nil })
        manager.ready()
        manager.keepWatchdogQuiet()
    }
}
