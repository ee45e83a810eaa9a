internal import Dispatch
internal import Glibc

/// Reports the kernel's messages about devices directly: no udev needed.
///
/// `@unchecked Sendable` because a dispatch source may be cancelled on any thread, and it is not used otherwise.
public final class UEventMonitor: @unchecked Sendable {
    /// An element for each time that a wanted message arrived since the last element was taken; several become one. For
    /// one consumer. Ends when the monitor is released.
    public let events: AsyncStream<Void>
    private let source: any DispatchSourceRead

    /// Why there is no monitor: a container may lack the permission.
    public struct Failure: Error {
        /// The system call.
        public var operation: String
        /// errno
        public var code: Int32

        public static let socketName = "socket(AF_NETLINK, NETLINK_KOBJECT_UEVENT)"
    }

    /// Listens from now on, on a queue of its own.
    public init(_ isWanted: @escaping @Sendable (UEvent) -> Bool) throws(Failure) {
        let type = CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_NETLINK, type, Self.uevents)
        guard descriptor >= 0 else { throw Failure(operation: "open", code: errno) }
        var address = Address(groups: Self.kernelGroup)
        let size = socklen_t(MemoryLayout<Address>.size)
        let isBound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
        guard isBound else {
            let code = errno
            close(descriptor)
            throw Failure(operation: "bind", code: code)
        }
        let (events, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.events = events
        let queue = DispatchQueue(label: "org.vitrine.uevents")
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            if Self.drain(descriptor, isWanted) { continuation.yield() }
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
    /// The kernel's own messages; group 2 is udev's.
    private static let kernelGroup: UInt32 = 1
    /// A uevent has at most 2048 bytes of fields (UEVENT_BUFFER_SIZE), preceded by its path.
    private static let longest = 8192

    /// sockaddr_nl of linux/netlink.h.
    private struct Address {
        var family = UInt16(AF_NETLINK)
        var padding: UInt16 = 0
        var port: UInt32 = 0
        var groups: UInt32
    }

    /// Reads all messages that have arrived.
    /// - Returns: whether any of them is wanted.
    private static func drain(_ descriptor: CInt, _ isWanted: (UEvent) -> Bool) -> Bool {
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
                // Messages were lost, and a wanted one may be among them.
                if errno == ENOBUFS {
                    found = true
                    continue
                }
                return found
            }
            // Port 0 is the kernel: a program could send to this socket, too.
            if sender.port == 0, UEvent(bytes[..<count]).map(isWanted) == true { found = true }
        }
    }
}
