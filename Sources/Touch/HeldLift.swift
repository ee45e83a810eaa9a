import Dispatch
import PlayerCore

/// The lift of the finger on a single-touch panel, held back until it is known not to come of the panel's removal.
///
/// As a panel is pulled out, the kernel releases its buttons, `BTN_TOUCH` too, which is all that a single-touch panel
/// has to say that the finger left. On a multi-touch panel libinput cancels the touches instead.
struct HeldLift: Hashable {
    /// The node is gone within 5 ms of that release in a slow virtual machine, at once on others.
    static let duration = DispatchTimeInterval.milliseconds(20)

    var panel: TouchPanel
    var slot: Int32
    var time: MonotonicTime
}
