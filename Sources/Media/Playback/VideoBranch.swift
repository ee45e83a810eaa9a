internal import CGStreamer
internal import CVideoSink
internal import PlayerCore
internal import Synchronization

/// The film's way from the decoder to the plane: `queue ! [deinterlace !] [videoconvertscale ! capsfilter !] video sink`, with
/// a frame gate behind the queue.
///
/// Made before there is a pad to link, so that the pipeline's worker and the streaming thread that links it share only
/// constants. Thread: any, after `init`; GStreamer's objects lock for themselves.
///
/// `@unchecked Sendable` because all fields are constants and the gates lock for themselves.
final class VideoBranch: @unchecked Sendable {
    let sink: Element
    /// Behind the decoder.
    let gate: OpaquePointer
    /// Before it.
    let input = FrameInput()
    let decoder: FilmDecoder
    private let queue: Element
    let screen: FilmOutput.Screen?
    /// Whether the sink keeps frames from the screen until it releases the preroll.
    let holdsFirstFrame: Bool
    private let color: PlaneColor?
    private let linkedUpright = Mutex(DisplayTransform.identity)

    /// - Parameters:
    ///   - isHeld: another film has the plane until `takePlane`.
    ///   - spare: a sink that it may have.
    ///   - avoided: decoders with which the film did not play.
    init(
        screen: FilmOutput.Screen?, setColor: (@Sendable (FilmColor) -> Void)? = nil, holdsPreroll: Bool = false,
        spare: SpareSink? = nil, avoiding avoided: AvoidedDecoders = AvoidedDecoders()
    ) throws(MediaFailure) {
        self.screen = screen
        decoder = FilmDecoder(avoiding: avoided)
        color = setColor.map { PlaneColor(holdsPreroll: holdsPreroll, set: $0) }
        // A window is there as soon as its first frame has a size.
        holdsFirstFrame = holdsPreroll && screen?.sink.isPlane != false
        if let open = screen.flatMap({ spare?.take(for: $0) }) {
            sink = open
        } else {
            sink = try makeFilmSink(for: screen)
        }
        queue = try Element("queue", name: "film-queue")
        gate = vitrine_frame_gate_new(true)
        // Few: what waits here was decoded in vain when the finger moves on.
        queue.set("max-size-buffers", to: 1)
        queue.set("max-size-bytes", to: 0)
        queue.set("max-size-time", to: 0)
        queue.set("silent", to: true)
        vitrine_sink_set_preroll_hold(sink.raw, holdsFirstFrame)
    }

    deinit {
        vitrine_frame_gate_unref(gate)
        // A spare one that no frames came to.
        sink.set(GST_STATE_NULL)
    }

    /// What brings the film's own frames upright; the identity until the film is linked.
    var upright: DisplayTransform { linkedUpright.withLock { $0 } }

    /// The plane is this film's. Waits for its flips.
    /// - Parameter isSeen: what waits for the plane is shown at once; else no frame before `vitrine_sink_set_preroll_hold`.
    func takePlane(isSeen: Bool) {
        color?.takePlane()
        if isSeen { vitrine_sink_release_preroll(sink.raw) } else { vitrine_sink_set_preroll_hold(sink.raw, true) }
    }

    /// Gives frames away for the film's scrub sheet, as they come out of the decoder. Any thread, at any time.
    func harvest(_ harvest: FrameHarvest) {
        guard let pad = queue.pad("src") else { return }
        harvest.attach(to: pad) { [weak self] in self?.upright ?? .identity }
    }

    /// Adds the branch to the pipeline and links it to a decoder's pad. Thread: the streaming thread that found the pad.
    func link(_ pad: Pad, in pipeline: Element) throws(MediaFailure) {
        if let decoder = pad.decoder { self.decoder.took(decoder) }
        // Before anything is scaled or turned, which would make stripes of two fields.
        var chain = [queue, try makeDeinterlacer(pad)].compactMap { $0 }
        var screen = screen
        let upright = DisplayTransform(uprightAt: pad)
        linkedUpright.withLock { $0 = upright }
        // The plane's turn is the display's alone: the sink is told it before there is a film.
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
                // Its black is that of the limited range.
                screen.hasFullRange = false
            }
            // nearest-neighbour (0) flickers on fine lines; bilinear (1) is the converter's default and its cheapest.
            let converter = try Element("videoconvertscale", name: "film-scaler")
            let filter = try Element("capsfilter", name: "film-size")
            let crop = screen.gravity == .resizeAspectFill ? try Element("videocrop", name: "film-crop") : nil
            // Where the shapes differ, black borders are part of the frame only if all of the film is to be seen.
            if screen.gravity != .resizeAspect { converter.set("add-borders", to: false) }
            if let crop { chain.append(crop) }
            chain += [converter, filter]
            let fit = Fit(filter: filter, screen: screen, color: color)
            // The pad holds the filter by this, and must not hold the element that it is of.
            (crop ?? converter).pad("sink")?.watch(GST_EVENT_CAPS) { [isCropped = crop != nil] pad, event in
                if let caps = event.caps { fit.apply(caps, crop: isCropped ? pad.parent : nil) }
            }
            chain += [flip, box].compactMap { $0 }
        } else if let screen, let color {
            // Behind the queue: what has other colours has been shown by then.
            sink.pad("sink")?.watch(GST_EVENT_CAPS) { _, event in
                if let film = event.caps?.videoInfo.flatMap(FilmColor.init) { color.report(screen.color(of: film)) }
            }
        }
        chain.append(sink)
        try pipeline.add(chain, as: "the film's branch")
        if let behind = chain[1].pad("sink") { vitrine_frame_gate_attach(gate, behind.raw) }
        // From the sink up: nothing flows into an element that is not ready for it.
        for element in chain.reversed() { element.syncStateWithParent() }
        guard let entry = queue.pad("sink"), pad.link(to: entry) else {
            throw MediaFailure(unlinked: "the film's pad does not link")
        }
    }

    /// Makes a whole frame of the first of each two fields, where the decoder's caps say that there are any: one frame for one, at
    /// its time and without those around it, so that seeks and steps lead where they would.
    private func makeDeinterlacer(_ pad: Pad) throws(MediaFailure) -> Element? {
        // Frames in a device's memory go on as they are: the element reads the processor's.
        guard let caps = pad.currentCaps, caps.isSystemMemory, let info = caps.videoInfo,
            info.interlace_mode != GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
        else { return nil }
        let element = try Element("deinterlace", name: "film-fields")
        element.set("fields", serialized: "top")
        element.set("method", serialized: "linear")
        return element
    }

    /// A plane that scales and takes the decoder's format needs nothing in between.
    private func needsConverter(_ pad: Pad, _ screen: FilmOutput.Screen) -> Bool {
        guard screen.canScale, screen.turn == .identity, screen.gravity == .resizeAspect, let caps = pad.currentCaps,
            let format = caps.first?.string("format")
        else { return true }
        if let film = caps.videoInfo.flatMap(FilmColor.init), screen.color(of: film) != film { return true }
        if caps.deviceFormat != nil { return sink.pad("sink")?.accepts(caps) != true }
        return !screen.formats.contains(format)
    }
}

/// What depends on a film's caps, whenever they change: of frames that are scaled, the size behind the scaler, and the
/// colours. For the streaming thread that meets them.
private struct Fit: Sendable {
    let filter: Element
    let screen: FilmOutput.Screen
    let color: PlaneColor?

    func apply(_ caps: Caps, crop: Element?) {
        guard let info = caps.videoInfo else { return }
        if let film = FilmColor(info) { color?.report(screen.color(of: film)) }
        let lost = crop.map { cut(info, with: $0) }
        let (width, height) = size(of: info, without: lost)
        let rest = "pixel-aspect-ratio=1/1,width=\(width),height=\(height)"
        // Caps that say nothing of colours differ from those that do, and what is neither scaled nor converted would be copied.
        let isPlain = caps.first?.string("colorimetry") == nil && (width, height) == (Int(info.width), Int(info.height))
        let fitted = Caps(
            formats(of: info, isPlain: isPlain).map { "video/x-raw,\($0),\(rest)" }.joined(separator: ";"))
        if let fitted { filter.set("caps", to: fitted) }
    }

    /// The decoder's own format where the plane takes it, else YCbCr before RGB for YCbCr. The matrix is what the plane is
    /// told: by itself the scaler would make another one of it with another size. Of a window's formats its sink takes one.
    /// - Parameter isPlain: nothing is said of its colours, and it keeps its size.
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
        // In whole, with the transfer function, where nothing is to be converted.
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

    /// What the film is fitted into, before the turn.
    private var area: (width: Int, height: Int) {
        screen.turn.then(screen.planeTurn).size(width: screen.area.width, height: screen.area.height)
    }

    private func cut(_ info: GstVideoInfo, with element: Element) -> Crop {
        let crop = Crop(
            width: Int(info.width), height: Int(info.height), pixelAspect: (Int(info.par_n), Int(info.par_d)),
            filling: area)
        for (side, pixels) in [
            ("left", crop.left), ("right", crop.right), ("top", crop.top), ("bottom", crop.bottom),
        ] { element.set(side, to: pixels) }
        return crop
    }

    /// Before the turn.
    private func size(of info: GstVideoInfo, without crop: Crop?) -> (width: Int, height: Int) {
        if screen.canScale {
            let height = Int(info.height) - (crop.map { $0.top + $0.bottom } ?? 0)
            let size =
                screen.gravity == .resizeAspect
                ? SquareSize(
                    width: Int(info.width), height: height, pixelAspect: (Int(info.par_n), Int(info.par_d)),
                    within: area)
                : SquareSize(width: Int(info.width), height: height, filling: area)
            return (size.width, size.height)
        }
        // videoconvertscale draws the black borders.
        if screen.coversDisplay || screen.gravity != .resizeAspect { return (area.width & ~1, area.height & ~1) }
        let fit = AspectFit(
            width: Int(info.width), height: Int(info.height), pixelAspect: (Int(info.par_n), Int(info.par_d)),
            within: area)
        return (fit.width, fit.height)
    }
}

extension FilmColor {
    /// `nil` for RGB. What the stream does not say GStreamer takes by the frame's size.
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
