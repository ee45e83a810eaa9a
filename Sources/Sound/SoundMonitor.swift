internal import UEvents

/// Reports that routes may have changed. `SoundRoutes.all()` then lists them again.
public final class SoundMonitor: Sendable {
    private let monitor: UEventMonitor

    /// Yields once for all changes since the last element. For one consumer. Ends with the monitor.
    public var events: AsyncStream<Void> { monitor.events }

    /// Listens to the kernel's uevents of sound cards and displays. `nil` if this program gets none.
    public init?() {
        guard let monitor = try? UEventMonitor({ $0.isAboutSound || $0.isAboutDisplays }) else { return nil }
        self.monitor = monitor
    }
}
