internal import CDRM
internal import Glibc

extension DisplayInventory {
    /// Reads all cards. Each is open only while it is read.
    ///
    /// The kernel may detect the connected displays again, which takes up to some 100 ms on HDMI, so call it on a queue
    /// that may block. Scaling is probed only on cards that no program holds; nothing on the screen changes.
    /// - Throws: `noCard`, or `noPermission` if none of the cards may be opened.
    public static func read() throws(KMSError) -> DisplayInventory {
        try read(with: nil, asksForScaling: true)
    }

    /// Reads the cards of a request: the visible part of the one that its file descriptor belongs to, or all.
    /// - Throws: as `read()`; `notACard`, `notMaster`.
    public static func read(for request: DisplayRequest) throws(KMSError) -> DisplayInventory {
        try read(for: request, asksForScaling: true)
    }

    /// - Parameter asksForScaling: whether to probe scaling. A caller that opens the choice probes it then.
    static func read(for request: DisplayRequest, asksForScaling: Bool) throws(KMSError) -> DisplayInventory {
        guard let lent = request.fileDescriptor else { return try read(with: nil, asksForScaling: asksForScaling) }
        let card = Card(try CardHandle(duplicating: lent), asksForScaling: asksForScaling)
        return DisplayInventory(cards: [card], unreadable: [])
    }

    /// Reads all cards, one of them through an open handle, because its master sees more than others.
    static func read(with open: CardHandle?, asksForScaling: Bool) throws(KMSError) -> DisplayInventory {
        var inventory = DisplayInventory(cards: [], unreadable: [])
        let paths = CardHandle.paths()
        guard !paths.isEmpty else { throw .noCard }
        for path in paths {
            do throws(KMSError) {
                if let open, open.path == path {
                    inventory.cards.append(Card(open, asksForScaling: false))
                } else {
                    inventory.cards.append(Card(try CardHandle(path: path), asksForScaling: asksForScaling))
                }
            } catch .noPermission(let card, let group) {
                inventory.unreadable.append(UnreadableCard(path: card, group: group))
            } catch .systemCall(_, _, let code) where code == ENODEV || code == ENXIO || code == ENOENT {
                // The card was removed after the listing, before it was opened.
            }
        }
        if inventory.cards.isEmpty {
            guard let card = inventory.unreadable.first else { throw .noCard }
            throw .noPermission(card: card.path, group: card.group)
        }
        return inventory
    }
}

extension DisplayInventory.Card {
    /// - Parameter asksForScaling: whether to probe the planes. While a film plays, memory of the card must not be
    ///   allocated and freed beside it (kmssink before 1.24.4 may close a handle that it imported twice).
    init(_ handle: CardHandle, asksForScaling: Bool = true) {
        path = handle.path
        driver = handle.driverName()
        isAtomic = handle.isAtomic
        isHeld = !handle.isMaster
        holders = isHeld ? DeviceHolder.holders(of: handle.path) : []
        connectors = []
        crtcs = []
        planes = []
        // A card without a display engine (a render-only GPU) has no resources.
        guard let resources = drmModeGetResources(handle.fileDescriptor) else { return }
        defer { drmModeFreeResources(resources) }
        let crtcIDs = (0..<Int(resources.pointee.count_crtcs)).map { resources.pointee.crtcs[$0] }
        crtcs = crtcIDs.map { DisplayInventory.CRTC(id: $0, on: handle) }
        connectors = Self.connectors(of: resources.pointee, crtcIDs: crtcIDs, on: handle)
        if let list = drmModeGetPlaneResources(handle.fileDescriptor) {
            defer { drmModeFreePlaneResources(list) }
            planes = (0..<Int(list.pointee.count_planes)).compactMap {
                DisplayInventory.Plane(id: list.pointee.planes[$0], crtcIDs: crtcIDs, on: handle)
            }
        }
        if asksForScaling { askForScaling(handle) }
    }

    static func connectors(on handle: CardHandle) -> [DisplayInventory.Connector] {
        guard let resources = drmModeGetResources(handle.fileDescriptor) else { return [] }
        defer { drmModeFreeResources(resources) }
        let crtcIDs = (0..<Int(resources.pointee.count_crtcs)).map { resources.pointee.crtcs[$0] }
        return connectors(of: resources.pointee, crtcIDs: crtcIDs, on: handle)
    }

    private static func connectors(
        of resources: drmModeRes, crtcIDs: [UInt32], on handle: CardHandle
    ) -> [DisplayInventory.Connector] {
        (0..<Int(resources.count_connectors)).compactMap {
            DisplayInventory.Connector(id: resources.connectors[$0], crtcIDs: crtcIDs, on: handle)
        }
    }

    /// Fills in `scales` for the planes of the CRTC that Vitrine would choose on this card.
    private mutating func askForScaling(_ handle: CardHandle) {
        guard handle.isAtomic, !isHeld,
            let choice = try? DisplayChoice.choose(from: DisplayInventory(cards: [self], unreadable: [])),
            let probe = try? PlaneProbe(choice: choice, on: handle)
        else { return }
        for index in planes.indices where planes[index].possibleCRTCs.contains(choice.crtcID) {
            planes[index].scales = probe.scales(planes[index])
        }
    }
}

extension DisplayInventory.CRTC {
    init(id: UInt32, on handle: CardHandle) {
        self.id = id
        let crtc = drmModeGetCrtc(handle.fileDescriptor, id)
        defer { drmModeFreeCrtc(crtc) }
        isActive = crtc?.pointee.mode_valid == 1
        mode = isActive ? crtc.map { DisplayMode($0.pointee.mode) } : nil
    }
}

extension DisplayInventory.Connector {
    init?(id: UInt32, crtcIDs: [UInt32], on handle: CardHandle) {
        guard let connector = drmModeGetConnector(handle.fileDescriptor, id) else { return nil }
        defer { drmModeFreeConnector(connector) }
        self.id = id
        let kind =
            drmModeGetConnectorTypeName(connector.pointee.connector_type).map { String(cString: $0) } ?? "Unknown"
        name = "\(kind)-\(connector.pointee.connector_type_id)"
        isWriteback = connector.pointee.connector_type == UInt32(DRM_MODE_CONNECTOR_WRITEBACK)
        status =
            switch connector.pointee.connection {
            case DRM_MODE_CONNECTED: .connected
            case DRM_MODE_DISCONNECTED: .disconnected
            default: .unknown
            }
        millimetres =
            connector.pointee.mmWidth > 0 && connector.pointee.mmHeight > 0
            ? Millimetres(width: Int(connector.pointee.mmWidth), height: Int(connector.pointee.mmHeight)) : nil
        panelOrientation = ObjectProperties(of: id, type: DRM_MODE_OBJECT_CONNECTOR, on: handle)["panel orientation"]
            .flatMap { property in property.namedValues.first { $0.value == property.value } }
            .flatMap { PanelOrientation(rawValue: $0.name) }
        // The kernel lists every size that it can write, not those of a display.
        modes =
            isWriteback
            ? [] : (0..<Int(connector.pointee.count_modes)).map { DisplayMode(connector.pointee.modes[$0]) }
        var mask: UInt32 = 0
        var current: UInt32?
        for index in 0..<Int(connector.pointee.count_encoders) {
            guard let encoder = drmModeGetEncoder(handle.fileDescriptor, connector.pointee.encoders[index]) else {
                continue
            }
            defer { drmModeFreeEncoder(encoder) }
            mask |= encoder.pointee.possible_crtcs
            if encoder.pointee.encoder_id == connector.pointee.encoder_id, encoder.pointee.crtc_id != 0 {
                current = encoder.pointee.crtc_id
            }
        }
        possibleCRTCs = crtcIDs.selected(by: mask)
        crtcID = current
    }
}

extension DisplayInventory.Plane {
    init?(id: UInt32, crtcIDs: [UInt32], on handle: CardHandle) {
        guard let plane = drmModeGetPlane(handle.fileDescriptor, id) else { return nil }
        defer { drmModeFreePlane(plane) }
        let properties = ObjectProperties(of: id, type: DRM_MODE_OBJECT_PLANE, on: handle)
        self.id = id
        kind =
            switch properties["type"].map({ Int32(truncatingIfNeeded: $0.value) }) {
            case DRM_PLANE_TYPE_PRIMARY: .primary
            case DRM_PLANE_TYPE_CURSOR: .cursor
            default: .overlay
            }
        formats = (0..<Int(plane.pointee.count_formats)).map { PixelFormat(rawValue: plane.pointee.formats[$0]) }
        layouts = properties["IN_FORMATS"].map { Self.layouts(inBlob: $0.value, on: handle) } ?? []
        let colors = FilmColorProperties(properties)
        (colorEncodings, hasColorRanges) = (colors.encodings, colors.hasRanges)
        possibleCRTCs = crtcIDs.selected(by: plane.pointee.possible_crtcs)
        crtcID = plane.pointee.crtc_id == 0 ? nil : plane.pointee.crtc_id
        rotations = properties["rotation"]?.namedValues.map(\.name) ?? []
        stacking = properties["zpos"].map {
            DisplayInventory.Stacking(
                position: Int(clamping: $0.value), lowest: Int(clamping: $0.range?.lowerBound ?? $0.value),
                highest: Int(clamping: $0.range?.upperBound ?? $0.value), isMutable: $0.isMutable)
        }
        blendModes =
            properties["pixel blend mode"]?.namedValues.map {
                DisplayInventory.BlendMode(name: $0.name, value: $0.value)
            }
            ?? []
    }

    private static func layouts(inBlob id: UInt64, on handle: CardHandle) -> [FormatLayouts] {
        guard let blob = drmModeGetPropertyBlob(handle.fileDescriptor, UInt32(truncatingIfNeeded: id)) else {
            return []
        }
        defer { drmModeFreePropertyBlob(blob) }
        return [FormatLayouts](inFormats: .init(start: blob.pointee.data, count: Int(blob.pointee.length)))
    }
}

extension DisplayMode {
    init(_ mode: drmModeModeInfo) {
        width = Int(mode.hdisplay)
        height = Int(mode.vdisplay)
        isPreferred = mode.type & UInt32(DRM_MODE_TYPE_PREFERRED) != 0
        isInterlaced = mode.flags & UInt32(DRM_MODE_FLAG_INTERLACE) != 0
        // The pixel clock is in kHz, so this is in 1/1000 Hz; the kernel's own `vrefresh` is rounded to whole hertz.
        var rate = Double(mode.clock) * 1_000_000
        if isInterlaced { rate *= 2 }
        if mode.flags & UInt32(DRM_MODE_FLAG_DBLSCAN) != 0 { rate /= 2 }
        let total = Double(mode.htotal) * Double(mode.vtotal) * Double(max(mode.vscan, 1))
        refreshMillihertz = total > 0 ? Int((rate / total).rounded()) : Int(mode.vrefresh) * 1000
    }
}

extension [UInt32] {
    /// The elements whose index is a bit of the mask.
    fileprivate func selected(by mask: UInt32) -> [UInt32] {
        indices.filter { $0 < 32 && mask & (1 << UInt32($0)) != 0 }.map { self[$0] }
    }
}
