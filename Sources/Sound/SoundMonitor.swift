internal import UEvents

/// Reports that routes may have appeared, vanished or changed: list them again with `SoundRoutes.all()`.
public final class SoundMonitor: Sendable {
    private let monitor: UEventMonitor

    /// An element for each time that something happened since the last one was taken; several become one. For one
    /// consumer. Ends when the monitor goes.
    public var events: AsyncStream<Void> { monitor.events }

    /// Listens to the kernel's messages about sound cards and displays. `nil` where it sends this program none.
    public init?() {
        guard let monitor = try? UEventMonitor({ $0.isAboutSound || $0.isAboutDisplays }) else { return nil }
        self.monitor = monitor
    }
}
