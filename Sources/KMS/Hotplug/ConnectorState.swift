internal import CDRM

/// A connector's report of its display, for comparison with an earlier report.
public struct ConnectorState: Hashable, Sendable {
    public var status: DisplayInventory.Connector.Status
    /// In the kernel's order.
    public var modes: [DisplayMode]
    /// The display's own description; empty if it has none. A television has a different one behind a different
    /// amplifier.
    public var edid: [UInt8]
    /// Whether the link failed after the mode was set: the display is dark until the mode is set anew.
    public var isLinkBad: Bool

    /// Whether a picture can be shown on the connector: a panel without detection says "unknown".
    public var isUsable: Bool { status != .disconnected && !modes.isEmpty }

    init(
        status: DisplayInventory.Connector.Status, modes: [DisplayMode], edid: [UInt8] = [], isLinkBad: Bool = false
    ) {
        self.status = status
        self.modes = modes
        self.edid = edid
        self.isLinkBad = isLinkBad
    }

    /// Asks the display itself if the card is master; others read the last result. A connector that no longer exists is
    /// disconnected.
    init(of connectorID: UInt32, on card: CardHandle) {
        let connector = DisplayInventory.Connector(id: connectorID, crtcIDs: [], on: card)
        let properties = ObjectProperties(of: connectorID, type: DRM_MODE_OBJECT_CONNECTOR, on: card)
        status = connector?.status ?? .disconnected
        modes = connector?.modes ?? []
        isLinkBad = properties["link-status"]?.value == UInt64(DRM_MODE_LINK_STATUS_BAD)
        edid = []
        if let id = properties["EDID"]?.value, id != 0,
            let blob = drmModeGetPropertyBlob(card.fileDescriptor, UInt32(truncatingIfNeeded: id))
        {
            defer { drmModeFreePropertyBlob(blob) }
            edid = [UInt8](UnsafeRawBufferPointer(start: blob.pointee.data, count: Int(blob.pointee.length)))
        }
    }
}
