/// Chooses the planes for the film and for the OSD on one CRTC.
enum PlaneRule {
    typealias Plane = DisplayInventory.Plane

    static let filmFormats: [PixelFormat] = [.yuv420, .nv12]
    static let rgbFormats: [PixelFormat] = [.xrgb8888, .argb8888]

    struct Result {
        var primary: UInt32?
        var film: PlaneChoice
        var osd: PlaneChoice?
        var reasons: [String]
    }

    /// `nil` if no plane can show a film.
    static func choose(from planes: [Plane], crtcID: UInt32) -> Result? {
        // A plane that another CRTC shows belongs to another display.
        let usable = planes.filter { $0.possibleCRTCs.contains(crtcID) && ($0.crtcID ?? crtcID) == crtcID }
        let primary = primary(of: usable, crtcID: crtcID)
        let overlays = usable.filter { $0.kind == .overlay }.sorted { isBelow($0, $1) }

        // The lowest overlay, so that the others are left to lie above it.
        let film: Plane
        let filmReason: String
        if let plane = overlays.first(where: { $0.takes(filmFormats) }) {
            film = plane
            filmReason = "an overlay that takes \(names(of: filmFormats, on: plane))"
        } else if let primary, primary.takes(filmFormats) {
            film = primary
            filmReason = "the primary plane, because no overlay takes YU12 or NV12 and it does"
        } else if let plane = overlays.first(where: { $0.takes(rgbFormats) }) {
            film = plane
            filmReason = "an overlay, though no plane takes YU12 or NV12: the pipeline has to convert to RGB"
        } else if let primary, primary.takes(rgbFormats) {
            film = primary
            filmReason = "the primary plane, the only one: the pipeline has to convert to RGB"
        } else {
            return nil
        }
        let filmPosition = film.stacking.flatMap { stacking -> Int? in
            guard stacking.isMutable else { return nil }
            let floor = film.kind == .primary ? stacking.lowest : (primary?.stacking?.position ?? -1) + 1
            return min(max(stacking.lowest, floor), stacking.highest)
        }
        var reasons = ["film on plane \(film.id): \(filmReason)"]

        let others = overlays.filter { $0.id != film.id }
        let above = others.filter { isPlaceable($0, above: film, at: filmPosition) }
        var osd: PlaneChoice?
        if let plane = above.first(where: { $0.takes([.argb8888]) }) {
            let position = plane.stacking.flatMap { stacking -> Int? in
                guard stacking.isMutable else { return nil }
                return min(max(stacking.lowest, (filmPosition ?? film.stacking?.position ?? 0) + 1), stacking.highest)
            }
            osd = PlaneChoice(plane, position: position, blend: blendMode(of: plane))
            reasons.append("OSD on plane \(plane.id): an overlay above the film that takes AR24")
        } else if others.isEmpty {
            reasons.append("no plane for the OSD: there is no overlay beside the film's plane")
        } else if above.isEmpty {
            reasons.append("no plane for the OSD: no other overlay lies above the film's plane")
        } else {
            reasons.append("no plane for the OSD: no overlay above the film's takes AR24")
        }
        return Result(
            primary: primary?.id, film: PlaneChoice(film, position: filmPosition, blend: nil), osd: osd,
            reasons: reasons)
    }

    /// The one that is on the CRTC now, else one that fits no other CRTC, else the first.
    static func primary(of planes: [Plane], crtcID: UInt32) -> Plane? {
        let primaries = planes.filter { $0.kind == .primary }
        return primaries.first { $0.crtcID == crtcID } ?? primaries.first { $0.possibleCRTCs == [crtcID] }
            ?? primaries.first
    }

    /// The order of planes as they stand: by the driver's stacking, else by id.
    static func isBelow(_ lower: Plane, _ upper: Plane) -> Bool {
        // A position that can be set anew says nothing: another program may have left it there.
        if let low = lower.stacking, let high = upper.stacking, !low.isMutable, !high.isMutable,
            low.position != high.position
        {
            return low.position < high.position
        }
        return lower.id < upper.id
    }

    private static func isPlaceable(_ plane: Plane, above film: Plane, at filmPosition: Int?) -> Bool {
        guard let stacking = plane.stacking, let filmStacking = film.stacking else {
            return film.kind == .primary || plane.id > film.id
        }
        let floor = filmPosition ?? filmStacking.position
        if stacking.isMutable { return stacking.highest > floor }
        return stacking.position > floor || (stacking.position == floor && plane.id > film.id)
    }

    /// The blend mode to ask for: pre-multiplied, because that is how the OSD is painted; `nil` if there is no choice.
    private static func blendMode(of plane: Plane) -> DisplayInventory.BlendMode? {
        plane.blendModes.first { $0.name == "Pre-multiplied" } ?? plane.blendModes.first { $0.name == "Coverage" }
    }

    private static func names(of formats: [PixelFormat], on plane: Plane) -> String {
        formats.filter(plane.formats.contains).map(\.description).joined(separator: " and ")
    }
}

extension DisplayInventory.Plane {
    /// Whether it takes any of the formats.
    func takes(_ formats: [PixelFormat]) -> Bool {
        formats.contains(where: self.formats.contains)
    }
}
