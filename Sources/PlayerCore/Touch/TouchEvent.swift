/// A report of a touch panel: libinput's touch events as values.
public enum TouchEvent: Hashable, Sendable {
    case down(Finger)
    case motion(Finger)
    case up(Finger)
    /// The panel took the touch back (a palm, a pen nearby): it must have no effect. Right after `up`: the panel was
    /// pulled out, and the finger was not lifted.
    case cancel(Finger)
    /// All events of one moment on one panel have been reported.
    case frame(TouchPanel.ID, MonotonicTime)
    case panelAdded(TouchPanel)
    /// The panel was removed; its fingers will never be lifted.
    case panelRemoved(TouchPanel)
}

/// One finger at one moment.
public struct Finger: Hashable, Sendable {
    /// libinput's seat slot: unique among all fingers that are down on the seat, used again afterwards.
    public var slot: Int32
    public var panel: TouchPanel.ID
    /// The finger's place as fractions of the display, 0...1 from its left and top edge. For `up` and `cancel`, which
    /// have no place, the last known one.
    public var x: Double
    public var y: Double
    /// libinput's time; for a window, when its event was handled.
    public var time: MonotonicTime

    public init(slot: Int32, panel: TouchPanel.ID, x: Double, y: Double, time: MonotonicTime) {
        self.slot = slot
        self.panel = panel
        self.x = x
        self.y = y
        self.time = time
    }
}

extension TouchEvent {
    /// `nil` for events without a finger.
    public var finger: Finger? {
        switch self {
        case .down(let finger), .motion(let finger), .up(let finger), .cancel(let finger): finger
        case .frame, .panelAdded, .panelRemoved: nil
        }
    }
}

extension Finger {
    /// Distinguishes a finger from the others that are down.
    struct Key: Hashable, Sendable {
        var panel: TouchPanel.ID
        var slot: Int32

        init(_ finger: Finger) {
            panel = finger.panel
            slot = finger.slot
        }
    }
}

/// A touch panel, as udev and libinput describe it.
public struct TouchPanel: Hashable, Sendable {
    /// Unique while the program runs, never used again.
    public struct ID: Hashable, Sendable {
        public var number: UInt32

        public init(number: UInt32) {
            self.number = number
        }

        /// The window that a film plays in, on a desktop.
        public static let window = ID(number: .max)
    }

    public var id: ID
    /// The kernel's name: "Goodix Capacitive TouchScreen".
    public var name: String
    /// `event3`, the node's name in `/dev/input`.
    public var systemName: String
    /// Width and height in millimetres, if the panel reports them.
    public var millimetres: Size?
    /// udev's `WL_OUTPUT`: the connector it belongs to.
    public var output: String?

    public struct Size: Hashable, Sendable {
        public var width: Double
        public var height: Double

        public init(width: Double, height: Double) {
            self.width = width
            self.height = height
        }
    }

    public init(id: ID, name: String, systemName: String, millimetres: Size? = nil, output: String? = nil) {
        self.id = id
        self.name = name
        self.systemName = systemName
        self.millimetres = millimetres
        self.output = output
    }
}
