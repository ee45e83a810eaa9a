internal import CVideoSink
internal import Dispatch
internal import Glibc
public import PlayerCore
internal import Synchronization

/// The sinks of this machine's PipeWire server: loudspeakers by Bluetooth and on networks.
///
/// GStreamer's PipeWire plugin follows the registry. Films play through the ALSA plugin (pipewire-alsa), whose clock is the
/// loudspeaker's, like any card's.
///
/// `@unchecked Sendable` because all fields are constants and GStreamer's objects lock for themselves.
public final class PipeWire: @unchecked Sendable {
    /// Yields once for all sinks that appeared or vanished since the last element. For one consumer. Ends with the server,
    /// after one more element.
    public let events: AsyncStream<Void>
    private let provider: DeviceProvider
    private let watch: BusWatch
    private let lifeline: Lifeline

    /// Connects to the server. Blocks for about 10 ms, and while GStreamer starts. Blocks for ever if the server accepts the
    /// connection without answering.
    ///
    /// `nil` if no PipeWire runs for this user, or GStreamer's plugin (gstreamer1.0-pipewire) is missing.
    public init?() {
        guard let lifeline = Lifeline(to: Self.sockets), (try? GStreamer.start()) != nil,
            let provider = DeviceProvider("pipewiredeviceprovider"), let bus = provider.bus,
            provider.connect(by: Lifeline.connected(to: Self.sockets))
        else { return nil }
        self.provider = provider
        self.lifeline = lifeline
        let (events, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.events = events
        watch = BusWatch(bus, on: DispatchQueue(label: "vitrine.pipewire")) {
            while bus.pop() != nil {}
            continuation.yield()
        }
        lifeline.whenLost {
            vitrine_server_end()
            continuation.yield()
            continuation.finish()
        }
        provider.start()
    }

    deinit { provider.abandon() }

    /// The routes of the server that runs; empty if there is none, or it does not answer in time. Its thread is then abandoned.
    public static func routes(within limit: Duration) -> [SoundRoute] {
        let (end, found) = (DispatchGroup(), FoundRoutes())
        DispatchQueue.forBlocking("vitrine.pipewire.routes").async(group: end) {
            let routes = PipeWire()?.routes ?? []
            found.routes.withLock { $0 = routes }
        }
        guard end.wait(timeout: .now() + .nanoseconds(Int(limit.inNanoseconds))) == .success else { return [] }
        return found.routes.withLock { $0 }
    }

    private final class FoundRoutes: Sendable {
        let routes = Mutex<[SoundRoute]>([])
    }

    /// Possible paths of the server's socket, of this session or of the system.
    private static var sockets: [String] {
        func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        let folders = [value("PIPEWIRE_RUNTIME_DIR"), value("XDG_RUNTIME_DIR"), "/run/pipewire"].compactMap { $0 }
        let name = value("PIPEWIRE_REMOTE") ?? "pipewire-0"
        return name.hasPrefix("/") ? [name] : folders.map { "\($0)/\(name)" }
    }

    private static let pcms = Mutex<Set<String>>([])

    /// Notes whether PipeWire receives the sound of an ALSA PCM that is being opened: ALSA's default may be PipeWire's. May block.
    static func examine(_ device: String) -> Bool {
        guard vitrine_pcm_is_servers(device) else { return false }
        pcms.withLock { _ = $0.insert(device) }
        return true
    }

    /// Whether PipeWire receives the sound of an ALSA PCM. Only PCMs that a film has opened are known.
    public static func receives(_ device: String) -> Bool { pcms.withLock { $0.contains(device) } }

    /// Whether the server has ended. Another one may run by now.
    public var isLost: Bool { lifeline.isLost }

    /// The server's sinks without sound cards, which ALSA lists. The sink that PipeWire chooses comes first.
    public var routes: [SoundRoute] {
        guard !isLost else { return [] }
        return [SoundRoute.server] + provider.devices.filter { $0.kind == "Audio/Sink" }.compactMap { Self.route($0) }
    }

    /// - Returns: `nil` for a sound card.
    static func route(_ device: DeviceProvider.Device) -> SoundRoute? {
        let interface = device.properties["device.api"]
        guard let node = device.properties["node.name"], interface != "alsa" else { return nil }
        let kind: SoundRoute.Kind =
            switch (interface, device.properties["node.network"]) {
            case ("bluez5", _): .bluetooth
            case (_, "true"): .network
            // Debian 12's PipeWire does not set the property, and names the nodes that it finds by mDNS "raop-sink-245-32".
            case _ where node.hasPrefix("raop_sink.") || node.hasPrefix("raop-sink-"): .network
            default: .virtual
            }
        return SoundRoute(node: node, name: device.name ?? node, kind: kind)
    }
}

/// An idle connection that reports the server's end, because its sinks do not.
///
/// `@unchecked Sendable` because all fields are constants and Dispatch's sources lock for themselves.
private final class Lifeline: @unchecked Sendable {
    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private let hasEnded = Atomic(false)

    /// `nil` if no server listens at any of these sockets.
    init?(to paths: [String]) {
        guard let descriptor = Self.connected(to: paths) else { return nil }
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "vitrine.lifeline"))
        source.setCancelHandler { close(descriptor) }
    }

    deinit {
        source.activate()
        source.cancel()
    }

    var isLost: Bool { hasEnded.load(ordering: .acquiring) }

    func whenLost(_ report: @escaping @Sendable () -> Void) {
        source.setEventHandler { [weak self] in
            guard let self else { return }
            // A server that sends data is alive.
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count == 0 || count < 0 && errno != EAGAIN && errno != EINTR else { return }
            hasEnded.store(true, ordering: .releasing)
            source.cancel()
            report()
        }
        source.activate()
    }

    /// Connects to the first socket at which a server listens.
    static func connected(to paths: [String]) -> Int32? { paths.lazy.compactMap { connected(to: $0) }.first }

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
