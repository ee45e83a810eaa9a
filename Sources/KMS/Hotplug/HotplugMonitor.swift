internal import UEvents

/// Reports that displays may have been connected, removed or changed, from the kernel's events: no udev needed.
///
/// The event does not say what happened: call `Display.currentState()` or `Display.pollConnected(_:)`. One plug causes
/// several events, on HDMI over some 100 ms.
public final class HotplugMonitor: Sendable {
    private let monitor: UEventMonitor

    /// An element for each event since the last one was taken; several become one. For one consumer. Ends when the
    /// monitor is released.
    public var events: AsyncStream<Void> { monitor.events }

    /// Listens from now on, on a queue of its own.
    /// - Throws: `systemCall` if the kernel gives no such socket (a container without its permission).
    public init() throws(KMSError) {
        do throws(UEventMonitor.Failure) {
            monitor = try UEventMonitor(\.isAboutDisplays)
        } catch {
            throw .failed(error.operation, on: UEventMonitor.Failure.socketName, code: error.code)
        }
    }
}
