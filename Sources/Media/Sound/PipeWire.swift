internal import Dispatch
internal import Glibc
public import PlayerCore
internal import Synchronization

/// The PipeWire that runs on this machine, as far as sound goes into it: loudspeakers of Bluetooth and of networks. GStreamer's plugin
/// for it follows its registry. Films go there by ALSA's plugin (pipewire-alsa), whose clock is the loudspeaker's, as every card's is.
///
/// `@unchecked Sendable` because its references never change, and GStreamer's objects lock for themselves.
public final class PipeWire: @unchecked Sendable {
    /// An element for each time that a sink appeared or vanished since the last one was taken; several become one. For one consumer. It
    /// ends with the server, after one more element.
    public let events: AsyncStream<Void>
    private let provider: DeviceProvider
    private let watch: BusWatch
    private let lifeline: Lifeline

    /// Connects. Blocks for some 10 ms, and for the time that GStreamer takes to start; for ever with a server that takes connections and
    /// does not answer.
    ///
    /// `nil` where no PipeWire runs for this user, or a plugin for it is missing: GStreamer's (gstreamer1.0-pipewire), ALSA's (pipewire-alsa).
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
            continuation.yield()
            continuation.finish()
        }
        provider.start()
    }

    deinit { provider.abandon() }

    /// Where its socket may be: of this session, or of the whole system.
    private static var sockets: [String] {
        func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        let folders = [value("PIPEWIRE_RUNTIME_DIR"), value("XDG_RUNTIME_DIR"), "/run/pipewire"].compactMap { $0 }
        let name = value("PIPEWIRE_REMOTE") ?? "pipewire-0"
        return name.hasPrefix("/") ? [name] : folders.map { "\($0)/\(name)" }
    }

    /// Whether it has ended: another one may have begun since.
    public var isLost: Bool { lifeline.isLost }

    /// Its sinks, except for sound cards, which are ALSA's; first that which PipeWire chooses by itself.
    public var routes: [SoundRoute] {
        guard !isLost else { return [] }
        return [SoundRoute.server] + provider.devices.filter { $0.kind == "Audio/Sink" }.compactMap { Self.route($0) }
    }

    private static func route(_ device: DeviceProvider.Device) -> SoundRoute? {
        let interface = device.properties["device.api"]
        guard let node = device.properties["node.name"], interface != "alsa" else { return nil }
        let kind: SoundRoute.Kind =
            switch (interface, device.properties["node.network"]) {
            case ("bluez5", _): .bluetooth
            case (_, "true"): .network
            // Debian 12's does not say so.
            case _ where node.hasPrefix("raop_sink."): .network
            default: .virtual
            }
        return SoundRoute(node: node, name: device.name ?? node, kind: kind)
    }
}

/// A connection to a server that nothing is said on: it ends with the server, which its sinks do not report.
///
/// `@unchecked Sendable` because its source never changes, and Dispatch's sources lock for themselves.
private final class Lifeline: @unchecked Sendable {
    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private let hasEnded = Atomic(false)

    /// `nil` where nobody listens at any of these sockets.
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
            // A server that says something is alive.
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count == 0 || count < 0 && errno != EAGAIN && errno != EINTR else { return }
            hasEnded.store(true, ordering: .releasing)
            source.cancel()
            report()
        }
        source.activate()
    }

    /// The first of them that somebody listens at.
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
