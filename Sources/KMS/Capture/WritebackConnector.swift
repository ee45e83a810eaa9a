internal import CDRM
internal import Glibc

/// The connector through which a CRTC writes its finished pictures into memory.
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

    /// Writes the next picture that the display shows into `buffer`, which has the mode's size.
    func write(into buffer: DumbBuffer, on card: CardHandle, timeoutMilliseconds: Int) throws(KMSError) {
        let connector = ObjectProperties(of: id, type: DRM_MODE_OBJECT_CONNECTOR, on: card)
        // Only the first picture changes the routing; it stays, because each change may make the display flicker.
        let isRouted = connector["CRTC_ID"]?.value == UInt64(crtcID)
        let request = try AtomicRequest()
        if !isRouted { try request.set("CRTC_ID", of: connector, to: UInt64(crtcID)) }
        try request.set("WRITEBACK_FB_ID", of: connector, to: UInt64(buffer.framebufferID))
        // The kernel writes the fence's file descriptor there while it commits.
        let fence = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        defer { fence.deallocate() }
        fence.initialize(to: -1)
        try request.set("WRITEBACK_OUT_FENCE_PTR", of: connector, to: UInt64(UInt(bitPattern: fence)))
        try request.commit(to: card, allowingModeset: !isRouted)
        guard fence.pointee >= 0 else { throw .failed("writeback", on: card.path, code: EIO) }
        defer { close(fence.pointee) }
        try Self.wait(for: fence.pointee, timeoutMilliseconds: timeoutMilliseconds, object: card.path)
    }

    private static func wait(for fence: CInt, timeoutMilliseconds: Int, object: String) throws(KMSError) {
        var item = pollfd(fd: fence, events: Int16(POLLIN), revents: 0)
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let end = now.milliseconds + timeoutMilliseconds
        while true {
            let result = poll(&item, 1, CInt(max(end - now.milliseconds, 0)))
            if result > 0 { return }
            if result == 0 {
                throw .timedOut(operation: "writeback", object: object, milliseconds: timeoutMilliseconds)
            }
            guard errno == EINTR else { throw .failed("poll", on: "writeback of \(object)") }
            clock_gettime(CLOCK_MONOTONIC, &now)
        }
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

extension timespec {
    fileprivate var milliseconds: Int { tv_sec * 1000 + tv_nsec / 1_000_000 }
}
