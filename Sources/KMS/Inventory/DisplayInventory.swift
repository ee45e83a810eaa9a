/// The properties of this machine's display cards. A value: it keeps no device open.
public struct DisplayInventory: Codable, Hashable, Sendable {
    /// The cards that could be opened, in the order of their numbers.
    public var cards: [Card]
    /// The cards that this user may not open.
    public var unreadable: [UnreadableCard]

    /// A card that this user may not open.
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
        /// Whether another program was master of the card when it was read, so that planes could not be probed.
        public var isHeld: Bool
        /// The programs that had the held card open; empty if this user may not see them.
        public var holders: [DeviceHolder]
        public var connectors: [Connector]
        /// In the kernel's order, which defines a CRTC's index.
        public var crtcs: [CRTC]
        public var planes: [Plane]
    }

    /// Ids, here and below, are the kernel's, and unique on one card only.
    public struct Connector: Codable, Hashable, Sendable {
        /// `unknown` is a panel that cannot be detected. It is chosen only if it has modes, and is requested by name or
        /// the only one while nothing is connected. It is also any connector that nobody has checked, because the
        /// kernel detects displays for a card's master only.
        public enum Status: String, Codable, Sendable {
            case connected, disconnected, unknown
        }

        public var id: UInt32
        /// Type and number, such as `HDMI-A-1`, `DSI-1`, `Virtual-1`.
        public var name: String
        public var status: Status
        /// A writeback connector leads into memory, not to a display.
        public var isWriteback: Bool
        /// The picture's size; `nil` if the display does not report it.
        public var millimetres: Millimetres?
        /// In the kernel's order; none for a writeback connector.
        public var modes: [DisplayMode]
        /// The mounting of a built-in panel; `nil` if the driver does not report it.
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
        /// The current mode, if the CRTC is active.
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
        /// The memory layouts of the formats; empty if the driver does not report them: then linear.
        public var layouts: [FormatLayouts] = []
        /// The selectable YCbCr matrices; empty if the driver gives no choice.
        public var colorEncodings: [ColorEncoding] = []
        /// Whether YCbCr's limited and full range can be selected.
        public var hasColorRanges = false
        /// The CRTCs that can show the plane.
        public var possibleCRTCs: [UInt32]
        /// The CRTC that the plane is on now.
        public var crtcID: UInt32?
        /// The kernel's names, such as `rotate-0`, `rotate-180`, `reflect-x`; empty if the plane cannot rotate.
        public var rotations: [String]
        /// The place in the stack; `nil` if the driver does not report it: then a higher id is above a lower one.
        public var stacking: Stacking?
        /// The selectable blend modes; empty if the driver gives no choice: then it is pre-multiplied.
        public var blendModes: [BlendMode]
        /// Whether the plane can show a picture larger and smaller than it is, by the driver's answer to a TEST_ONLY
        /// commit; `nil` if it could not be asked (another program holds the display, or nothing is connected).
        public var scales: Bool?
    }

    /// The `zpos` property: higher is above lower.
    public struct Stacking: Codable, Hashable, Sendable {
        /// The current position; if mutable, another program may have set it.
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
