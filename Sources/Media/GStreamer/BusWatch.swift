internal import CGStreamer
internal import Dispatch

/// Tells a serial queue that a bus has messages, until it is dropped.
///
/// It holds the bus until Dispatch has let go of the bus's descriptor, some time after: closed before, its number could
/// by then be another bus's, which nobody would hear.
final class BusWatch {
    private let source: any DispatchSourceRead

    /// `hasMessages` is called on `queue`.
    init(_ bus: UnsafeMutablePointer<GstBus>, on queue: DispatchQueue, hasMessages: @escaping () -> Void) {
        var poll = GPollFD()
        gst_bus_get_pollfd(bus, &poll)
        source = DispatchSource.makeReadSource(fileDescriptor: Int32(poll.fd), queue: queue)
        gst_object_ref(bus)
        source.setEventHandler(handler: hasMessages)
        source.setCancelHandler { gst_object_unref(bus) }
        source.activate()
    }

    deinit { source.cancel() }
}
