import Dispatch
import PlayerCore

/// The last lift of the finger on a single-touch panel. If the panel is removed a moment later, it was no lift.
///
/// When a panel is pulled out, the kernel releases its buttons, including `BTN_TOUCH`, which is a single-touch panel's
/// only report of a lift. On a multi-touch panel libinput cancels the touches instead.
struct RecentLift: Hashable {
    /// In a virtual machine with one processor the node is removed 5 to 40 ms after that release, because the resulting
    /// seek uses the processor as well. Nobody lifts a finger and pulls a plug in so short a time.
    static let duration = DispatchTimeInterval.milliseconds(200)

    var panel: TouchPanel
    var finger: Finger
}
