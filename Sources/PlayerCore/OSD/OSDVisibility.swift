/// When the on-screen display is shown: it appears at a touch, stays while a finger is down or a message stands, and
/// hides 3 s after the last touch; a tap on the film toggles it.
///
/// A value without a clock: the caller hands in events with their time, sets a timer to `deadline` and reports its
/// passing as `.deadlineReached`.
public struct OSDVisibility: Hashable, Sendable {
    public enum Event: Hashable, Sendable {
        /// A finger touched the panel, on the bar or on the film.
        case fingerDown(slot: Int32)
        /// A finger was lifted; a tap on the film is one that went down and up there without a drag between.
        case fingerUp(slot: Int32, isTapOnFilm: Bool)
        /// The panel took the touch back or is gone.
        case fingerCancelled(slot: Int32)
        /// Somebody asks for it without a touch.
        case asked
        /// What was taken for a finger is dirt: it shows the display no longer, not even for a while.
        case fingerVoid(slot: Int32)
        /// An error or "Buffering N%" appeared or went.
        case messageChanged(isStanding: Bool)
        /// Something is open above the bar, or is not any more.
        case panelChanged(isOpen: Bool)
        /// Nothing is to be seen that no message asks for, and the fingers that are down show nothing.
        case dismissed
        case deadlineReached
    }

    public struct State: Hashable, Sendable {
        public var isVisible: Bool
        /// When to report `.deadlineReached`, unless another event comes first; `nil`: nothing will change by itself.
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
    /// Whether the display was there before the first of these fingers touched: only then does a tap hide it.
    private var wasVisibleBeforeTouch = false
    private var messageStands = false
    private var isPanelOpen = false
    /// Until when the last touch shows the display; `nil`: a tap hid it, or it was never touched.
    private var shownUntil: MonotonicTime?

    public init() {}

    /// Takes an event in and tells what holds from now on.
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
        case .messageChanged(let isStanding):
            messageStands = isStanding
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
        guard fingers.isEmpty, !messageStands, !isPanelOpen else { return State(isVisible: true) }
        guard let shownUntil, time < shownUntil else { return State(isVisible: false) }
        return State(isVisible: true, deadline: shownUntil)
    }
}
