internal import CGStreamer
internal import CPictureSink
internal import PlayerCore
internal import Synchronization

/// The film's way from the decoder to the plane: `queue ! [deinterlace !] [videoconvertscale ! capsfilter !] picture sink`, with
/// a frame gate behind the queue.
///
/// Made before there is a pad to link, so that the pipeline's worker and the streaming thread that links it share only
/// constants. Thread: any, after `init`; GStreamer's objects lock for themselves.
///
/// `@unchecked Sendable` because all fields are constants and everything they point to locks for itself.
final class VideoBranch: @unchecked Sendable {
    let sink: UnsafeMutablePointer<GstElement>
    /// Behind the decoder.
    let gate: OpaquePointer
    /// Before it.
    let input = FrameInput()
    private let queue: UnsafeMutablePointer<GstElement>
    let screen: FilmOutput.Screen?
    /// Whether the sink keeps pictures from the screen until it is unveiled.
    let isVeiled: Bool
    private let color: PlaneColor?
    private let linkedUpright = Mutex(DisplayTransform.identity)

    /// - Parameters:
    ///   - isHeld: another film has the plane until `takePlane`.
    ///   - spare: a sink that it may have.
    init(
        screen: FilmOutput.Screen?, setColor: (@Sendable (FilmColor) -> Void)? = nil, isHeld: Bool = false,
        spare: SpareSink? = nil
    ) throws(MediaFailure) {
        self.screen = screen
        color = setColor.map { PlaneColor(isHeld: isHeld, set: $0) }
        // A window is there as soon as its first picture has a size.
        isVeiled = isHeld && screen?.sink.isPlane != false
        if let screen, let open = spare?.take(for: screen) {
            sink = open
        } else {
            sink = try makeFilmSink(for: screen)
        }
        queue = gst_object_ref_sink(try makeElement("queue", name: "film-queue")).assumingMemoryBound(
            to: GstElement.self)
        gate = vitrine_frame_gate_new(true)
        // Few: what waits here was decoded in vain when the finger moves on.
        setProperty(queue, "max-size-buffers", to: 1)
        setProperty(queue, "max-size-bytes", to: 0)
        setProperty(queue, "max-size-time", to: 0)
        setProperty(queue, "silent", to: true)
        vitrine_sink_set_blind(sink, isVeiled)
    }

    deinit {
        vitrine_frame_gate_unref(gate)
        gst_object_unref(queue)
        // A spare one that no pictures came to.
        gst_element_set_state(sink, GST_STATE_NULL)
        gst_object_unref(sink)
    }

    /// What brings the film's own pictures upright; the identity until the film is linked.
    var upright: DisplayTransform { linkedUpright.withLock { $0 } }

    /// The plane is this film's. Waits for its flips.
    /// - Parameter isSeen: what waits for the plane is shown at once; else no picture before `vitrine_sink_set_blind`.
    func takePlane(isSeen: Bool) {
        color?.takePlane()
        if isSeen { vitrine_sink_unveil(sink) } else { vitrine_sink_set_blind(sink, true) }
    }

    /// Adds the branch to the pipeline and links it to a decoder's pad. Thread: the streaming thread that found the pad.
    func link(_ pad: UnsafeMutablePointer<GstPad>, in pipeline: UnsafeMutablePointer<GstElement>) throws(MediaFailure) {
        // Before anything is scaled or turned, which would make stripes of two fields.
        var chain = [queue, try makeDeinterlacer(pad)].compactMap { $0 }
        var screen = screen
        let upright = DisplayTransform(uprightAt: pad)
        linkedUpright.withLock { $0 = upright }
        // The plane's turn is the display's alone: the sink is told it before there is a film.
        if let turn = screen?.turn { screen?.turn = upright.then(turn) }
        if var screen, needsConverter(pad, screen) {
            let flip = try makeFlip(screen.turn, name: "film-turn")
            if let flip { screen.formats = formats(screen.formats, takenBy: flip) }
            let box = try makeBox(screen)
            if let box {
                screen.formats = formats(screen.formats, takenBy: box)
                // Its black is that of the limited range.
                screen.hasFullRange = false
            }
            // nearest-neighbour (0) flickers on fine lines; bilinear (1) is the converter's default and its cheapest.
            let converter = try makeElement("videoconvertscale", name: "film-scaler")
            let filter = try makeElement("capsfilter", name: "film-size")
            let crop = screen.gravity == .resizeAspectFill ? try makeElement("videocrop", name: "film-crop") : nil
            // Where the shapes differ, black borders are part of the picture only if all of the film is to be seen.
            if screen.gravity != .resizeAspect { setProperty(converter, "add-borders", to: false) }
            if let crop { chain.append(crop) }
            chain += [converter, filter]
            Fit(filter: filter, crop: crop, screen: screen, color: color).follow(crop ?? converter)
            chain += [flip, box].compactMap { $0 }
        } else if let screen, let color {
            // Behind the queue: what has other colours has been shown by then.
            OwnColor(screen: screen, color: color).follow(sink)
        }
        chain.append(sink)
        for element in chain {
            gst_bin_add(pipeline.cast(to: GstBin.self), element)
        }
        for (from, to) in zip(chain, chain.dropFirst()) where gst_element_link(from, to) == 0 {
            throw MediaFailure(unlinked: "the film's branch does not link")
        }
        let gatePad = gst_element_get_static_pad(chain[1], "sink")
        vitrine_frame_gate_attach(gate, gatePad)
        gst_object_unref(gatePad)
        // From the sink up: nothing flows into an element that is not ready for it.
        for element in chain.reversed() { gst_element_sync_state_with_parent(element) }
        let entry = gst_element_get_static_pad(queue, "sink")
        defer { gst_object_unref(entry) }
        guard gst_pad_link(pad, entry) == GST_PAD_LINK_OK else {
            throw MediaFailure(unlinked: "the film's pad does not link")
        }
    }

    /// Makes a whole frame of the first of each two fields, where the decoder's caps say that there are any: one frame for one, at
    /// its time and without those around it, so that seeks and steps lead where they would.
    private func makeDeinterlacer(
        _ pad: UnsafeMutablePointer<GstPad>
    ) throws(MediaFailure) -> UnsafeMutablePointer<GstElement>? {
        guard let caps = gst_pad_get_current_caps(pad) else { return nil }
        defer { gst_caps_unref(caps) }
        // Frames in a device's memory go on as they are: the element reads the processor's.
        guard gst_caps_features_contains(gst_caps_get_features(caps, 0), "memory:SystemMemory") != 0 else { return nil }
        var info = GstVideoInfo()
        guard gst_video_info_from_caps(&info, caps) != 0, info.interlace_mode != GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
        else { return nil }
        let element = try makeElement("deinterlace", name: "film-fields")
        setProperty(element, "fields", serialized: "top")
        setProperty(element, "method", serialized: "linear")
        return element
    }

    /// A plane that scales and takes the decoder's format needs nothing in between.
    private func needsConverter(_ pad: UnsafeMutablePointer<GstPad>, _ screen: FilmOutput.Screen) -> Bool {
        guard screen.canScale, screen.turn == .identity, screen.gravity == .resizeAspect,
            let caps = gst_pad_get_current_caps(pad)
        else { return true }
        defer { gst_caps_unref(caps) }
        guard let format = gst_structure_get_string(gst_caps_get_structure(caps, 0), "format") else { return true }
        if let film = FilmColor(caps), screen.color(of: film) != film { return true }
        return !screen.formats.contains(String(cString: format))
    }
}

/// What depends on a film's caps, whenever they change (S3). For the streaming thread that meets them: nobody else's.
private class CapsFollower {
    func apply(_ caps: UnsafeMutablePointer<GstCaps>) {}

    /// From the caps that come to this element, whose pad owns it from then on.
    func follow(_ element: UnsafeMutablePointer<GstElement>) {
        let pad = gst_element_get_static_pad(element, "sink")
        defer { gst_object_unref(pad) }
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
            { _, info, data in
                if let event = gst_pad_probe_info_get_event(info), event.pointee.type == GST_EVENT_CAPS, let data {
                    var caps: UnsafeMutablePointer<GstCaps>?
                    gst_event_parse_caps(event, &caps)
                    if let caps { Unmanaged<CapsFollower>.fromOpaque(data).takeUnretainedValue().apply(caps) }
                }
                return GST_PAD_PROBE_OK
            }, Unmanaged<CapsFollower>.passRetained(self).toOpaque(),
            { Unmanaged<CapsFollower>.fromOpaque($0!).release() })
    }
}

/// Of pictures that come to the plane as they are decoded, their colours.
private final class OwnColor: CapsFollower {
    let screen: FilmOutput.Screen
    let color: PlaneColor

    init(screen: FilmOutput.Screen, color: PlaneColor) {
        self.screen = screen
        self.color = color
    }

    override func apply(_ caps: UnsafeMutablePointer<GstCaps>) {
        if let film = FilmColor(caps) { color.tell(screen.color(of: film)) }
    }
}

/// Of pictures that are scaled, the size behind the scaler, and the colours.
private final class Fit: CapsFollower {
    /// Borrowed, as `crop` is: it lives in the same bin as the element whose pad owns this.
    let filter: UnsafeMutablePointer<GstElement>
    let crop: UnsafeMutablePointer<GstElement>?
    let screen: FilmOutput.Screen
    let color: PlaneColor?

    init(
        filter: UnsafeMutablePointer<GstElement>, crop: UnsafeMutablePointer<GstElement>?, screen: FilmOutput.Screen,
        color: PlaneColor?
    ) {
        self.filter = filter
        self.crop = crop
        self.screen = screen
        self.color = color
    }

    override func apply(_ caps: UnsafeMutablePointer<GstCaps>) {
        var info = GstVideoInfo()
        guard gst_video_info_from_caps(&info, caps) != 0 else { return }
        if let film = FilmColor(info) { color?.tell(screen.color(of: film)) }
        let lost = crop.map { cut(info, with: $0) }
        let (width, height) = size(of: info, without: lost)
        let rest = "pixel-aspect-ratio=1/1,width=\(width),height=\(height)"
        let fitted = gst_caps_from_string(formats(of: info).map { "video/x-raw,\($0),\(rest)" }.joined(separator: ";"))
        setProperty(filter, "caps", to: fitted)
        gst_caps_unref(fitted)
    }

    /// The decoder's own format where the plane takes it, else YCbCr before RGB for YCbCr. The matrix is what the plane is
    /// told: by itself the scaler would make another one of it with another size. Of a window's formats its sink takes one.
    private func formats(of info: GstVideoInfo) -> [String] {
        let decoded = String(cString: gst_video_format_to_string(info.finfo.pointee.format))
        let isTaken = screen.sink.isPlane && screen.formats.contains(decoded)
        let formats = isTaken ? [decoded] : screen.formats
        let (luma, rest) = (formats.filter(Self.isYCbCr), formats.filter { !Self.isYCbCr($0) })
        let matrix = colorimetry(of: info).map { ",colorimetry=\($0)" } ?? ""
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

    private func cut(_ info: GstVideoInfo, with element: UnsafeMutablePointer<GstElement>) -> Crop {
        let crop = Crop(
            width: Int(info.width), height: Int(info.height), pixelAspect: (Int(info.par_n), Int(info.par_d)),
            filling: area)
        for (side, pixels) in [
            ("left", crop.left), ("right", crop.right), ("top", crop.top), ("bottom", crop.bottom),
        ] { setProperty(element, side, to: pixels) }
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
    /// `nil` for RGB. What the stream does not say GStreamer takes by the picture's size.
    fileprivate init?(_ info: GstVideoInfo) {
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

    fileprivate init?(_ caps: UnsafeMutablePointer<GstCaps>) {
        var info = GstVideoInfo()
        guard gst_video_info_from_caps(&info, caps) != 0 else { return nil }
        self.init(info)
    }
}
