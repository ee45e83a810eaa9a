internal import CDRM
internal import Glibc

/// The connector through which a CRTC writes its output into memory.
struct WritebackConnector: Sendable {
    let id: UInt32
    private let crtcID: UInt32

    /// `nil` if the card has none that this CRTC can use, or none that writes XR24.
    init?(for crtcID: UInt32, on card: CardHandle) {
        guard card.isAtomic else { return nil }
        let connectors = DisplayInventory.Card.connectors(on: card)
        guard
            let connector = connectors.first(where: {
                $0.isWriteback && $0.possibleCRTCs.contains(crtcID)
                    && Self.formats(of: $0.id, on: card).contains(.xrgb8888)
            })
        else { return nil }
        id = connector.id
        self.crtcID = crtcID
    }

    /// Requests the display's next output in `buffer`, which has the mode's size. The caller closes the returned fence,
    /// a sync file that becomes readable once a writeback has ended.
    func commit(into buffer: DumbBuffer, on card: CardHandle) throws(KMSError) -> CInt {
        let connector = ObjectProperties(of: id, type: DRM_MODE_OBJECT_CONNECTOR, on: card)
        // Only the first capture changes the routing. It stays, because each change may make the display flicker.
        let isRouted = connector["CRTC_ID"]?.value == UInt64(crtcID)
        let request = try AtomicRequest()
        if !isRouted { try request.set("CRTC_ID", of: connector, to: UInt64(crtcID)) }
        try request.set("WRITEBACK_FB_ID", of: connector, to: UInt64(buffer.framebufferID))
        // The kernel writes the fence's file descriptor here during the commit.
        let fence = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        defer { fence.deallocate() }
        fence.initialize(to: -1)
        try request.set("WRITEBACK_OUT_FENCE_PTR", of: connector, to: UInt64(UInt(bitPattern: fence)))
        try request.commit(to: card, allowingModeset: !isRouted)
        guard fence.pointee >= 0 else { throw .failed("writeback", on: card.path, code: EIO) }
        return fence.pointee
    }

    private static func formats(of connectorID: UInt32, on card: CardHandle) -> [PixelFormat] {
        let properties = ObjectProperties(of: connectorID, type: DRM_MODE_OBJECT_CONNECTOR, on: card)
        guard let id = properties["WRITEBACK_PIXEL_FORMATS"]?.value,
            let blob = drmModeGetPropertyBlob(card.fileDescriptor, UInt32(truncatingIfNeeded: id))
        else { return [] }
        defer { drmModeFreePropertyBlob(blob) }
        let bytes = UnsafeRawBufferPointer(start: blob.pointee.data, count: Int(blob.pointee.length))
        return stride(from: 0, to: bytes.count & ~3, by: 4).map {
            PixelFormat(rawValue: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
        }
    }
}
