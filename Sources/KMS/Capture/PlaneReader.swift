internal import CDRM
internal import Glibc

/// Reads the contents of a CRTC's planes back into memory.
enum PlaneReader {
    /// The layers of a CRTC, the lowest first.
    ///
    /// A picture that its owner is changing may be torn.
    static func layers(of crtcID: UInt32, on card: CardHandle) throws(KMSError) -> [PlaneLayer] {
        var layers: [(position: (UInt64, UInt32), layer: PlaneLayer)] = []
        for id in PlaneList.ids(on: card) where PlaneList.crtc(of: id, on: card) == crtcID {
            let properties = ObjectProperties(of: id, type: DRM_MODE_OBJECT_PLANE, on: card)
            guard let layer = try layer(of: id, properties, on: card) else { continue }
            layers.append(((stackingPosition(properties), id), layer))
        }
        return layers.sorted { $0.position < $1.position }.map(\.layer)
    }

    /// The driver's `zpos`, else the kind: primary, overlays, cursor.
    private static func stackingPosition(_ plane: ObjectProperties) -> UInt64 {
        if let position = plane["zpos"]?.value { return position }
        return switch plane["type"].map({ Int32(truncatingIfNeeded: $0.value) }) {
        case DRM_PLANE_TYPE_PRIMARY: 0
        case DRM_PLANE_TYPE_CURSOR: 2
        default: 1
        }
    }

    private static func layer(
        of id: UInt32, _ properties: ObjectProperties, on card: CardHandle
    ) throws(KMSError) -> PlaneLayer? {
        guard let framebufferID = properties["FB_ID"]?.value, framebufferID != 0,
            // The framebuffer may have been replaced and removed meanwhile.
            let framebuffer = drmModeGetFB2(card.fileDescriptor, UInt32(truncatingIfNeeded: framebufferID))
        else { return nil }
        defer {
            GEMHandles.close(framebuffer.pointee, on: card)
            drmModeFreeFB2(framebuffer)
        }
        let format = PixelFormat(rawValue: framebuffer.pointee.pixel_format)
        let hasModifier = framebuffer.pointee.flags & UInt32(DRM_MODE_FB_MODIFIERS) != 0
        let modifier = hasModifier ? framebuffer.pointee.modifier : CDRM_FORMAT_MOD_LINEAR
        guard let layout = format.layout, modifier == CDRM_FORMAT_MOD_LINEAR else {
            throw .unreadableFramebuffer(plane: id, format: format, modifier: modifier)
        }
        func value(_ name: String) -> UInt64 { properties[name]?.value ?? 0 }
        func signed(_ name: String) -> Int { Int(Int32(truncatingIfNeeded: value(name))) }
        func fixed(_ name: String) -> Double { Double(value(name)) / 65536 }
        func name(_ property: String) -> String? {
            properties[property].flatMap { property in property.namedValues.first { $0.value == property.value }?.name }
        }
        let height = Int(framebuffer.pointee.height)
        let components = try components(of: framebuffer.pointee, layout: layout, on: card)
        return PlaneLayer(
            format: format, width: Int(framebuffer.pointee.width), height: height, components: components,
            source: .init(x: fixed("SRC_X"), y: fixed("SRC_Y"), width: fixed("SRC_W"), height: fixed("SRC_H")),
            destination: .init(
                x: signed("CRTC_X"), y: signed("CRTC_Y"), width: Int(value("CRTC_W")), height: Int(value("CRTC_H"))),
            rotation: properties["rotation"].map { PlaneRotation(rawValue: $0.value) } ?? .rotate0,
            blend: name("pixel blend mode") == "None"
                ? .none : name("pixel blend mode") == "Coverage" ? .coverage : .preMultiplied,
            alpha: UInt16(truncatingIfNeeded: properties["alpha"]?.value ?? 65535),
            encoding: name("COLOR_ENCODING").flatMap(ColorEncoding.init) ?? .assumed(forHeight: height),
            range: name("COLOR_RANGE").flatMap(ColorRange.init) ?? .limited)
    }

    private static func components(
        of framebuffer: drmModeFB2, layout: PixelFormat.Layout, on card: CardHandle
    ) throws(KMSError) -> [PlaneLayer.Component] {
        let handles = [framebuffer.handles.0, framebuffer.handles.1, framebuffer.handles.2]
        let pitches = [framebuffer.pitches.0, framebuffer.pitches.1, framebuffer.pitches.2].map(Int.init)
        let offsets = [framebuffer.offsets.0, framebuffer.offsets.1, framebuffer.offsets.2].map(Int.init)
        let height = Int(framebuffer.height)
        let lines =
            switch layout {
            case .packed: [height]
            case .twoPlanes420: [height, (height + 1) / 2]
            case .threePlanes420: [height, (height + 1) / 2, (height + 1) / 2]
            }
        var components: [PlaneLayer.Component] = []
        for (index, lines) in lines.enumerated() {
            // Only a master gets handles; without them the framebuffer cannot be read.
            guard handles[index] != 0 else { throw .failed("drmModeGetFB2", on: card.path, code: EACCES) }
            let memory = try MappedGEM(
                handle: handles[index], size: offsets[index] + pitches[index] * lines, on: card)
            components.append(
                PlaneLayer.Component(
                    bytes: memory.copy(from: offsets[index], count: pitches[index] * lines), pitch: pitches[index]))
        }
        return components
    }
}

/// The mapped memory of a GEM object, readable while this object lives.
private final class MappedGEM {
    private let bytes: UnsafeMutableRawBufferPointer
    /// The DMA-BUF behind the mapping, if it was mapped that way.
    private let descriptor: CInt?

    init(handle: UInt32, size: Int, on card: CardHandle) throws(KMSError) {
        // Memory that another device shared (a hardware decoder's) cannot be mapped through the card, but through its
        // DMA-BUF.
        var descriptor: CInt = -1
        if drmPrimeHandleToFD(card.fileDescriptor, handle, UInt32(O_CLOEXEC), &descriptor) == 0 {
            let address = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0)
            if let address, address != MAP_FAILED {
                bytes = UnsafeMutableRawBufferPointer(start: address, count: size)
                self.descriptor = descriptor
                _ = cdrm_dma_buf_sync(descriptor, CDRM_SYNC_BEGIN_READ)
                return
            }
            close(descriptor)
        }
        bytes = try DumbBuffer.map(handle: handle, size: size, on: card, protection: PROT_READ)
        self.descriptor = nil
    }

    deinit {
        if let descriptor { _ = cdrm_dma_buf_sync(descriptor, CDRM_SYNC_END_READ) }
        munmap(bytes.baseAddress, bytes.count)
        if let descriptor { close(descriptor) }
    }

    /// Copies in one pass, because reading uncached memory pixel by pixel is slow.
    func copy(from offset: Int, count: Int) -> [UInt8] {
        [UInt8](bytes[offset..<offset + count])
    }
}
