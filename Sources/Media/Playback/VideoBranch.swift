internal import CGStreamer
internal import PlayerCore
internal import Synchronization

/// The film's branch from the decoder to the plane: `queue ! [deinterlace !] [videoconvertscale ! capsfilter !] video
/// sink`, with a frame gate behind the queue.
///
/// Created before there is a pad to link, so that the pipeline's worker and the streaming thread that links it share
/// only constants. Thread: any, after `init`; GStreamer's objects lock for themselves.
final class VideoBranch: Sendable {
    let sink: VideoSink
    /// Drops frames behind the decoder.
    let gate = FrameGate(isBehindDecoder: true)
    /// Handles the decoder's input.
    let input = FrameInput()
    let decoder: FilmDecoder
    private let queue: Element
    let screen: FilmOutput.Screen?
    /// Whether the sink holds frames back until the preroll is released.
    let holdsFirstFrame: Bool
    private let color: PlaneColor?
    private let linkedUpright = Mutex(DisplayTransform.identity)

    /// - Parameters:
    ///   - isHeld: whether another film has the plane until `takePlane`.
    ///   - spare: an open sink to use.
    ///   - avoided: the decoders that the film did not play with.
    init(
        screen: FilmOutput.Screen?, setColor: (@Sendable (FilmColor) -> Void)? = nil, holdsPreroll: Bool = false,
        spare: SpareSink? = nil, avoiding avoided: AvoidedDecoders = AvoidedDecoders()
    ) throws(MediaFailure) {
        self.screen = screen
        decoder = FilmDecoder(avoiding: avoided)
        color = setColor.map { PlaneColor(holdsPreroll: holdsPreroll, set: $0) }
        // A window appears as soon as its first frame has a size.
        holdsFirstFrame = holdsPreroll && screen?.sink.isPlane != false
        if let open = screen.flatMap({ spare?.take(for: $0) }) {
            sink = open
        } else {
            sink = try makeFilmSink(for: screen)
        }
        queue = try Element("queue", name: "film-queue")
        // Few: frames that wait here were decoded in vain when the finger moves on.
        queue.set("max-size-buffers", to: 1)
        queue.set("max-size-bytes", to: 0)
        queue.set("max-size-time", to: 0)
        queue.set("silent", to: true)
        sink.setPrerollHold(holdsFirstFrame)
    }

    deinit {
        // Closes a spare sink that got no frames.
        sink.set(GST_STATE_NULL)
    }

    /// The transform that brings the film's own frames upright; the identity until the film is linked.
    var upright: DisplayTransform { linkedUpright.withLock { $0 } }

    /// As `FilmPipeline.isHeldByDecoder`. A frame that waits for its time or for the plane keeps the pad behind the queue
    /// busy, and the decoder too, once the queue is full. Before the decoder is linked, its first frame waits for the
    /// other tracks.
    var isHeldByDecoder: Bool {
        guard input.count.inside >= 1_000_000_000 else { return false }
        guard let behind = queue.pad("src")?.peer else { return !input.count.hasFormat }
        return !behind.isBusy
    }

    /// Takes the plane for this film. Waits for its flips.
    /// - Parameter isSeen: whether a waiting frame is shown at once; else no frame is shown before
    ///   `VideoSink.setPrerollHold`.
    func takePlane(isSeen: Bool) {
        color?.takePlane()
        if isSeen { sink.releasePreroll() } else { sink.setPrerollHold(true) }
    }

    /// Passes decoded frames to the film's scrub sheet. Any thread, at any time.
    func harvest(_ harvest: FrameHarvest) {
        guard let pad = queue.pad("src") else { return }
        harvest.attach(to: pad) { [weak self] in self?.upright ?? .identity }
    }

    /// Adds the branch to the pipeline and links it to a decoder's pad. Thread: the streaming thread that found the pad.
    func link(_ pad: Pad, in pipeline: Element) throws(MediaFailure) {
        if let decoder = pad.decoder { self.decoder.took(decoder) }
        // Before scaling or turning, which would make stripes of the two fields.
        var chain = [queue, try makeDeinterlacer(pad)].compactMap { $0 }
        var screen = screen
        let upright = DisplayTransform(uprightAt: pad)
        linkedUpright.withLock { $0 = upright }
        // The plane's turn is the display's alone: it is set on the sink before there is a film.
        if let turn = screen?.turn { screen?.turn = upright.then(turn) }
        if var screen, needsConverter(pad, screen) {
            if let format = pad.currentCaps?.deviceFormat {
                decoder.askedForOtherForm()
                throw MediaFailure(unlinked: "what the decoder makes, \(format), goes to no other plane than as it is")
            }
            let flip = try makeFlip(screen.turn, name: "film-turn")
            if let flip { screen.formats = formats(screen.formats, takenBy: flip) }
            let box = try makeBox(screen)
            if let box {
                screen.formats = formats(screen.formats, takenBy: box)
                // The film's black is limited range.
                screen.hasFullRange = false
            }
            // nearest-neighbour (0) flickers on fine lines; bilinear (1) is the converter's default and its cheapest.
            let converter = try Element("videoconvertscale", name: "film-scaler")
            let filter = try Element("capsfilter", name: "film-size")
            let crop = screen.gravity == .resizeAspectFill ? try Element("videocrop", name: "film-crop") : nil
            // If the shapes differ, black borders are part of the frame only if the whole film is to be shown.
            if screen.gravity != .resizeAspect { converter.set("add-borders", to: false) }
            if let crop { chain.append(crop) }
            chain += [converter, filter]
            let fit = Fit(filter: filter, screen: screen, color: color)
            // The pad holds the filter through this closure, which must not hold the pad's element.
            (crop ?? converter).pad("sink")?.watch(GST_EVENT_CAPS) { [isCropped = crop != nil] pad, event in
                if let caps = event.caps { fit.apply(caps, crop: isCropped ? pad.parent : nil) }
            }
            chain += [flip, box].compactMap { $0 }
        } else if let screen, let color {
            // Behind the queue: frames with earlier colours have been shown by then.
            sink.pad("sink")?.watch(GST_EVENT_CAPS) { _, event in
                if let film = event.caps?.videoInfo.flatMap(FilmColor.init) { color.report(screen.color(of: film)) }
            }
        }
        chain.append(sink)
        try pipeline.add(chain, as: "the film's branch")
        if let behind = chain[1].pad("sink") { gate.attach(to: behind) }
        // From the sink up, so that no data reaches an element that is not ready for it.
        for element in chain.reversed() { element.syncStateWithParent() }
        guard let entry = queue.pad("sink"), pad.link(to: entry) else {
            throw MediaFailure(unlinked: "the film's pad does not link")
        }
    }

    /// Makes the `deinterlace` that converts the first of each two fields to a whole frame, if the film is
    /// interlaced. It outputs one frame for each input frame, at its time and without its neighbours, so that seeks and
    /// steps lead to the right frame.
    private func makeDeinterlacer(_ pad: Pad) throws(MediaFailure) -> Element? {
        let isUnmarked = pad.hasUnmarkedFields
        guard let caps = pad.currentCaps, let info = caps.videoInfo,
            isUnmarked || info.interlace_mode != GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
        else { return nil }
        // The element reads system memory. A decoder that makes no other frames than these is used if there is no
        // other one, and its fields are seen.
        if caps.inDeviceMemory != nil, let decoder = pad.decoder, !self.decoder.isAvoided(decoder) {
            self.decoder.askedForOtherForm()
            throw MediaFailure(unlinked: "the decoder's frames of fields are in a device's memory")
        }
        guard caps.isSystemMemory else { return nil }
        let element = try Element("deinterlace", name: "film-fields")
        element.set("fields", serialized: "top")
        element.set("method", serialized: "linear")
        if isUnmarked { element.set("mode", serialized: "interlaced") }
        return element
    }

    /// Whether the frames need conversion; a plane that scales and accepts the decoder's format needs none.
    private func needsConverter(_ pad: Pad, _ screen: FilmOutput.Screen) -> Bool {
        guard screen.canScale, screen.turn == .identity, screen.gravity == .resizeAspect, let caps = pad.currentCaps,
            let format = caps.first?.string("format")
        else { return true }
        if let film = caps.videoInfo.flatMap(FilmColor.init), screen.color(of: film) != film { return true }
        if caps.deviceFormat != nil { return sink.pad("sink")?.accepts(caps) != true }
        return !screen.formats.contains(format)
    }
}

/// Applies a film's caps when they change: the size behind the scaler, and the colours. For the streaming thread that
/// handles them.
private struct Fit: Sendable {
    let filter: Element
    let screen: FilmOutput.Screen
    let color: PlaneColor?

    func apply(_ caps: Caps, crop: Element?) {
        guard let info = caps.videoInfo else { return }
        if let film = FilmColor(info) { color?.report(screen.color(of: film)) }
        let lost = crop.map { cut(info, with: $0) }
        let (width, height) = screen.size(of: info, without: lost)
        let rest = "pixel-aspect-ratio=1/1,width=\(width),height=\(height)"
        // Caps without a colorimetry differ from caps with one, so that frames that need no conversion would be copied.
        let isPlain = caps.first?.string("colorimetry") == nil && (width, height) == (Int(info.width), Int(info.height))
        let fitted = Caps(
            formats(of: info, isPlain: isPlain).map { "video/x-raw,\($0),\(rest)" }.joined(separator: ";"))
        if let fitted { filter.set("caps", to: fitted) }
    }

    /// The decoder's own format if the plane accepts it, else YCbCr before RGB for YCbCr. The matrix is the one set on
    /// the plane: by default the scaler would change it together with the size. A window's sink negotiates one of its
    /// formats.
    /// - Parameter isPlain: whether the caps give no colours, and the size stays the same.
    private func formats(of info: GstVideoInfo, isPlain: Bool) -> [String] {
        let decoded = String(cString: gst_video_format_to_string(info.finfo.pointee.format))
        let isTaken = screen.sink.isPlane && screen.formats.contains(decoded)
        let formats = isTaken ? [decoded] : screen.formats
        let (luma, rest) = (formats.filter(Self.isYCbCr), formats.filter { !Self.isYCbCr($0) })
        let isKept = isPlain && isTaken && FilmColor(info).map { screen.color(of: $0) == $0 } ?? true
        let matrix = isKept ? "" : colorimetry(of: info).map { ",colorimetry=\($0)" } ?? ""
        let asLuma = "format={\(luma.joined(separator: ","))}\(matrix)"
        let asRest = "format={\(rest.joined(separator: ","))}"
        return (luma.isEmpty ? [] : [asLuma]) + (rest.isEmpty ? [] : [asRest])
    }

    private func colorimetry(of info: GstVideoInfo) -> String? {
        guard let film = FilmColor(info) else { return nil }
        // Completely, with the transfer function, if nothing is to be converted.
        var own = info.colorimetry
        if screen.color(of: film) == film, let text = takeString(gst_video_colorimetry_to_string(&own)) {
            return "(string)\"\(text)\""
        }
        return "(string)\(screen.color(of: film).matrix.rawValue)"
    }

    private static func isYCbCr(_ format: String) -> Bool {
        guard let info = gst_video_format_get_info(gst_video_format_from_string(format)) else { return false }
        return info.pointee.flags.rawValue & GST_VIDEO_FORMAT_FLAG_YUV.rawValue != 0
    }

    private func cut(_ info: GstVideoInfo, with element: Element) -> Crop {
        let crop = Crop(
            width: Int(info.width), height: Int(info.height), pixelAspect: (Int(info.par_n), Int(info.par_d)),
            filling: screen.areaBeforeTurn)
        for (side, pixels) in [
            ("left", crop.left), ("right", crop.right), ("top", crop.top), ("bottom", crop.bottom),
        ] { element.set(side, to: pixels) }
        return crop
    }
}

extension FilmOutput.Screen {
    /// The area that the film is fitted into, before the turn.
    fileprivate var areaBeforeTurn: (width: Int, height: Int) {
        turn.then(planeTurn).size(width: area.width, height: area.height)
    }

    /// The size to which the pipeline scales frames, before the turn.
    func size(of info: GstVideoInfo, without crop: Crop?) -> (width: Int, height: Int) {
        if canScale {
            let height = Int(info.height) - (crop.map { $0.top + $0.bottom } ?? 0)
            let size =
                gravity == .resizeAspect
                ? SquareSize(
                    width: Int(info.width), height: height, pixelAspect: (Int(info.par_n), Int(info.par_d)),
                    within: areaBeforeTurn)
                : SquareSize(width: Int(info.width), height: height, filling: areaBeforeTurn)
            return (size.width, size.height)
        }
        // videoconvertscale draws the black borders.
        if coversDisplay || gravity != .resizeAspect { return (areaBeforeTurn.width & ~1, areaBeforeTurn.height & ~1) }
        let fit = AspectFit(
            width: Int(info.width), height: Int(info.height), pixelAspect: (Int(info.par_n), Int(info.par_d)),
            within: areaBeforeTurn)
        return (fit.width, fit.height)
    }
}

extension FilmColor {
    /// `nil` for RGB. If the stream does not say, GStreamer assumes an encoding by the frame's size.
    init?(_ info: GstVideoInfo) {
        let matrix: ColorMatrix? =
            switch info.colorimetry.matrix {
            case GST_VIDEO_COLOR_MATRIX_BT601: .bt601
            case GST_VIDEO_COLOR_MATRIX_BT709: .bt709
            case GST_VIDEO_COLOR_MATRIX_BT2020: .bt2020
            default: nil
            }
        guard let matrix else { return nil }
        self.init(matrix: matrix, isFullRange: info.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255)
    }
}
