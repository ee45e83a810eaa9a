internal import CDRM
internal import Glibc

/// The operations on a CRTC of an open card, for its master. Each call waits for the display.
struct CRTCControl: Sendable {
    let id: UInt32
    let card: CardHandle

    /// Shows a framebuffer of the mode's size on the connector, with all planes except the primary off. The kernel
    /// retrains a bad link at each such call.
    func show(_ background: DumbBuffer, mode: DisplayMode, connectorID: UInt32, name: String) throws(KMSError) {
        // Planes first: one that another program left on may not fit the new mode.
        for plane in planes() where !plane.isPrimary { try switchOff(plane.id) }
        turnPrimary(.rotate0)
        var timings = try mode.timings(connectorID: connectorID, on: card)
        var connector = connectorID
        guard
            drmModeSetCrtc(card.fileDescriptor, id, background.framebufferID, 0, 0, &connector, 1, &timings) == 0
        else {
            let code = errno
            if code == EACCES || code == EBUSY {
                throw .displayHeld(card: card.path, holders: DeviceHolder.holders(of: card.path))
            }
            throw .failed("drmModeSetCrtc \(mode)", on: "\(name) of \(card.path)", code: code)
        }
    }

    /// Shows a framebuffer on the whole display, through a plane that turns it.
    func place(
        _ buffer: DumbBuffer, on plane: UInt32, width: Int, height: Int, rotation: PlaneRotation?
    ) throws(KMSError) {
        guard card.isAtomic else {
            let (sourceWidth, sourceHeight) = (UInt32(buffer.width) << 16, UInt32(buffer.height) << 16)
            if drmModeSetPlane(
                card.fileDescriptor, plane, id, buffer.framebufferID, 0, 0, 0, UInt32(width), UInt32(height), 0, 0,
                sourceWidth, sourceHeight) != 0
            {
                throw .failed("drmModeSetPlane", on: "plane \(plane) of \(card.path)")
            }
            return
        }
        let properties = ObjectProperties(of: plane, type: DRM_MODE_OBJECT_PLANE, on: card)
        let request = try AtomicRequest()
        let values: [(String, Int)] = [
            ("FB_ID", Int(buffer.framebufferID)), ("CRTC_ID", Int(id)), ("SRC_X", 0), ("SRC_Y", 0),
            ("SRC_W", buffer.width << 16), ("SRC_H", buffer.height << 16), ("CRTC_X", 0), ("CRTC_Y", 0),
            ("CRTC_W", width), ("CRTC_H", height),
        ]
        for (name, value) in values { try request.set(name, of: properties, to: UInt64(value)) }
        if properties["rotation"] != nil {
            try request.set("rotation", of: properties, to: (rotation ?? .rotate0).rawValue)
        }
        try request.commit(to: card, allowingModeset: false)
    }

    /// Sets a mode of the current one's size; planes keep their contents.
    func set(_ mode: DisplayMode, connectorID: UInt32, name: String) throws(KMSError) {
        if card.isAtomic {
            let blob = try ModeBlob(mode, connectorID: connectorID, on: card)
            let properties = ObjectProperties(of: id, type: DRM_MODE_OBJECT_CRTC, on: card)
            let request = try AtomicRequest()
            try request.set("MODE_ID", of: properties, to: UInt64(blob.id))
            do throws(KMSError) {
                try request.commit(to: card, allowingModeset: true)
            } catch .systemCall(_, _, let code) {
                throw .failed("atomic commit of mode \(mode)", on: "\(name) of \(card.path)", code: code)
            }
        } else {
            let crtc = drmModeGetCrtc(card.fileDescriptor, id)
            defer { drmModeFreeCrtc(crtc) }
            var timings = try mode.timings(connectorID: connectorID, on: card)
            var connector = connectorID
            if drmModeSetCrtc(
                card.fileDescriptor, id, crtc?.pointee.buffer_id ?? 0, 0, 0, &connector, 1, &timings) != 0
            {
                throw .failed("drmModeSetCrtc \(mode)", on: "\(name) of \(card.path)")
            }
        }
    }

    /// Switches the CRTC on or off, and keeps its state.
    func setPower(_ on: Bool, connectorID: UInt32) throws(KMSError) {
        if card.isAtomic {
            let request = try AtomicRequest()
            try request.set(
                "ACTIVE", of: ObjectProperties(of: id, type: DRM_MODE_OBJECT_CRTC, on: card), to: on ? 1 : 0)
            try request.commit(to: card, allowingModeset: true)
        } else {
            let connector = ObjectProperties(of: connectorID, type: DRM_MODE_OBJECT_CONNECTOR, on: card)
            guard let property = connector["DPMS"] else {
                throw .unsupported("\(card.path) cannot switch its display off: it has no property DPMS")
            }
            let value = UInt64(on ? DRM_MODE_DPMS_ON : DRM_MODE_DPMS_OFF)
            if drmModeObjectSetProperty(
                card.fileDescriptor, connectorID, DRM_MODE_OBJECT_CONNECTOR, property.id, value) != 0
            {
                throw .failed("set DPMS", on: "connector \(connectorID) of \(card.path)")
            }
        }
    }

    /// Sets the primary plane's rotation. If the picture on it does not fit that, the CRTC is switched off: the caller
    /// shows another picture next.
    func turnPrimary(_ rotation: PlaneRotation) {
        guard let plane = planes().first(where: \.isPrimary),
            let property = RotationProperty(of: plane.id, on: card), !property.set(rotation, on: card)
        else { return }
        drmModeSetCrtc(card.fileDescriptor, id, 0, 0, 0, nil, 0, nil)
        _ = property.set(rotation, on: card)
    }

    func switchOff(_ plane: UInt32) throws(KMSError) {
        if drmModeSetPlane(card.fileDescriptor, plane, id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) != 0 {
            throw .failed("drmModeSetPlane", on: "plane \(plane) of \(card.path)")
        }
    }

    /// The planes that are on now.
    func planes() -> [(id: UInt32, isPrimary: Bool)] {
        PlaneList.ids(on: card).filter { PlaneList.crtc(of: $0, on: card) == id }.map { plane in
            let kind = ObjectProperties(of: plane, type: DRM_MODE_OBJECT_PLANE, on: card)["type"]?.value
            return (plane, kind == UInt64(DRM_PLANE_TYPE_PRIMARY))
        }
    }
}
