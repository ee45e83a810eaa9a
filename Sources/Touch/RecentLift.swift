import Dispatch
import PlayerCore

/// The last lift of the finger on a single-touch panel: if the panel is gone a moment later, it was no lift.
///
/// As a panel is pulled out, the kernel releases its buttons, `BTN_TOUCH` too, which is all that a single-touch panel
/// has to say that the finger left. On a multi-touch panel libinput cancels the touches instead.
struct RecentLift: Hashable {
    /// In a virtual machine with one processor the node is gone 5 to 40 ms after that release, because the seek that comes of
    /// it wants the processor as well. Nobody lifts a finger and pulls a plug in so short a time.
    static let duration = DispatchTimeInterval.milliseconds(200)

    var panel: TouchPanel
    var finger: Finger
}
