internal import CGStreamer
public import PlayerCore

/// The decoder that plays a film on this machine, and the way of its frames to the plane, as a trial found them.
public struct DecoderUse: Hashable, Sendable {
    /// The way of a frame between the decoder and the plane.
    public enum Route: Hashable, Sendable {
        /// The plane shows the decoder's memory.
        case withoutCopy
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
    }

    /// The way on which the player sends such frames (`VideoBranch.link`).
    static func route(of output: Output, to offer: PlaneOffer) -> Route {
        let (screen, info) = (offer.screen, output.caps.videoInfo)
        guard output.isInDeviceMemory else { return .copied([]) }
        var reasons: [String] = []
        if output.upright.then(screen.turn) != .identity { reasons.append("the pipeline turns the frames") }
        if output.caps.deviceFormat == nil, let info, info.interlace_mode != GST_VIDEO_INTERLACE_MODE_PROGRESSIVE {
            reasons.append("the pipeline makes whole frames of fields")
        }
        if screen.composesOSD { reasons.append("the bar is drawn into the frames while it is seen") }
        if screen.gravity != .resizeAspect { reasons.append("the pipeline fits the frames into the display") }
        if let info, !screen.canScale, (Int(info.width), Int(info.height)) != (screen.width, screen.height) {
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
        return reasons.isEmpty ? .withoutCopy : .copied(reasons)
    }

    /// The result as lines for people; the first names the decoder.
    /// - Parameter knowsScaling: as in `PlaneOffer`.
    public func lines(knowsScaling: Bool = true) -> [String] {
        let who = "\(decoder.name), of the \(decoder.isHardware ? "hardware" : "processor")"
        var how: String
        switch route {
        case .withoutCopy: how = "the plane shows its frames (\(format)) without a copy"
        case .copied(let reasons) where reasons.isEmpty: how = "each frame (\(format)) is copied for the plane"
        case .copied(let reasons): how = "each frame (\(format)) is copied: \(reasons.joined(separator: "; "))"
        case .unknown(let reason): how = "its frames are \(format); whether they are copied is not known: \(reason)"
        }
        if case .withoutCopy = route, !knowsScaling {
            how += ", if the plane scales: another program holds the display, and the driver was not asked"
        }
        return ["\(who): \(how)"] + passedOver.map { "not \($0.decoder.name): \($0.reason)" }
    }
}

extension Caps {
    /// GStreamer's name of the frames' format, or DRM's for device memory.
    var format: String { deviceFormat ?? first?.string("format") ?? "?" }
}
