internal import CDRM
internal import Glibc
internal import PlayerCore

/// Probes the planes of a display by TEST_ONLY commits; the screen does not change. Needs master and atomic commits.
final class PlaneProbe {
    private let card: CardHandle
    private let choice: DisplayChoice
    private let background: DumbBuffer
    private let mode: ModeBlob
    private let connector: ObjectProperties
    private let crtc: ObjectProperties
    /// All planes on the CRTC and all that are probed, by id.
    private var planes: [UInt32: ObjectProperties]
    private var pictures: [PictureKind: DumbBuffer] = [:]

    private struct PictureKind: Hashable {
        var width: Int
        var height: Int
        var format: PixelFormat
    }

    /// Prepares the probe. `background`, a framebuffer of the mode's size for the primary plane, is created if omitted.
    /// Throws if the driver does not accept the mode with that alone.
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

    /// Whether the plane both enlarges and shrinks a picture; `nil` if it accepts no known format.
    func scales(_ plane: DisplayInventory.Plane) -> Bool? {
        guard let format = Self.format(of: plane.formats, for: .planes) else { return nil }
        return scales(plane.id, format: format, rotation: nil)
    }

    /// The choice with the driver's answers: the first layout that it accepts, with the capabilities of its planes.
    /// - Throws: `noOSDPlane` if it accepts none and a plane was requested for the OSD.
    func decide() throws(KMSError) -> DisplayChoice {
        var decided = choice
        let first = PlaneLayout(step: choice.step, film: choice.filmPlane, osd: choice.osdPlane, reasons: [])
        decided.alternatives = []
        for layout in [first] + choice.alternatives {
            if let answered = answer(layout) {
                decided.use(answered)
                return decided
            }
            decided.reasons.append("the driver refused \(layout.summary)")
        }
        if choice.osdPlane != nil, choice.alternatives.allSatisfy({ $0.osd != nil }) {
            throw .noOSDPlane(card: choice.card, connector: choice.connectorName)
        }
        // A driver that refuses every test may still accept the frames.
        var last = choice.alternatives.last ?? first
        last.film.rotation = nil
        last.film.scales = false
        last.film.mustCover = true
        decided.use(last)
        return decided
    }

    /// The layout with the capabilities of its planes, and the reasons; `nil` if the driver does not accept it.
    private func answer(_ layout: PlaneLayout) -> PlaneLayout? {
        guard let format = Self.format(of: layout.film.formats, for: layout.step) else { return nil }
        // Turning takes precedence over scaling: in the pipeline either touches every pixel, and turning costs more.
        for rotation in layout.film.rotation.map({ [$0, nil] }) ?? [nil] {
            guard let cover = use(layout.film.id, format: format, rotation: rotation, of: 1), takes([cover]) else {
                continue
            }
            var answer = layout
            answer.film.rotation = rotation
            if let osd = layout.osd {
                guard let turned = takesOSD(osd, above: cover) else { continue }
                answer.osd = turned
            }
            let scales = scales(layout.film.id, format: format, rotation: rotation)
            answer.film.scales = scales
            answer.film.mustCover = !takesPlaced(layout.film.id, format: format, rotation: rotation)
            answer.reasons += [
                scales
                    ? "plane \(layout.film.id) scales the film: the driver took a test of it"
                    : "the pipeline scales the film: plane \(layout.film.id) does not"
            ]
            if answer.film.mustCover == true {
                answer.reasons.append("the film's frames get black borders: plane \(layout.film.id) must be covered")
            }
            answer.reasons += turningReasons(answer, asked: layout)
            return answer
        }
        return nil
    }

    private func turningReasons(_ layout: PlaneLayout, asked: PlaneLayout) -> [String] {
        guard choice.transform != .identity else { return [] }
        func reason(_ what: String, _ plane: PlaneChoice, asked: PlaneChoice) -> String {
            if let rotation = plane.rotation {
                return "plane \(plane.id) turns \(what) by \(choice.transform) (\(rotation)), which costs nothing"
            }
            let why =
                asked.rotation != nil
                ? "the driver refused a test of plane \(plane.id)"
                : PlaneRotation(choice.transform, supported: asked.rotations) == nil
                    ? "plane \(plane.id) cannot" : "plane \(plane.id) is not to do it"
            return "the pipeline turns \(what) by \(choice.transform): \(why)"
        }
        let film = reason("the film", layout.film, asked: asked.film)
        guard let osd = layout.osd, let askedOSD = asked.osd else { return [film] }
        return [film, reason("the OSD", osd, asked: askedOSD)]
    }

    /// The OSD's plane, with its rotation if accepted, on at the same time as the film's; `nil` if it is refused.
    private func takesOSD(_ plane: PlaneChoice, above film: Use) -> PlaneChoice? {
        let display = choice.mode
        let viewer = choice.transform.size(width: display.width, height: display.height)
        let height = max(viewer.height / 8, 2)
        let bar = OSDLayout.Rectangle(x: 0, y: viewer.height - height, width: viewer.width, height: height)
        let place = choice.transform.place(bar, displayWidth: display.width, displayHeight: display.height)
        for rotation in plane.rotation.map({ [$0, nil] }) ?? [nil] {
            let size = rotation == nil ? (place.width, place.height) : (bar.width, bar.height)
            guard let picture = picture(width: size.0, height: size.1, format: .argb8888) else { return nil }
            let osd = Use(
                plane: plane.id, buffer: picture, x: place.x, y: place.y, width: place.width, height: place.height,
                rotation: rotation)
            if takes([film, osd]) {
                var plane = plane
                plane.rotation = rotation
                return plane
            }
        }
        return nil
    }

    /// Whether the plane shows half the display's picture on the whole display, and on a quarter of it.
    private func scales(_ plane: UInt32, format: PixelFormat, rotation: PlaneRotation?) -> Bool {
        guard let half = use(plane, format: format, rotation: rotation, of: 2) else { return false }
        var larger = half
        larger.width = choice.mode.width
        larger.height = choice.mode.height
        var smaller = half
        smaller.width /= 2
        smaller.height /= 2
        return takes([larger]) && takes([smaller])
    }

    /// Whether the plane shows a picture at its own size in the middle of the display.
    private func takesPlaced(_ plane: UInt32, format: PixelFormat, rotation: PlaneRotation?) -> Bool {
        guard var placed = use(plane, format: format, rotation: rotation, of: 2) else { return false }
        placed.x = 16
        placed.y = 16
        return takes([placed])
    }

    /// A use of a plane that shows, at its own size, a picture of the display's size or a fraction of it.
    private func use(_ plane: UInt32, format: PixelFormat, rotation: PlaneRotation?, of part: Int) -> Use? {
        // A fraction is kept even, as YCbCr requires.
        func side(_ length: Int) -> Int { part == 1 ? length : max(length / part & ~15, 16) }
        let (width, height) = (side(choice.mode.width), side(choice.mode.height))
        let swaps = rotation?.swapsSides == true
        guard let picture = picture(width: swaps ? height : width, height: swaps ? width : height, format: format)
        else { return nil }
        return Use(plane: plane, buffer: picture, width: width, height: height, rotation: rotation)
    }

    /// The most likely format of a film's frames.
    private static func format(of formats: [PixelFormat], for step: DisplayStep) -> PixelFormat? {
        let known =
            step == .composited
            ? PlaneRule.rgbFormats + PlaneRule.filmFormats : PlaneRule.filmFormats + PlaneRule.rgbFormats
        return known.first(where: formats.contains)
    }

    private struct Use {
        var plane: UInt32
        var buffer: DumbBuffer
        var x = 0
        var y = 0
        var width: Int
        var height: Int
        var rotation: PlaneRotation?
    }

    /// `nil` if the card has no memory for it, or refuses the size.
    private func picture(width: Int, height: Int, format: PixelFormat) -> DumbBuffer? {
        let kind = PictureKind(width: width, height: height, format: format)
        if let picture = pictures[kind] { return picture }
        let picture = try? DumbBuffer(on: card, width: width, height: height, format: format)
        pictures[kind] = picture
        return picture
    }

    private func takes(_ uses: [Use]) -> Bool { (try? accepts(uses)) == true }

    /// Tests the mode with the background and these planes, all other planes of the CRTC off.
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
                ("CRTC_X", use.x), ("CRTC_Y", use.y), ("CRTC_W", use.width), ("CRTC_H", use.height),
            ]
            for (name, value) in values { try request.set(name, of: plane, to: UInt64(value)) }
            if plane["rotation"] != nil {
                try request.set("rotation", of: plane, to: (use.rotation ?? .rotate0).rawValue)
            }
        }
        return request.isAccepted(by: card, allowingModeset: true)
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
