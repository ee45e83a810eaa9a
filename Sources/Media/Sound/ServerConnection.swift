internal import Dispatch
internal import Glibc
internal import Synchronization

/// An idle connection to the PipeWire server that runs. It reports the server's end, because neither sinks nor ALSA's PCMs do.
///
/// `@unchecked Sendable` because its references are constants, and Dispatch's sources lock for themselves.
final class ServerConnection: @unchecked Sendable {
    private let source: any DispatchSourceRead
    private let state = Mutex(State.open([]))

    private enum State {
        /// With the handlers of the end.
        case open([@Sendable () -> Void])
        case lost
    }

    /// `nil` if no server listens at any of these paths. Waits while a server has many other clients to accept.
    init?(to paths: [String] = ServerConnection.sockets) {
        guard let descriptor = Self.descriptor(to: paths) else { return nil }
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "vitrine.server-connection"))
        source.setCancelHandler { close(descriptor) }
        source.setEventHandler { [weak self] in self?.read(descriptor) }
        source.activate()
    }

    deinit { source.cancel() }

    /// Whether the server has ended. Another one may run by now.
    var isLost: Bool {
        state.withLock { if case .lost = $0 { true } else { false } }
    }

    /// Adds a handler of the server's end. It is called once, on any thread; at once if the server has ended.
    func whenLost(_ report: @escaping @Sendable () -> Void) {
        let isLost = state.withLock { state in
            guard case .open(let reports) = state else { return true }
            state = .open(reports + [report])
            return false
        }
        if isLost { report() }
    }

    private func read(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var count: Int
        // A server that sends data is alive. Dispatch does not report an end that arrives together with data.
        repeat { count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)) } while count > 0
        guard count == 0 || count < 0 && errno != EAGAIN && errno != EINTR else { return }
        source.cancel()
        let reports = state.withLock { state -> [@Sendable () -> Void] in
            defer { state = .lost }
            return if case .open(let reports) = state { reports } else { [] }
        }
        for report in reports { report() }
    }

    /// Connects to the server that runs, of this session or of the system. The caller owns the descriptor.
    static func descriptor(to paths: [String] = ServerConnection.sockets) -> Int32? {
        // A lazy `compactMap` would connect twice, and crash if a server ends in between.
        for path in paths {
            if let descriptor = connected(to: path) { return descriptor }
        }
        return nil
    }

    /// Possible paths of the server's socket.
    static var sockets: [String] {
        func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        let folders = [value("PIPEWIRE_RUNTIME_DIR"), value("XDG_RUNTIME_DIR"), "/run/pipewire"].compactMap { $0 }
        let name = value("PIPEWIRE_REMOTE") ?? "pipewire-0"
        return name.hasPrefix("/") ? [name] : folders.map { "\($0)/\(name)" }
    }

    private static func connected(to path: String) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
