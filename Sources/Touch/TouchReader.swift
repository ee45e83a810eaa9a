internal import CInput
public import Dispatch
import Glibc
public import PlayerCore
import Synchronization

/// Reads the seat's touch panels through libinput and reports the fingers.
///
/// Panels are udev's touchscreens (`ID_INPUT_TOUCHSCREEN`), of any name; they may be added and removed.
///
/// All members, including `init`, belong to the one serial queue given to it; only `news` may be consumed anywhere. It
/// owns the libinput context, whose devices close when the object is released.
public final class TouchReader {
    /// The panels' reports, in order, for one consumer. Panels that exist at the start are reported first.
    ///
    /// While the consumer is busy, every start and end of a touch waits for it, and the newest motion of each finger.
    /// The stream ends after `stop()`, with the reader itself, and after `TouchError.dispatch`.
    public let news: AsyncStream<TouchNews>
    /// The panels that are plugged in now.
    public var panels: [TouchPanel] {
        dispatchPrecondition(condition: .onQueue(queue))
        return known.values.sorted { $0.id.number < $1.id.number }
    }

    private static let lastID = Atomic<UInt32>(0)

    private let queue: DispatchQueue
    private let context: LibinputContext
    private let source: any DispatchSourceRead
    private let liftTimer: any DispatchSourceTimer
    private let mailbox = TouchMailbox()
    private var known: [OpaquePointer: TouchPanel] = [:]
    private var fingers = TouchTracker()
    private var recentLifts: [TouchPanel.ID: RecentLift] = [:]

    /// The seat's open panels, on their way from the thread that opened them to the queue that reads them.
    ///
    /// `@unchecked Sendable` because it has one owner at a time, and only the reader that takes it uses the context.
    public struct Panels: ~Copyable, @unchecked Sendable {
        fileprivate let context: LibinputContext

        /// Opens the existing panels; blocks for some milliseconds each. No panel is no error.
        /// - Parameters:
        ///   - seat: udev's `ID_SEAT`; devices without one are on `seat0`.
        ///   - log: the receiver of libinput's own messages.
        /// - Throws: an error if udev or libinput is not available. A panel that cannot be opened is news, not an error
        ///   here.
        public init(seat: String = "seat0", log: TouchLog = .silent) throws(TouchError) {
            context = try LibinputContext(seat: seat, log: log)
        }
    }

    /// Opens the panels and starts reading.
    public convenience init(
        seat: String = "seat0", queue: DispatchQueue, log: TouchLog = .silent
    ) throws(TouchError) {
        self.init(try Panels(seat: seat, log: log), queue: queue)
    }

    /// Starts reading.
    /// - Parameter queue: a serial queue; `init` must be called on it.
    public init(_ panels: consuming Panels, queue: DispatchQueue) {
        dispatchPrecondition(condition: .onQueue(queue))
        self.queue = queue
        let context = panels.context
        self.context = context
        news = mailbox.stream
        source = DispatchSource.makeReadSource(fileDescriptor: libinput_get_fd(context.handle), queue: queue)
        liftTimer = DispatchSource.makeTimerSource(queue: queue)
        // The descriptor must stay open until the source releases it.
        source.setCancelHandler { withExtendedLifetime(context) {} }
        source.setEventHandler { [weak self] in self?.dispatch() }
        liftTimer.setEventHandler { [weak self] in self?.reviewLifts() }
        source.activate()
        liftTimer.activate()
        // Events of existing devices wait in libinput, although its descriptor is not readable.
        dispatch()
    }

    deinit {
        source.cancel()
        liftTimer.cancel()
        mailbox.close()
    }

    /// Stops reading: fingers that are down are cancelled, the panels are reported as removed, and `news` ends.
    public func stop() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !source.isCancelled else { return }
        for panel in panels { remove(panel) }
        known = [:]
        source.cancel()
        liftTimer.cancel()
        mailbox.close()
    }

    /// Whether a panel has reported anything that the consumer of `news` has not taken yet.
    public var hasUnreadNews: Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !source.isCancelled else { return false }
        var descriptor = pollfd(fd: libinput_get_fd(context.handle), events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) > 0 || !mailbox.isAwaited
    }

    private func dispatch() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !source.isCancelled else { return }
        do throws(TouchError) {
            try context.dispatch { handle($0) }
            reportFailures()
        } catch {
            reportFailures()
            mailbox.post(.failure(error))
            stop()
        }
    }

    private func reportFailures() {
        for failure in context.callbacks.takeFailures() { mailbox.post(.failure(failure)) }
    }

    private func handle(_ event: OpaquePointer) {
        let device = PanelDevice(of: event)
        switch libinput_event_get_type(event) {
        case LIBINPUT_EVENT_DEVICE_ADDED:
            add(device)
        case LIBINPUT_EVENT_DEVICE_REMOVED:
            if let panel = known.removeValue(forKey: device.handle) { remove(panel) }
        case LIBINPUT_EVENT_TOUCH_DOWN, LIBINPUT_EVENT_TOUCH_MOTION, LIBINPUT_EVENT_TOUCH_UP,
            LIBINPUT_EVENT_TOUCH_CANCEL, LIBINPUT_EVENT_TOUCH_FRAME:
            guard let panel = known[device.handle], let touch = libinput_event_get_touch_event(event) else { return }
            if let event = touchEvent(libinput_event_get_type(event), touch, on: panel) {
                mailbox.post(.event(event))
            }
        default:
            break
        }
    }

    private func touchEvent(
        _ type: libinput_event_type, _ touch: OpaquePointer, on panel: TouchPanel
    ) -> TouchEvent? {
        let time = MonotonicTime(nanoseconds: Int64(libinput_event_touch_get_time_usec(touch)) * 1_000)
        if type == LIBINPUT_EVENT_TOUCH_FRAME { return .frame(panel.id, time) }
        reviewLift(on: panel)
        let slot = libinput_event_touch_get_seat_slot(touch)
        switch type {
        case LIBINPUT_EVENT_TOUCH_DOWN:
            let (x, y) = Self.place(of: touch)
            return fingers.down(slot: slot, panel: panel.id, x: x, y: y, at: time)
        case LIBINPUT_EVENT_TOUCH_MOTION:
            let (x, y) = Self.place(of: touch)
            return fingers.motion(slot: slot, x: x, y: y, at: time)
        case LIBINPUT_EVENT_TOUCH_UP:
            guard let finger = fingers.up(slot: slot, at: time) else { return nil }
            // A single-touch panel has the slot -1.
            if libinput_event_touch_get_slot(touch) < 0 { note(RecentLift(panel: panel, finger: finger)) }
            return .up(finger)
        default:
            return fingers.cancel(slot: slot, at: time)
        }
    }

    /// In fractions of the display: libinput scales to a width of 1, calibration applied.
    private static func place(of touch: OpaquePointer) -> (x: Double, y: Double) {
        (libinput_event_touch_get_x_transformed(touch, 1), libinput_event_touch_get_y_transformed(touch, 1))
    }

    /// Checks in a moment whether the panel still exists.
    private func note(_ lift: RecentLift) {
        recentLifts[lift.panel.id] = lift
        liftTimer.schedule(deadline: .now() + RecentLift.duration, leeway: .milliseconds(1))
    }

    private func reviewLifts() {
        for lift in recentLifts.values { reviewLift(on: lift.panel) }
    }

    private func reviewLift(on panel: TouchPanel) {
        guard let lift = recentLifts.removeValue(forKey: panel.id), PanelDevice.isGone(panel) else { return }
        mailbox.post(.event(.cancel(lift.finger)))
    }

    private func add(_ device: PanelDevice) {
        guard device.isTouchscreen else { return }
        let number = Self.lastID.add(1, ordering: .relaxed).newValue
        let panel = TouchPanel(
            id: TouchPanel.ID(number: number), name: device.name, systemName: device.systemName,
            millimetres: device.millimetres, output: device.output)
        known[device.handle] = panel
        mailbox.post(.event(.panelAdded(panel)))
    }

    private func remove(_ panel: TouchPanel) {
        if let lift = recentLifts.removeValue(forKey: panel.id) { mailbox.post(.event(.cancel(lift.finger))) }
        for event in fingers.remove(panel.id, at: .now) { mailbox.post(.event(event)) }
        mailbox.post(.event(.panelRemoved(panel)))
    }
}

extension MonotonicTime {
    /// The clock of libinput's events.
    fileprivate static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
