/// When the on-screen display is shown: it appears at a touch, stays while a finger is down or a message is shown, and
/// hides 3 s after the last touch; a tap on the film toggles it.
///
/// A value without a clock: the caller passes events with their time, sets a timer to `deadline` and reports its firing
/// as `.deadlineReached`.
public struct OSDVisibility: Hashable, Sendable {
    public enum Event: Hashable, Sendable {
        /// A finger touched the panel, on the bar or on the film.
        case fingerDown(slot: Int32)
        /// A finger was lifted; a tap on the film is a finger that touched and lifted there without a drag.
        case fingerUp(slot: Int32, isTapOnFilm: Bool)
        /// The panel took the touch back or was removed.
        case fingerCancelled(slot: Int32)
        /// The display was requested without a touch.
        case asked
        /// The contact was dirt, not a finger: it no longer shows the display, not even for a while.
        case fingerVoid(slot: Int32)
        /// An error or "Buffering N%" appeared or disappeared.
        case messageChanged(isShown: Bool)
        /// The panel above the bar opened or closed.
        case panelChanged(isOpen: Bool)
        /// Hides the display unless a message is shown; fingers that are down do not show it.
        case dismissed
        case deadlineReached
    }

    public struct State: Hashable, Sendable {
        public var isVisible: Bool
        /// When to report `.deadlineReached`, unless another event precedes it; `nil` if time alone changes nothing.
        public var deadline: MonotonicTime?

        public init(isVisible: Bool, deadline: MonotonicTime? = nil) {
            self.isVisible = isVisible
            self.deadline = deadline
        }
    }

    /// How long the display stays after the last finger was lifted.
    public static let stay = Duration.seconds(3)

    /// libinput's seat slots of the fingers that are down.
    private var fingers: Set<Int32> = []
    /// Whether the display was visible before the first of these fingers touched: only then does a tap hide it.
    private var wasVisibleBeforeTouch = false
    private var isMessageShown = false
    private var isPanelOpen = false
    /// When the display that the last touch shows hides; `nil` if a tap hid it, or it was never touched.
    private var shownUntil: MonotonicTime?

    public init() {}

    /// Handles an event and returns the new state.
    public mutating func handle(_ event: Event, at time: MonotonicTime) -> State {
        switch event {
        case .fingerDown(let slot):
            if fingers.isEmpty { wasVisibleBeforeTouch = state(at: time).isVisible }
            fingers.insert(slot)
        case .fingerUp(let slot, let isTapOnFilm):
            guard fingers.remove(slot) != nil else { break }
            let hides = isTapOnFilm && wasVisibleBeforeTouch && fingers.isEmpty
            shownUntil = hides ? nil : time + Self.stay
        case .fingerCancelled(let slot):
            guard fingers.remove(slot) != nil else { break }
            shownUntil = time + Self.stay
        case .asked:
            shownUntil = time + Self.stay
        case .fingerVoid(let slot):
            fingers.remove(slot)
        case .messageChanged(let isShown):
            isMessageShown = isShown
        case .panelChanged(let isOpen):
            if isPanelOpen, !isOpen { shownUntil = time + Self.stay }
            isPanelOpen = isOpen
        case .dismissed: (fingers, shownUntil, isPanelOpen) = ([], nil, false)
        case .deadlineReached:
            break
        }
        return state(at: time)
    }

    public func state(at time: MonotonicTime) -> State {
        guard fingers.isEmpty, !isMessageShown, !isPanelOpen else { return State(isVisible: true) }
        guard let shownUntil, time < shownUntil else { return State(isVisible: false) }
        return State(isVisible: true, deadline: shownUntil)
    }
}
