/// Everything that this machine's display cards say of themselves. A value: nothing of it keeps a device open.
public struct DisplayInventory: Codable, Hashable, Sendable {
    /// The cards that could be opened, in the order of their numbers.
    public var cards: [Card]
    /// The cards that this user may not open.
    public var unreadable: [UnreadableCard]

    /// A card of which nothing is known but who may open it.
    public struct UnreadableCard: Codable, Hashable, Sendable {
        /// The node, such as `/dev/dri/card1`.
        public var path: String
        /// The group that owns the node.
        public var group: String
    }

    public struct Card: Codable, Hashable, Sendable {
        /// The node, such as `/dev/dri/card1`. The number may change from boot to boot.
        public var path: String
        /// The kernel driver, such as `vc4`, `drm-rp1-dsi`, `vkms`.
        public var driver: String
        /// Whether the driver takes atomic commits.
        public var isAtomic: Bool
        /// Whether another program was master of the card when it was read, so that planes could not be asked.
        public var isHeld: Bool
        /// The programs that had the card open then, if it was held; empty where this user may not see them.
        public var holders: [DeviceHolder]
        public var connectors: [Connector]
        /// In the kernel's order: a CRTC's index counts in it.
        public var crtcs: [CRTC]
        public var planes: [Plane]
    }

    /// Ids, here and below, are the kernel's, and unique on one card only.
    public struct Connector: Codable, Hashable, Sendable {
        /// `unknown` is a panel that cannot be detected, which is chosen only where it has modes, and is asked for by name or the
        /// only one while nothing is connected; and all that nobody has looked for, as the kernel does for a card's master alone.
        public enum Status: String, Codable, Sendable {
            case connected, disconnected, unknown
        }

        public var id: UInt32
        /// Kind and number, such as `HDMI-A-1`, `DSI-1`, `Virtual-1`.
        public var name: String
        public var status: Status
        /// A writeback connector leads into memory, not to a display.
        public var isWriteback: Bool
        /// The picture's size; `nil` where the display does not tell it.
        public var millimetres: Millimetres?
        /// In the kernel's order; none for a writeback connector.
        public var modes: [DisplayMode]
        /// How a built-in panel is mounted; `nil` where the driver does not tell it.
        public var panelOrientation: PanelOrientation?
        /// The CRTC that drives it now.
        public var crtcID: UInt32?
        /// The CRTCs that can drive it.
        public var possibleCRTCs: [UInt32]
    }

    public struct CRTC: Codable, Hashable, Sendable {
        public var id: UInt32
        /// Whether a mode is set.
        public var isActive: Bool
        /// What it shows now, if it is active.
        public var mode: DisplayMode?
    }

    public struct Plane: Codable, Hashable, Sendable {
        public enum Kind: String, Codable, Sendable {
            case primary, overlay, cursor
        }

        public var id: UInt32
        public var kind: Kind
        /// In the driver's order of preference.
        public var formats: [PixelFormat]
        /// How the formats' pixels may lie in memory; empty if the driver does not tell: then line by line.
        public var layouts: [FormatLayouts] = []
        /// By which matrices it can be told to show YCbCr; empty if the driver gives no choice.
        public var colorEncodings: [ColorEncoding] = []
        /// Whether it can be told of YCbCr's limited and full range.
        public var hasColorRanges = false
        /// The CRTCs that can show it.
        public var possibleCRTCs: [UInt32]
        /// The CRTC that it is on now.
        public var crtcID: UInt32?
        /// The kernel's names, such as `rotate-0`, `rotate-180`, `reflect-x`; empty if it cannot rotate.
        public var rotations: [String]
        /// The place in the stack; `nil` if the driver does not tell: then a higher id lies above a lower one.
        public var stacking: Stacking?
        /// How it is mixed with what lies below; empty if the driver gives no choice: then it is pre-multiplied.
        public var blendModes: [BlendMode]
        /// Whether it can show a picture larger and smaller than it is, as the driver answered a TEST_ONLY commit;
        /// `nil` if it could not be asked (another program holds the display, or nothing is connected).
        public var scales: Bool?
    }

    /// The `zpos` property: higher lies above lower.
    public struct Stacking: Codable, Hashable, Sendable {
        /// Now; where it is mutable, maybe as another program left it.
        public var position: Int
        public var lowest: Int
        public var highest: Int
        /// Whether another position, from `lowest` to `highest`, can be set.
        public var isMutable: Bool
    }

    /// One value of the `pixel blend mode` property.
    public struct BlendMode: Codable, Hashable, Sendable {
        /// The kernel's name: `None`, `Pre-multiplied` or `Coverage`.
        public var name: String
        /// The driver's number for it.
        public var value: UInt64
    }
}

/// The size of a display's picture.
public struct Millimetres: Codable, Hashable, Sendable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
