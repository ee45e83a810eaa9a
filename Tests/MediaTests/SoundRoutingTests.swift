import PlayerCore
import Testing

@testable import Media

/// Which device is replaced by silence.
struct SoundRoutingTests {
    private func routing(_ devices: [String], forbidden: Set<String>) -> SoundRouting {
        var routing = SoundRouting()
        routing.begin(with: "speaker")
        routing.places.first.set(devices)
        routing.forbidden = forbidden
        return routing
    }

    @Test func `a forbidden device is not heard, without another one either`() {
        #expect(routing([], forbidden: ["speaker"]).isForbidden)
        #expect(!routing([], forbidden: []).isForbidden)
        #expect(!routing(["speaker"], forbidden: ["other"]).isForbidden)
    }

    @Test func `another device is tried before silence`() {
        var routing = routing(["card"], forbidden: ["speaker"])
        #expect(!routing.isForbidden && routing.better(at: .first) == ["card"])
        routing.places.first.failed = ["card"]
        #expect(routing.isForbidden)
        routing.places.first.current = nil
        #expect(!routing.isForbidden)
    }
}
