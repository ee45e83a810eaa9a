internal import CGStreamer
public import PlayerCore

/// The decoder that plays a film on this machine, and the way of its frames to the plane, as a trial found them.
public struct DecoderUse: Hashable, Sendable {
    /// The way of a frame between the decoder and the plane.
    public enum Route: Hashable, Sendable {
        /// The plane shows the decoder's memory.
        case withoutCopy
        /// The plane shows the decoder's memory, except while the bar is drawn into the frames.
        case copiedWithBar
        /// Each frame is copied, for these reasons; none for a software decoder, whose memory no plane reads.
        case copied([String])
        /// There is no display to ask, for this reason.
        case unknown(String)
    }

    /// A higher ranked decoder that does not play the film.
    public struct PassedOver: Hashable, Sendable {
        public var decoder: VideoDecoder
        public var reason: String

        public init(decoder: VideoDecoder, reason: String) {
            self.decoder = decoder
            self.reason = reason
        }
    }

    public var decoder: VideoDecoder
    /// GStreamer's name of the frames' format, or DRM's: "I420", "NV12", "NV12:0x0700000000000004".
    public var format: String
    public var route: Route
    /// In the order in which they were tried.
    public var passedOver: [PassedOver]

    public init(decoder: VideoDecoder, format: String, route: Route, passedOver: [PassedOver] = []) {
        self.decoder = decoder
        self.format = format
        self.route = route
        self.passedOver = passedOver
    }
}

extension DecoderUse {
    /// A decoder's output frame.
    struct Output: Sendable {
        var caps: Caps
        var isInDeviceMemory: Bool
        /// The transform that brings the film upright.
        var upright: DisplayTransform
        /// As `Pad.hasUnmarkedFields`.
        var hasUnmarkedFields = false
    }

    /// The way on which the player sends such frames (`VideoBranch.link`).
    static func route(of output: Output, to offer: PlaneOffer) -> Route {
        var (screen, info) = (offer.screen, output.caps.videoInfo)
        guard output.isInDeviceMemory else { return .copied([]) }
        screen.turn = output.upright.then(screen.turn)
        var reasons: [String] = []
        if screen.turn != .identity { reasons.append("the pipeline turns the frames") }
        if output.hasUnmarkedFields || info.map({ $0.interlace_mode != GST_VIDEO_INTERLACE_MODE_PROGRESSIVE }) == true {
            reasons.append("the pipeline makes whole frames of fields")
        }
        if screen.gravity != .resizeAspect { reasons.append("the pipeline fits the frames into the display") }
        if !screen.canScale, let format = output.caps.deviceFormat {
            reasons.append("the plane does not scale, and then takes no \(format)")
        } else if let info, !screen.canScale, !screen.isFitted(info) {
            let (film, display) = ("\(info.width)x\(info.height)", "\(screen.width)x\(screen.height)")
            reasons.append("the plane does not scale, and \(film) is shown on \(display)")
        }
        if let film = info.flatMap(FilmColor.init), screen.color(of: film) != film {
            reasons.append("the plane has no setting for the film's colours")
        }
        let isTaken =
            output.caps.deviceFormat.map { offer.deviceFormats.contains($0) }
            ?? screen.formats.contains(output.caps.format)
        if !isTaken { reasons.append("the plane does not take \(output.caps.format)") }
        guard !reasons.isEmpty else { return screen.composesOSD ? .copiedWithBar : .withoutCopy }
        if screen.composesOSD { reasons.append("the bar is drawn into the frames while it is seen") }
        return .copied(reasons)
    }

    /// Why the player leaves the decoder of these frames for the next one (`VideoBranch.link`): only a device reads
    /// them, and the pipeline would have to change them. `nil` if it does not.
    static func reasonToLeave(_ output: Output, on route: Route) -> String? {
        guard output.caps.inDeviceMemory != nil, case .copied(let reasons) = route, !reasons.isEmpty else { return nil }
        return "it makes \(output.caps.format), but \(reasons.joined(separator: "; "))"
    }

    /// The result as lines for people; the first names the decoder.
    /// - Parameter knowsScaling: as in `PlaneOffer`.
    public func lines(knowsScaling: Bool = true) -> [String] {
        let who = "\(decoder.name), of the \(decoder.isHardware ? "hardware" : "processor")"
        var how: String
        switch route {
        case .withoutCopy: how = "the plane shows its frames (\(format)) without a copy"
        case .copiedWithBar:
            how = "the plane shows its frames (\(format)) without a copy, except while the bar is drawn into them"
        case .copied(let reasons) where reasons.isEmpty: how = "each frame (\(format)) is copied for the plane"
        case .copied(let reasons): how = "each frame (\(format)) is copied: \(reasons.joined(separator: "; "))"
        case .unknown(let reason): how = "its frames are \(format); whether they are copied is not known: \(reason)"
        }
        if !knowsScaling, [.withoutCopy, .copiedWithBar].contains(route) {
            how += ", if the plane scales: another program holds the display, and the driver was not asked"
        }
        return ["\(who): \(how)"] + passedOver.map { "not \($0.decoder.name): \($0.reason)" }
    }
}

extension FilmOutput.Screen {
    /// Whether a plane that does not scale shows frames of this size as they are.
    fileprivate func isFitted(_ film: GstVideoInfo) -> Bool {
        size(of: film, without: nil) == (Int(film.width), Int(film.height)) && film.par_n == film.par_d
            && !(coversDisplay && area != whole)
    }
}

extension Caps {
    /// GStreamer's name of the frames' format, or DRM's for device memory.
    var format: String { deviceFormat ?? first?.string("format") ?? "?" }
}
