import PlayerCore
import Testing

@testable import Media

/// The routes of PipeWire's sinks.
struct PipeWireTests {
    private func route(_ properties: [String: String], name: String? = "Foyer") -> SoundRoute? {
        PipeWire.route(DeviceProvider.Device(kind: "Audio/Sink", name: name, properties: properties))
    }

    @Test(
        arguments: [
            (["node.name": "bluez_output.00_11", "device.api": "bluez5"], .bluetooth),
            (["node.name": "raop_sink.foyer", "node.network": "true"], .network),
            // Debian 12's.
            (["node.name": "raop_sink.foyer"], .network),
            (["node.name": "raop-sink-245-32"], .network),
            (["node.name": "null"], .virtual),
        ] as [([String: String], SoundRoute.Kind)])
    func `a sink has the kind that its properties say`(properties: [String: String], kind: SoundRoute.Kind) throws {
        let found = try #require(route(properties))
        #expect(found.kind == kind && found.name == "Foyer" && found.isUsable)
        #expect(found.id == "pipewire/\(properties["node.name"] ?? "")")
    }

    @Test func `a sound card is ALSA's, and a sink without a node is none`() {
        #expect(route(["node.name": "alsa_output.0", "device.api": "alsa"]) == nil)
        #expect(route(["device.api": "bluez5"]) == nil)
    }

    @Test func `the server plays externally if the sink may be that it chooses`() {
        func sink(_ node: String, isDefault: Bool?) -> DeviceProvider.Device {
            DeviceProvider.Device(
                kind: "Audio/Sink", name: node, properties: ["node.name": node], isDefault: isDefault)
        }
        func playsExternally(_ foyer: Bool?, _ hall: Bool?) -> Bool {
            PipeWire.playsExternally([sink("raop_sink.foyer", isDefault: foyer), sink("hall", isDefault: hall)])
        }
        #expect(playsExternally(true, false))
        #expect(!playsExternally(false, true))
        // Unknown: PipeWire before 1.4, or before the server has chosen.
        #expect(playsExternally(nil, nil) && playsExternally(false, false))
        #expect(!PipeWire.playsExternally([sink("hall", isDefault: nil)]) && !PipeWire.playsExternally([]))
    }

    @Test func `a sink without a name for people has its node's`() {
        #expect(route(["node.name": "hall"], name: nil)?.name == "hall")
    }
}
