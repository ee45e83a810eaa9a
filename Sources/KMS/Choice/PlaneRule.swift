/// The ways to use the planes of one CRTC for film and OSD, the best first.
///
/// YCbCr for the film takes precedence over own planes for both, because converting each frame to RGB costs more than
/// own planes gain.
enum PlaneRule {
    typealias Plane = DisplayInventory.Plane

    static let filmFormats: [PixelFormat] = [.yuv420, .nv12]
    static let rgbFormats: [PixelFormat] = [.xrgb8888, .argb8888]

    struct Result {
        var primary: UInt32?
        /// At least one, unless the request cannot be fulfilled.
        var layouts: [PlaneLayout]
        /// Whether any plane can show a film at all.
        var hasFilmPlane: Bool
    }

    static func choose(from planes: [Plane], crtcID: UInt32, osd: OSDRequest = .automatic) -> Result {
        // A plane that is on another CRTC belongs to another display.
        let usable = planes.filter { $0.possibleCRTCs.contains(crtcID) && ($0.crtcID ?? crtcID) == crtcID }
        let ladder = Ladder(
            primary: primary(of: usable, crtcID: crtcID),
            overlays: usable.filter { $0.kind == .overlay }.sorted { isBelow($0, $1) })
        let layouts =
            switch osd {
            case .automatic: ladder.withOSDPlane() + ladder.composited(why: ladder.whyNoOSDPlane())
            case .plane: ladder.withOSDPlane()
            case .composited: ladder.composited(why: "it was asked for")
            case .off: ladder.filmAlone()
            }
        return Result(
            primary: ladder.primary?.id, layouts: layouts, hasFilmPlane: !ladder.composited(why: "").isEmpty)
    }

    /// The primary plane that is on the CRTC now, else one that fits no other CRTC, else the first.
    static func primary(of planes: [Plane], crtcID: UInt32) -> Plane? {
        let primaries = planes.filter { $0.kind == .primary }
        return primaries.first { $0.crtcID == crtcID } ?? primaries.first { $0.possibleCRTCs == [crtcID] }
            ?? primaries.first
    }

    /// Whether a plane is below another: by the driver's stacking, else by id.
    static func isBelow(_ lower: Plane, _ upper: Plane) -> Bool {
        // A mutable position is not relied upon: another program may have set it.
        if let low = lower.stacking, let high = upper.stacking, !low.isMutable, !high.isMutable,
            low.position != high.position
        {
            return low.position < high.position
        }
        return lower.id < upper.id
    }
}

/// The usable planes of a CRTC.
private struct Ladder {
    typealias Plane = DisplayInventory.Plane

    let primary: Plane?
    /// The lowest first, so that others remain above the film.
    let overlays: [Plane]

    /// The layouts with a plane for film and OSD each: YCbCr first, then RGB; on overlays first, then with the film on
    /// the primary.
    func withOSDPlane() -> [PlaneLayout] {
        [PlaneRule.filmFormats, PlaneRule.rgbFormats].flatMap { formats in
            let onOverlay = overlays.lazy.filter { $0.takes(formats) }.compactMap { withOSD($0, .planes) }.first
            let onPrimary = primary.flatMap { $0.takes(formats) ? withOSD($0, .filmOnPrimary) : nil }
            return [onOverlay, onPrimary].compactMap { $0 }
        }
    }

    /// The layouts with one plane for RGB frames that contain the OSD. Planes that accept the plain film's YCbCr too
    /// are first.
    func composited(why: String) -> [PlaneLayout] {
        let all = overlays + [primary].compactMap { $0 }
        let rgb = all.filter { $0.takes(PlaneRule.rgbFormats) }
        let ranked =
            rgb.filter { $0.takes(PlaneRule.filmFormats) } + rgb.filter { !$0.takes(PlaneRule.filmFormats) }
            + all.filter { !$0.takes(PlaneRule.rgbFormats) && $0.takes(PlaneRule.filmFormats) }
        return ranked.map { plane in
            PlaneLayout(
                step: .composited, film: choice(plane, position: filmPosition(of: plane)),
                reasons: [filmReason(plane), "the OSD is drawn into the film's frames: \(why)"])
        }
    }

    func filmAlone() -> [PlaneLayout] {
        [PlaneRule.filmFormats, PlaneRule.rgbFormats].flatMap { formats in
            (overlays + [primary].compactMap { $0 }).filter { $0.takes(formats) }.prefix(2).map { plane in
                PlaneLayout(
                    step: plane.kind == .primary ? .filmOnPrimary : .planes,
                    film: choice(plane, position: filmPosition(of: plane)),
                    reasons: [filmReason(plane), "no OSD: it was asked for"])
            }
        }
    }

    func whyNoOSDPlane() -> String {
        if overlays.isEmpty { return "the display has no overlay" }
        if !overlays.contains(where: { $0.takes([.argb8888]) }) { return "no overlay takes AR24" }
        return "no overlay that takes AR24 lies above one for the film"
    }

    private func withOSD(_ film: Plane, _ step: DisplayStep) -> PlaneLayout? {
        let position = filmPosition(of: film)
        guard
            let plane = overlays.first(where: {
                $0.id != film.id && $0.takes([.argb8888]) && Self.isPlaceable($0, above: film, at: position)
            })
        else { return nil }
        let osdPosition = plane.stacking.flatMap { stacking -> Int? in
            guard stacking.isMutable else { return nil }
            return min(max(stacking.lowest, (position ?? film.stacking?.position ?? 0) + 1), stacking.highest)
        }
        var osd = choice(plane, position: osdPosition)
        osd.blendMode = Self.blendMode(of: plane)
        return PlaneLayout(
            step: step, film: choice(film, position: position), osd: osd,
            reasons: [
                filmReason(film), "OSD on plane \(plane.id): an overlay above the film's plane that takes AR24",
            ])
    }

    private func choice(_ plane: Plane, position: Int?) -> PlaneChoice {
        PlaneChoice(plane, position: position, blend: nil)
    }

    private func filmPosition(of film: Plane) -> Int? {
        film.stacking.flatMap { stacking -> Int? in
            guard stacking.isMutable else { return nil }
            let floor = film.kind == .primary ? stacking.lowest : (primary?.stacking?.position ?? -1) + 1
            return min(max(stacking.lowest, floor), stacking.highest)
        }
    }

    private func filmReason(_ film: Plane) -> String {
        let kind = film.kind == .primary ? "the primary plane" : "an overlay"
        let known = PlaneRule.filmFormats.filter(film.formats.contains).map(\.description)
        return "film on plane \(film.id): \(kind), "
            + (known.isEmpty
                ? "which takes neither YU12 nor NV12: the pipeline has to convert to RGB"
                : "which takes \(known.joined(separator: " and "))")
    }

    private static func isPlaceable(_ plane: Plane, above film: Plane, at filmPosition: Int?) -> Bool {
        guard let stacking = plane.stacking, let filmStacking = film.stacking else {
            return film.kind == .primary || plane.id > film.id
        }
        let floor = filmPosition ?? filmStacking.position
        if stacking.isMutable { return stacking.highest > floor }
        return stacking.position > floor || (stacking.position == floor && plane.id > film.id)
    }

    /// The blend mode to set: pre-multiplied, because the OSD is painted so; `nil` if there is no choice.
    private static func blendMode(of plane: Plane) -> DisplayInventory.BlendMode? {
        plane.blendModes.first { $0.name == "Pre-multiplied" } ?? plane.blendModes.first { $0.name == "Coverage" }
    }
}

extension DisplayInventory.Plane {
    /// Whether the plane accepts any of the formats.
    func takes(_ formats: [PixelFormat]) -> Bool {
        formats.contains(where: self.formats.contains)
    }
}
