internal import CDRM

/// The earlier contents of a CRTC, which are shown again later.
struct SavedScreen: Sendable {
    let crtcID: UInt32
    private let framebufferID: UInt32
    private let x: UInt32
    private let y: UInt32
    /// `nil` if the CRTC was off.
    private let mode: drmModeModeInfo?
    private let connectors: [UInt32]
    /// The primary plane's rotation.
    private let rotation: PlaneRotation

    init(of crtcID: UInt32, on card: CardHandle) {
        self.crtcID = crtcID
        let crtc = drmModeGetCrtc(card.fileDescriptor, crtcID)
        defer { drmModeFreeCrtc(crtc) }
        framebufferID = crtc?.pointee.buffer_id ?? 0
        x = crtc?.pointee.x ?? 0
        y = crtc?.pointee.y ?? 0
        mode = crtc.flatMap { $0.pointee.mode_valid == 1 ? $0.pointee.mode : nil }
        connectors = Self.connectors(of: crtcID, on: card)
        rotation =
            CRTCControl(id: crtcID, card: card).planes().first(where: \.isPrimary)
            .flatMap { RotationProperty(of: $0.id, on: card)?.value } ?? .rotate0
    }

    /// Shows the saved screen; switches the CRTC off if nothing is left to show.
    func restore(on card: CardHandle) throws(KMSError) {
        CRTCControl(id: crtcID, card: card).turnPrimary(rotation)
        if var mode, framebufferID != 0, !connectors.isEmpty, Self.exists(framebufferID, on: card) {
            var connectors = connectors
            if drmModeSetCrtc(
                card.fileDescriptor, crtcID, framebufferID, x, y, &connectors, CInt(connectors.count), &mode) == 0
            {
                return
            }
        }
        if drmModeSetCrtc(card.fileDescriptor, crtcID, 0, 0, 0, nil, 0, nil) != 0 {
            throw .failed("drmModeSetCrtc", on: "CRTC \(crtcID) of \(card.path)")
        }
    }

    private static func exists(_ framebufferID: UInt32, on card: CardHandle) -> Bool {
        guard let framebuffer = drmModeGetFB2(card.fileDescriptor, framebufferID) else { return false }
        GEMHandles.close(framebuffer.pointee, on: card)
        drmModeFreeFB2(framebuffer)
        return true
    }

    private static func connectors(of crtcID: UInt32, on card: CardHandle) -> [UInt32] {
        guard let resources = drmModeGetResources(card.fileDescriptor) else { return [] }
        defer { drmModeFreeResources(resources) }
        return (0..<Int(resources.pointee.count_connectors)).compactMap { index in
            let id = resources.pointee.connectors[index]
            guard let connector = drmModeGetConnectorCurrent(card.fileDescriptor, id) else { return nil }
            defer { drmModeFreeConnector(connector) }
            guard connector.pointee.connector_type != UInt32(DRM_MODE_CONNECTOR_WRITEBACK),
                let encoder = drmModeGetEncoder(card.fileDescriptor, connector.pointee.encoder_id)
            else { return nil }
            defer { drmModeFreeEncoder(encoder) }
            return encoder.pointee.crtc_id == crtcID ? id : nil
        }
    }
}

enum GEMHandles {
    /// Closes the handles that reading a framebuffer opened, each once, because planes of one buffer share one.
    static func close(_ framebuffer: drmModeFB2, on card: CardHandle) {
        let all = framebuffer.handles
        for handle in Set([all.0, all.1, all.2, all.3]) where handle != 0 {
            drmCloseBufferHandle(card.fileDescriptor, handle)
        }
    }
}
