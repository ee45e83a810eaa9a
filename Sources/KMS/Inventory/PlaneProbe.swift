internal import CDRM
internal import Glibc

/// Asks the driver by TEST_ONLY commits what planes would do on a display; what the display shows does not change.
/// Needs master and atomic commits.
final class PlaneProbe {
    private let card: CardHandle
    private let choice: DisplayChoice
    private let background: DumbBuffer
    private let mode: ModeBlob
    private let connector: ObjectProperties
    private let crtc: ObjectProperties
    /// All planes that the CRTC shows or that are asked about, by id.
    private var planes: [UInt32: ObjectProperties]
    private var pictures: [PixelFormat: DumbBuffer] = [:]

    /// A picture of this size is shown larger and smaller: half the display's, even as YUV wants it.
    private var pictureSize: (width: Int, height: Int) {
        (max(choice.mode.width / 2 & ~15, 16), max(choice.mode.height / 2 & ~15, 16))
    }

    /// Sets up the questions. `background`, a framebuffer of the mode's size for the primary plane, is made where there is
    /// none. Throws if the driver does not take the mode with nothing but that.
    init(choice: DisplayChoice, on card: CardHandle, background: DumbBuffer? = nil) throws(KMSError) {
        self.card = card
        self.choice = choice
        if let background {
            self.background = background
        } else {
            self.background = try DumbBuffer(
                on: card, width: choice.mode.width, height: choice.mode.height, format: .xrgb8888)
        }
        mode = try ModeBlob(choice.mode, connectorID: choice.connectorID, on: card)
        connector = ObjectProperties(of: choice.connectorID, type: DRM_MODE_OBJECT_CONNECTOR, on: card)
        crtc = ObjectProperties(of: choice.crtcID, type: DRM_MODE_OBJECT_CRTC, on: card)
        planes = [:]
        for id in PlaneList.ids(on: card)
        where id == choice.primaryPlaneID || id == choice.filmPlane.id
            || id == choice.osdPlane?.id || PlaneList.crtc(of: id, on: card) == choice.crtcID
        {
            planes[id] = ObjectProperties(of: id, type: DRM_MODE_OBJECT_PLANE, on: card)
        }
        guard try accepts([]) else {
            throw .unsupported("\(card.path) does not take the mode \(choice.mode) on \(choice.connectorName)")
        }
    }

    /// Whether the plane shows a picture both larger and smaller than it is; `nil` if it takes no known format.
    func scales(_ plane: DisplayInventory.Plane) -> Bool? {
        scales(planeID: plane.id, formats: plane.formats)
    }

    func scales(planeID: UInt32, formats: [PixelFormat]) -> Bool? {
        guard let picture = try? picture(for: formats) else { return nil }
        let display = choice.mode
        let sizes = [(display.width, display.height), (picture.width / 2, picture.height / 2)]
        return sizes.allSatisfy { width, height in
            (try? accepts([Use(plane: planeID, buffer: picture, width: width, height: height)])) == true
        }
    }

    /// Whether the film's plane and the OSD's can be on at the same time.
    func acceptsOSD(on osdPlane: PlaneChoice) -> Bool {
        guard let film = try? picture(for: choice.filmPlane.formats),
            let osd = try? DumbBuffer(
                on: card, width: choice.mode.width, height: max(choice.mode.height / 8, 2), format: .argb8888)
        else { return false }
        let uses = [
            Use(plane: choice.filmPlane.id, buffer: film, width: film.width, height: film.height),
            Use(
                plane: osdPlane.id, buffer: osd, width: osd.width, height: osd.height,
                y: choice.mode.height - osd.height),
        ]
        return (try? accepts(uses)) == true
    }

    private struct Use {
        var plane: UInt32
        var buffer: DumbBuffer
        var width: Int
        var height: Int
        var y = 0
    }

    private func picture(for formats: [PixelFormat]) throws(KMSError) -> DumbBuffer? {
        guard let format = (PlaneRule.filmFormats + PlaneRule.rgbFormats).first(where: formats.contains) else {
            return nil
        }
        if let picture = pictures[format] { return picture }
        let size = pictureSize
        let picture = try DumbBuffer(on: card, width: size.width, height: size.height, format: format)
        pictures[format] = picture
        return picture
    }

    /// Asks for the mode with the background and these planes, all others of the CRTC off.
    private func accepts(_ uses: [Use]) throws(KMSError) -> Bool {
        var uses = uses
        if let primary = choice.primaryPlaneID, !uses.contains(where: { $0.plane == primary }) {
            uses.append(
                Use(plane: primary, buffer: background, width: choice.mode.width, height: choice.mode.height))
        }
        let request = try AtomicRequest()
        try request.set("CRTC_ID", of: connector, to: UInt64(choice.crtcID))
        try request.set("MODE_ID", of: crtc, to: UInt64(mode.id))
        try request.set("ACTIVE", of: crtc, to: 1)
        for use in uses where planes[use.plane] == nil {
            planes[use.plane] = ObjectProperties(of: use.plane, type: DRM_MODE_OBJECT_PLANE, on: card)
        }
        for (id, plane) in planes {
            guard let use = uses.first(where: { $0.plane == id }) else {
                try request.set("FB_ID", of: plane, to: 0)
                try request.set("CRTC_ID", of: plane, to: 0)
                continue
            }
            let values: [(String, Int)] = [
                ("FB_ID", Int(use.buffer.framebufferID)), ("CRTC_ID", Int(choice.crtcID)),
                ("SRC_X", 0), ("SRC_Y", 0), ("SRC_W", use.buffer.width << 16), ("SRC_H", use.buffer.height << 16),
                ("CRTC_X", 0), ("CRTC_Y", use.y), ("CRTC_W", use.width), ("CRTC_H", use.height),
            ]
            for (name, value) in values { try request.set(name, of: plane, to: UInt64(value)) }
        }
        return request.isAccepted(by: card, allowingModeset: true)
    }
}

/// A mode as a property's value, in the kernel for as long as this lives.
private final class ModeBlob {
    let id: UInt32
    private let card: CardHandle

    init(_ mode: DisplayMode, connectorID: UInt32, on card: CardHandle) throws(KMSError) {
        var info = try mode.timings(connectorID: connectorID, on: card)
        var id: UInt32 = 0
        guard
            drmModeCreatePropertyBlob(card.fileDescriptor, &info, MemoryLayout<drmModeModeInfo>.size, &id) == 0
        else { throw .failed("drmModeCreatePropertyBlob", on: card.path) }
        self.id = id
        self.card = card
    }

    deinit {
        drmModeDestroyPropertyBlob(card.fileDescriptor, id)
    }
}

extension DisplayMode {
    /// The kernel's timings of this mode on a connector; of several the first.
    func timings(connectorID: UInt32, on card: CardHandle) throws(KMSError) -> drmModeModeInfo {
        // What the kernel found at its last look comes first: asking the display again takes some 100 ms.
        for read in [drmModeGetConnectorCurrent, drmModeGetConnector] {
            guard let connector = read(card.fileDescriptor, connectorID) else { continue }
            defer { drmModeFreeConnector(connector) }
            let modes = (0..<Int(connector.pointee.count_modes)).map { connector.pointee.modes[$0] }
            if let info = modes.first(where: { DisplayMode($0) == self }) { return info }
        }
        throw .failed("find mode \(self)", on: "connector \(connectorID) of \(card.path)", code: ENOENT)
    }
}

enum PlaneList {
    static func ids(on card: CardHandle) -> [UInt32] {
        guard let list = drmModeGetPlaneResources(card.fileDescriptor) else { return [] }
        defer { drmModeFreePlaneResources(list) }
        return (0..<Int(list.pointee.count_planes)).map { list.pointee.planes[$0] }
    }

    /// The CRTC that a plane is on; 0 if it is off.
    static func crtc(of plane: UInt32, on card: CardHandle) -> UInt32 {
        guard let plane = drmModeGetPlane(card.fileDescriptor, plane) else { return 0 }
        defer { drmModeFreePlane(plane) }
        return plane.pointee.crtc_id
    }
}
