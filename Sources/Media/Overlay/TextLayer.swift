internal import CGStreamer
internal import PlayerCore
internal import Synchronization

/// Text of the on-screen display: a `textoverlay`, and a probe behind it that makes its ink right for the plane.
///
/// Text is set by the pipeline's worker while no buffer is under way; the probe runs on the streaming thread.
///
/// `@unchecked Sendable` because what the two threads share are constants, atomics and the element, which locks.
final class TextLayer: @unchecked Sendable {
    enum Side: String {
        case left, right
        /// In the middle, from the strip's lower edge up, several lines: with an outline, since the film is behind it.
        case center
    }

    let element: UnsafeMutablePointer<GstElement>
    private let strip: (width: Int, textRows: Int)
    /// What is set now: setting an equal text would render it again. Worker only.
    private var text = ""
    private var padding = -1
    /// Whether there is ink to look for behind the element.
    private let hasText = Atomic(false)
    /// The x that the text fades out at; `Int.max`: nowhere.
    private let right = Atomic(Int.max)
    private let fadeWidth: Int
    private let side: Side

    /// Makes the element, not yet in a pipeline. `top` is the upper edge of the font's line, in strip coordinates; the
    /// strip's rows `0..<textRows` are black below the text.
    init(
        name: String, side: Side, fontSize: Int, top: Int, stripWidth: Int, textRows: Int
    ) throws(MediaFailure) {
        element = gst_object_ref_sink(try makeElement("textoverlay", name: name)).assumingMemoryBound(
            to: GstElement.self)
        self.side = side
        strip = (stripWidth, textRows)
        fadeWidth = fontSize * 2
        setProperty(element, "text", to: "")
        // By default the font grows with the frame's width.
        setProperty(element, "auto-resize", to: false)
        setProperty(element, "font-desc", to: OverlayText.fontDescription(pixels: fontSize))
        setProperty(element, "draw-outline", to: side == .center)
        if side == .center { setProperty(element, "outline-color", to: 0xFF00_0000 as UInt32) }
        setProperty(element, "draw-shadow", to: false)
        setProperty(element, "shaded-background", to: false)
        setProperty(element, "color", to: 0xFFFF_FFFF as UInt32)
        setProperty(element, "wrap-mode", serialized: side == .center ? "word" : "none")
        setProperty(element, "halignment", serialized: side.rawValue)
        setProperty(element, "line-alignment", serialized: side.rawValue)
        setProperty(element, "valignment", serialized: side == .center ? "bottom" : "top")
        setProperty(element, "ypad", to: top)
        addProbe()
    }

    deinit {
        gst_object_unref(element)
    }

    /// Sets Pango markup ("" shows nothing), the pixels between the text and the strip's edge at its side (the lower one for
    /// what stands in the middle), and the x
    /// that the text must not reach. Worker only, while no buffer is under way: textoverlay loses a text that is set
    /// while it renders another.
    func show(_ markup: String, padding: Int, right: Int = .max) {
        hasText.store(!markup.isEmpty, ordering: .releasing)
        self.right.store(right, ordering: .releasing)
        if padding != self.padding {
            self.padding = padding
            setProperty(element, side == .center ? "ypad" : "xpad", to: padding)
        }
        if markup != text {
            text = markup
            setProperty(element, "text", to: markup)
        }
    }

    private func addProbe() {
        let pad = gst_element_get_static_pad(element, "src")
        defer { gst_object_unref(pad) }
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_BUFFER,
            { _, info, data in
                guard let buffer = gst_pad_probe_info_get_buffer(info), let data else { return GST_PAD_PROBE_OK }
                Unmanaged<WeakLayer>.fromOpaque(data).takeUnretainedValue().layer?.finish(buffer)
                return GST_PAD_PROBE_OK
            }, Unmanaged.passRetained(WeakLayer(self)).toOpaque(), { Unmanaged<WeakLayer>.fromOpaque($0!).release() })
    }

    /// Streaming thread. The element has just rendered and blended its text into this buffer.
    private func finish(_ buffer: UnsafeMutablePointer<GstBuffer>) {
        guard hasText.load(ordering: .acquiring) else { return }
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)) != 0
        else { return }
        defer { gst_buffer_unmap(buffer, &map) }
        let stride = strip.width * 4
        guard let base = map.data, Int(map.size) >= stride * strip.textRows else { return }
        let ink = BlendedText(
            x: Int(integerProperty(element, "text-x")), y: Int(integerProperty(element, "text-y")),
            width: Int(integerProperty(element, "text-width")), height: Int(integerProperty(element, "text-height")))
        let right = right.load(ordering: .acquiring)
        let isTooLong = ink.x + ink.width > right
        ink.premultiply(
            base, stride: stride, columns: 0..<strip.width, rows: 0..<strip.textRows,
            fade: isTooLong ? max(right - fadeWidth, 0)..<max(right, 0) : nil)
    }
}

private final class WeakLayer {
    weak var layer: TextLayer?

    init(_ layer: TextLayer) {
        self.layer = layer
    }
}
