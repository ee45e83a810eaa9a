/// Where the parts of the on-screen display are, for one display. All lengths are pixels of the display.
///
/// Sizes follow the display's millimetres where it tells credible ones, so that a thumb hits the bar on a 7" panel and
/// text is read on a large one; the slider's hit test and the painter use this same value.
public struct OSDLayout: Hashable, Sendable {
    public struct Rectangle: Hashable, Sendable {
        public var x: Int
        public var y: Int
        public var width: Int
        public var height: Int

        public init(x: Int, y: Int, width: Int, height: Int) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }

        public func contains(x pointX: Double, y pointY: Double) -> Bool {
            pointX >= Double(x) && pointX < Double(x + width) && pointY >= Double(y) && pointY < Double(y + height)
        }
    }

    public let displayWidth: Int
    public let displayHeight: Int
    /// The strip at the lower edge that the OSD's plane covers, in display coordinates.
    public let strip: Rectangle
    /// The bar's track, in display coordinates. The thumb's centre runs from its left to its right edge.
    public let track: Rectangle
    /// What takes a finger as "on the bar", in display coordinates: at least 9 mm or 64 px high, whichever is more.
    public let touchTarget: Rectangle
    public let thumbRadius: Int
    /// The thumb's radius while a finger holds it.
    public let heldThumbRadius: Int
    /// Left and right margin of the text and the track.
    public let margin: Int
    /// Height of the text's font.
    public let fontSize: Int
    /// The upper edge of the line of text, in strip coordinates.
    public let textTop: Int

    /// 9 mm: the least side of a touch target that a thumb hits reliably (ISO 9241-411 and the vendors' guidelines
    /// lie between 7 and 10 mm).
    static let leastTarget = (millimetres: 9.0, pixels: 64)

    /// - Parameter millimetres: the picture's size as the connector tells it; `nil` or not credible (below 30 or above
    ///   600 dots per inch, or 0) counts as unknown.
    public init(displayWidth: Int, displayHeight: Int, millimetres: (width: Int, height: Int)?) {
        self.displayWidth = displayWidth
        self.displayHeight = displayHeight
        let density = Self.pixelsPerMillimetre(width: displayWidth, height: displayHeight, millimetres: millimetres)
        func pixels(_ length: Double, atLeast least: Int) -> Int {
            max(least, Int((length * (density ?? 0)).rounded()))
        }
        // The floor for each size grows with the display, for those seen from afar.
        let unit = Double(min(displayWidth, displayHeight)) / 100
        fontSize = min(pixels(3.4, atLeast: max(18, Int((unit * 3).rounded()))), displayHeight / 10)
        thumbRadius = min(pixels(2.6, atLeast: max(12, Int((unit * 1.8).rounded()))), displayHeight / 16)
        heldThumbRadius = thumbRadius * 4 / 3
        margin = max(heldThumbRadius + 8, Int((unit * 4).rounded()))
        let trackHeight = max(6, thumbRadius / 2)
        let targetHeight = min(
            pixels(Self.leastTarget.millimetres, atLeast: Self.leastTarget.pixels), displayHeight / 2)
        let textHeight = fontSize * 3 / 2
        let gap = fontSize / 2
        // From the top: a gap that fades in, the text, the thumb's room, a gap.
        let stripHeight = gap + textHeight + max(targetHeight, 2 * heldThumbRadius + gap)
        let height = (min(stripHeight, displayHeight) + 1) & ~1
        strip = Rectangle(x: 0, y: displayHeight - height, width: displayWidth, height: height)
        textTop = gap
        let centre = displayHeight - max(targetHeight, 2 * heldThumbRadius + gap) / 2
        track = Rectangle(
            x: margin, y: centre - trackHeight / 2, width: max(displayWidth - 2 * margin, 1), height: trackHeight)
        touchTarget = Rectangle(x: 0, y: centre - targetHeight / 2, width: displayWidth, height: targetHeight)
    }

    /// Pixels per millimetre, where the display's own figures are credible.
    static func pixelsPerMillimetre(width: Int, height: Int, millimetres: (width: Int, height: Int)?) -> Double? {
        guard let millimetres, millimetres.width > 0, millimetres.height > 0 else { return nil }
        let across = Double(width) / Double(millimetres.width)
        let down = Double(height) / Double(millimetres.height)
        // Below 30 or above 600 dots per inch, or pixels more than a third longer than wide, it is a wrong EDID.
        guard (30...600).contains(across * 25.4), (0.75...1.34).contains(across / down) else { return nil }
        return across
    }

    /// The fraction 0...1 of the track at a display coordinate, clamped at its ends.
    public func fraction(atX x: Double) -> Double {
        min(max((x - Double(track.x)) / Double(track.width), 0), 1)
    }

    /// The thumb's centre, in display coordinates.
    public func thumbX(at fraction: Double) -> Double {
        Double(track.x) + min(max(fraction, 0), 1) * Double(track.width)
    }
}
