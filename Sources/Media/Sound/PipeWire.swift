internal import Dispatch
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
    private let connection: ServerConnection
    /// `nil` if GStreamer's plugin is missing: loudspeakers cannot be listed then.
    private let provider: DeviceProvider?
    private let watch: BusWatch?

    /// Connects to a server. Blocks for about 10 ms, and while GStreamer starts. May block for ever if the server ends
    /// meanwhile, or accepts connections without answering.
    private init?(_ connection: ServerConnection) {
        guard (try? GStreamer.start()) != nil else { return nil }
        let provider = DeviceProvider("pipewiredeviceprovider")
        if let provider, !provider.connect(by: ServerConnection.descriptor()) { return nil }
        self.connection = connection
        self.provider = provider
        let (events, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.events = events
        watch = provider?.bus.map { bus in
            BusWatch(bus, on: DispatchQueue(label: "vitrine.pipewire")) {
                while bus.pop() != nil {}
                continuation.yield()
            }
        }
        connection.whenLost {
            continuation.yield()
            continuation.finish()
        }
        provider?.start()
    }

    deinit { provider?.abandon() }

    /// Searches for the server of this user. `nil` if there is none, or it ends before it has answered. Waits for a server that runs and does not answer.
    public static func find() async -> PipeWire? {
        await withCheckedContinuation { continuation in
            let answer = FirstAnswer<PipeWire?>(continuation)
            DispatchQueue.forBlocking("vitrine.pipewire.search").async {
                guard let connection = ServerConnection() else { return answer.give(nil) }
                connection.whenLost { answer.give(nil) }
                answer.give(PipeWire(connection))
            }
        }
    }

    /// The routes of the server that runs; empty if there is none, or it does not answer in time. Its thread is then abandoned.
    public static func routes(within limit: Duration) -> [SoundRoute] {
        let (end, found) = (DispatchGroup(), FoundRoutes())
        DispatchQueue.forBlocking("vitrine.pipewire.routes").async(group: end) {
            let routes = ServerConnection().flatMap { PipeWire($0) }?.routes ?? []
            found.routes.withLock { $0 = routes }
        }
        guard end.wait(timeout: .now() + .nanoseconds(Int(limit.inNanoseconds))) == .success else { return [] }
        return found.routes.withLock { $0 }
    }

    private final class FoundRoutes: Sendable {
        let routes = Mutex<[SoundRoute]>([])
    }

    /// Whether the server has ended. Another one may run by now.
    public var isLost: Bool { connection.isLost }

    /// This machine's routes and the server's. ALSA's default is external if PipeWire receives its sound, unless the server's sinks are
    /// known and none that it chooses is external. Reads ALSA's configuration if there is a default in it.
    /// - Parameter cards: ALSA's routes.
    public static func complete(_ cards: [SoundRoute], with server: PipeWire?) -> [SoundRoute] {
        var routes = cards
        for place in routes.indices where routes[place].kind == .configured {
            let isServers = ALSA.playsIntoServer(routes[place].device)
            routes[place].isExternal = isServers && server?.playsExternally ?? true
        }
        return routes + (server?.routes ?? [])
    }

    private var playsExternally: Bool {
        guard !isLost, let provider else { return true }
        return Self.playsExternally(provider.devices.filter { $0.kind == "Audio/Sink" })
    }

    /// Whether the sink that PipeWire chooses may be external. GStreamer's plugin says which one it is since PipeWire 1.4.
    static func playsExternally(_ sinks: [DeviceProvider.Device]) -> Bool {
        let chosen = sinks.filter { $0.isDefault == true }
        return (chosen.isEmpty ? sinks : chosen).contains { route($0)?.isExternal ?? false }
    }

    /// The server's sinks without sound cards, which ALSA lists. The sink that PipeWire chooses comes first.
    public var routes: [SoundRoute] {
        guard !isLost else { return [] }
        guard let provider else {
            // ALSA can play into the server.
            return ALSA.playsIntoServer(SoundRoute.server.device) ? [.server] : []
        }
        return [.server] + provider.devices.filter { $0.kind == "Audio/Sink" }.compactMap { Self.route($0) }
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
