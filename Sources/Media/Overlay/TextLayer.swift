internal import CGStreamer
internal import PlayerCore
internal import Synchronization

/// Text of the on-screen display: a `textoverlay`, and a probe behind it that converts its ink to the plane's alpha.
///
/// The pipeline's worker sets the text while no buffer is under way; the probe runs on the streaming thread.
///
/// `@unchecked Sendable` because the two threads share constants, atomics and the element, which locks.
final class TextLayer: @unchecked Sendable {
    enum Side: String {
        case left, right
        /// Centred, from the surface's lower edge up, several lines: with an outline, because the film is behind it.
        case center
    }

    let element: Element
    private let surfaceWidth: Int
    /// The number of the surface's rows, from the first on, that are black below the text.
    private let textRows: Atomic<Int>
    /// The current text: setting an equal text would render it again. Worker only.
    private var text = ""
    private var padding = -1
    private var top: Int
    /// Whether the element renders ink.
    private let hasText = Atomic(false)
    /// The x at which the text fades out; `Int.max` for none.
    private let right = Atomic(Int.max)
    private let fadeWidth: Int
    private let side: Side

    /// Creates the element outside a pipeline. `top` is the upper edge of the font's line, in surface coordinates; the
    /// surface's rows `0..<textRows` are black below the text.
    init(
        name: String, side: Side, fontSize: Int, top: Int, surfaceWidth: Int, textRows: Int
    ) throws(MediaFailure) {
        element = try Element("textoverlay", name: name)
        self.side = side
        self.surfaceWidth = surfaceWidth
        self.textRows = Atomic(textRows)
        self.top = top
        fadeWidth = fontSize * 2
        element.set("text", to: "")
        // By default the font grows with the frame's width.
        element.set("auto-resize", to: false)
        element.set("font-desc", to: OverlayText.fontDescription(pixels: fontSize))
        element.set("draw-outline", to: side == .center)
        if side == .center { element.set("outline-color", to: 0xFF00_0000 as UInt32) }
        element.set("draw-shadow", to: false)
        element.set("shaded-background", to: false)
        element.set("color", to: 0xFFFF_FFFF as UInt32)
        element.set("wrap-mode", serialized: side == .center ? "word" : "none")
        element.set("halignment", serialized: side.rawValue)
        element.set("line-alignment", serialized: side.rawValue)
        element.set("valignment", serialized: side == .center ? "bottom" : "top")
        element.set("ypad", to: top)
        element.pad("src")?.watchBuffers { [weak self] in self?.finish($0) }
    }

    /// Changes the surface's height from the next buffer on. Worker only, while no buffer is under way.
    func move(top: Int, textRows: Int) {
        self.textRows.store(textRows, ordering: .releasing)
        guard side != .center, top != self.top else { return }
        self.top = top
        element.set("ypad", to: top)
    }

    /// Sets Pango markup ("" shows nothing), the distance in pixels from the text to the surface's edge at its side
    /// (the lower one for centred text), and the x at which the text must end. Worker only, while no buffer is under
    /// way: textoverlay loses a text that is set while it renders another.
    func show(_ markup: String, padding: Int, right: Int = .max) {
        hasText.store(!markup.isEmpty, ordering: .releasing)
        self.right.store(right, ordering: .releasing)
        if padding != self.padding {
            self.padding = padding
            element.set(side == .center ? "ypad" : "xpad", to: padding)
        }
        if markup != text {
            text = markup
            element.set("text", to: markup)
        }
    }

    /// Converts the text in a buffer that the element has just rendered. Streaming thread.
    private func finish(_ buffer: Buffer) {
        guard hasText.load(ordering: .acquiring) else { return }
        _ = buffer.withBytes([GST_MAP_READ, GST_MAP_WRITE]) { finish($0) }
    }

    private func finish(_ pixels: UnsafeMutableRawBufferPointer) {
        let stride = surfaceWidth * 4
        let textRows = textRows.load(ordering: .acquiring)
        guard let base = pixels.baseAddress, pixels.count >= stride * textRows else { return }
        let ink = BlendedText(
            x: Int(element.integer("text-x")), y: Int(element.integer("text-y")),
            width: Int(element.integer("text-width")), height: Int(element.integer("text-height")))
        let right = right.load(ordering: .acquiring)
        let isTooLong = ink.x + ink.width > right
        ink.premultiply(
            base, stride: stride, columns: 0..<surfaceWidth, rows: 0..<textRows,
            fade: isTooLong ? max(right - fadeWidth, 0)..<max(right, 0) : nil)
    }
}
