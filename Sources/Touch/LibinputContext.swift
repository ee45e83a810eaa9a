internal import CInput
import Glibc

/// The one owner of a libinput context on udev's backend and of everything that it points to.
///
/// Not thread-safe, as libinput is not: one thread or serial queue at a time.
final class LibinputContext {
    let handle: OpaquePointer
    let callbacks: ContextCallbacks
    private let udev: OpaquePointer
    // libinput keeps these two pointers for its whole life.
    private let interface: UnsafeMutablePointer<libinput_interface>
    private let owner: UnsafeMutablePointer<cinput_owner>

    /// Opens the seat's panels; their DEVICE_ADDED events are queued.
    init(seat: String, log: TouchLog) throws(TouchError) {
        guard let udev = udev_new() else { throw .udev(errno: errno) }
        let callbacks = ContextCallbacks(udev: udev, log: log)
        let interface = UnsafeMutablePointer<libinput_interface>.allocate(capacity: 1)
        interface.initialize(
            to: libinput_interface(
                open_restricted: { node, flags, owner in
                    guard let node, let callbacks = LibinputContext.callbacks(owner) else { return -EINVAL }
                    return callbacks.open(String(cString: node), flags: flags)
                },
                close_restricted: { descriptor, owner in
                    LibinputContext.callbacks(owner)?.close(descriptor)
                }))
        let owner = UnsafeMutablePointer<cinput_owner>.allocate(capacity: 1)
        owner.initialize(
            to: cinput_owner(
                object: Unmanaged.passUnretained(callbacks).toOpaque(),
                log: { object, priority, text in
                    guard let object, let text else { return }
                    Unmanaged<ContextCallbacks>.fromOpaque(object).takeUnretainedValue()
                        .write(priority, String(cString: text))
                }))
        guard let handle = libinput_udev_create_context(interface, owner, udev) else {
            let number = errno
            interface.deallocate()
            owner.deallocate()
            udev_unref(udev)
            throw .context(errno: number)
        }
        self.handle = handle
        self.callbacks = callbacks
        self.udev = udev
        self.interface = interface
        self.owner = owner
        libinput_log_set_priority(handle, log.level.priority)
        cinput_log_to_owner(handle)
        guard libinput_udev_assign_seat(handle, seat) == 0 else { throw .seat(seat) }
    }

    deinit {
        // First, because it closes its devices through the interface.
        libinput_unref(handle)
        interface.deallocate()
        owner.deallocate()
        udev_unref(udev)
    }

    /// Reads the devices and passes each event to `body`; the event is destroyed afterwards.
    func dispatch(_ body: (OpaquePointer) -> Void) throws(TouchError) {
        var status: Int32
        repeat { status = libinput_dispatch(handle) } while status == -EINTR
        while let event = libinput_get_event(handle) {
            body(event)
            libinput_event_destroy(event)
        }
        guard status == 0 else { throw .dispatch(errno: -status) }
    }

    private static func callbacks(_ owner: UnsafeMutableRawPointer?) -> ContextCallbacks? {
        guard let object = owner?.assumingMemoryBound(to: cinput_owner.self).pointee.object else { return nil }
        return Unmanaged<ContextCallbacks>.fromOpaque(object).takeUnretainedValue()
    }
}
