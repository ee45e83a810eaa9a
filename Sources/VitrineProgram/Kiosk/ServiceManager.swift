import Glibc
import PlayerCore
import Synchronization

/// systemd, or another service manager with its protocol (sd_notify(3)): datagrams to a socket that it names. No
/// library is needed, and failed notifications are ignored.
///
/// Any thread; never blocks.
final class ServiceManager: Sendable {
    /// The longest silence that the manager allows; `nil` for any.
    let watchdog: Duration?
    private let descriptor: Int32
    /// A path, or a name that begins with "@".
    private let address: [UInt8]
    private let status = Mutex("")
    /// Active while something delays the start.
    private let longStart = Mutex<LongStart?>(nil)

    /// `nil` without a manager.
    convenience init?() {
        self.init { getenv($0).map { String(cString: $0) } }
    }

    /// - Parameter variable: returns the value of an environment variable.
    init?(variable: (String) -> String?) {
        guard let socket = variable("NOTIFY_SOCKET"),
            socket.hasPrefix("/") || socket.hasPrefix("@"), socket.utf8.count < Self.room
        else { return nil }
        // The first byte of an abstract address is zero.
        address = (socket.hasPrefix("@") ? [0] : [UInt8(ascii: "/")]) + socket.utf8.dropFirst()
        let type = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        descriptor = Glibc.socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return nil }
        watchdog = Self.watchdog(variable)
    }

    deinit {
        close(descriptor)
    }

    /// Reports that the first frame, or a message in its place, is on the screen.
    func ready() { notify("READY=1") }

    /// Must be called within each `watchdog`: the manager ends a service that is silent for longer.
    func keepWatchdogQuiet() { notify("WATCHDOG=1") }

    /// Asks for more start time (`TimeoutStartSec=`) while something is loaded, and afterwards for the 90 s that the
    /// unit gives a start with nothing to load. For ten minutes at most: a start that hangs must be restarted.
    ///
    /// - Parameter isLoaded: gets a closure to call, once, from any thread, when loading is done.
    func extendStart(until isLoaded: (@escaping @Sendable () -> Void) -> Void) {
        extendStart(every: .seconds(5), atMost: 120, until: isLoaded)
    }

    func extendStart(
        every period: Duration, atMost limit: Int, until isLoaded: (@escaping @Sendable () -> Void) -> Void
    ) {
        let start = LongStart(every: period, atMost: limit) { time in
            self.notify("EXTEND_TIMEOUT_USEC=\(time.inNanoseconds / 1000)")
        }
        longStart.withLock { $0 = start }
        isLoaded { self.endLongStart { $0.end(leaving: .seconds(90)) } }
    }

    private func endLongStart(_ end: (LongStart) -> Void) {
        let start = longStart.withLock { start in
            defer { start = nil }
            return start
        }
        if let start { end(start) }
    }

    func stopping() {
        endLongStart { $0.cancel() }
        notify("STOPPING=1\nSTATUS=stopping")
    }

    /// Sets the line of `systemctl status`; sent only when it changes.
    func status(_ text: String) {
        let isNews = status.withLock { status in
            defer { status = text }
            return status != text
        }
        if isNews { notify("STATUS=\(text.split(whereSeparator: \.isNewline).joined(separator: " "))") }
    }

    private static let room = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

    private static func watchdog(_ variable: (String) -> String?) -> Duration? {
        guard let text = variable("WATCHDOG_USEC"), let microseconds = Int64(text), microseconds > 0 else { return nil }
        // Meant for another process, whose variables this one inherited.
        if let process = variable("WATCHDOG_PID"), Int32(process) != getpid() { return nil }
        return .microseconds(microseconds)
    }

    private func notify(_ text: String) {
        var to = sockaddr_un()
        to.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &to.sun_path) { $0.copyBytes(from: address) }
        // A path's length may include its terminating zero, an abstract name's must not.
        let size = socklen_t(MemoryLayout<sa_family_t>.size + address.count)
        let bytes = Array(text.utf8)
        _ = withUnsafePointer(to: &to) { to in
            to.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, size)
            }
        }
    }
}
