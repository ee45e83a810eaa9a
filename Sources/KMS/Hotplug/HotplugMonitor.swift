internal import Dispatch
internal import Glibc

/// Tells that displays may have come, gone or changed, as the kernel tells it: no udev needed.
///
/// What happened is not said: look with `Display.currentState()` or `Display.pollConnected(_:)`. One plug makes several
/// events, on HDMI over some 100 ms.
///
/// `@unchecked Sendable` because a dispatch source may be cancelled on any thread, and nothing else is done to it.
public final class HotplugMonitor: @unchecked Sendable {
    /// An element for each time that something happened since the last one was taken; several become one. For one
    /// consumer. Ends when the monitor goes.
    public let events: AsyncStream<Void>
    private let source: any DispatchSourceRead

    /// Listens from now on, on a queue of its own.
    /// - Throws: `systemCall` where the kernel gives no such socket (a container without its permission).
    public init() throws(KMSError) {
        let name = "socket(AF_NETLINK, NETLINK_KOBJECT_UEVENT)"
        let type = CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_NETLINK, type, Self.uevents)
        guard descriptor >= 0 else { throw .failed("open", on: name) }
        var address = Address(groups: Self.kernelGroup)
        let size = socklen_t(MemoryLayout<Address>.size)
        let isBound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
        guard isBound else {
            let code = errno
            close(descriptor)
            throw .failed("bind", on: name, code: code)
        }
        let (events, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.events = events
        let queue = DispatchQueue(label: "org.vitrine.hotplug")
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            if Self.drain(descriptor) { continuation.yield() }
        }
        source.setCancelHandler {
            close(descriptor)
            continuation.finish()
        }
        source.resume()
        self.source = source
    }

    deinit {
        source.cancel()
    }

    /// NETLINK_KOBJECT_UEVENT of linux/netlink.h.
    private static let uevents: CInt = 15
    /// What the kernel sends itself; group 2 is udev's.
    private static let kernelGroup: UInt32 = 1
    /// A uevent has at most 2048 bytes of fields (UEVENT_BUFFER_SIZE) and its path before them.
    private static let longest = 8192

    /// sockaddr_nl of linux/netlink.h.
    private struct Address {
        var family = UInt16(AF_NETLINK)
        var padding: UInt16 = 0
        var port: UInt32 = 0
        var groups: UInt32
    }

    /// Reads what is there; whether any of it is about displays.
    private static func drain(_ descriptor: CInt) -> Bool {
        var found = false
        var bytes = [UInt8](repeating: 0, count: longest)
        while true {
            var sender = Address(groups: 0)
            var size = socklen_t(MemoryLayout<Address>.size)
            let count = withUnsafeMutablePointer(to: &sender) { sender in
                sender.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(descriptor, &bytes, longest, 0, $0, &size)
                }
            }
            if count < 0 {
                if errno == EINTR { continue }
                // Events were lost, which may have been about displays.
                if errno == ENOBUFS {
                    found = true
                    continue
                }
                return found
            }
            // Port 0 is the kernel: a program could send to this socket too.
            if sender.port == 0, UEvent(bytes[..<count])?.isAboutDisplays == true { found = true }
        }
    }
}
