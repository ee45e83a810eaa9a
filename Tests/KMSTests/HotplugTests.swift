import KMS
import Testing

@Suite("The kernel's messages about displays (N7)")
struct HotplugTests {
    @Test("The kernel's events can be listened to, and the listener ends with its owner")
    func monitor() async throws {
        var monitor: HotplugMonitor? = try HotplugMonitor()
        let events = try #require(monitor?.events)
        monitor = nil
        for await _ in events {}
    }
}
