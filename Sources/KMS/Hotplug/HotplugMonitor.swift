internal import UEvents

/// Reports that displays may have come, gone or changed, as the kernel tells it: no udev needed.
///
/// What happened is not said: look with `Display.currentState()` or `Display.pollConnected(_:)`. One plug makes several
/// events, on HDMI over some 100 ms.
public final class HotplugMonitor: Sendable {
    private let monitor: UEventMonitor

    /// An element for each time that something happened since the last one was taken; several become one. For one
    /// consumer. Ends when the monitor goes.
    public var events: AsyncStream<Void> { monitor.events }

    /// Listens from now on, on a queue of its own.
    /// - Throws: `systemCall` where the kernel gives no such socket (a container without its permission).
    public init() throws(KMSError) {
        do throws(UEventMonitor.Failure) {
            monitor = try UEventMonitor(\.isAboutDisplays)
        } catch {
            throw .failed(error.operation, on: UEventMonitor.Failure.socketName, code: error.code)
        }
    }
}
