/// The places of the on-screen display's parts on one display. All lengths are pixels of the display.
///
/// Sizes follow the display's millimetres if they are credible, so that a thumb hits the bar on a 7" panel and text is
/// legible on a large one. The slider's hit test, the painter and the text use this same value.
public struct OSDLayout: Hashable, Sendable {
    /// A rectangle in pixels, from the upper left corner. Its user says in which space.
    public struct Rectangle: Hashable, Sendable {
        /// From the left.
        public var x: Int
        /// From the top.
        public var y: Int
        /// To the right.
        public var width: Int
        /// Downwards.
        public var height: Int

        /// A rectangle from its corner and its size.
        public init(x: Int, y: Int, width: Int, height: Int) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }

        /// Whether a point is inside. The right and the lower edge are outside.
        public func contains(x pointX: Double, y pointY: Double) -> Bool {
            pointX >= Double(x) && pointX < Double(x + width) && pointY >= Double(y) && pointY < Double(y + height)
        }
    }

    /// The display's width as the viewer sees it: sides are swapped on a display that is turned by a quarter. So are
    /// all places below.
    public let displayWidth: Int
    public let displayHeight: Int
    /// The surface at the lower edge that the OSD's plane covers, in display coordinates.
    public let surface: Rectangle
    /// The bar's track, in display coordinates. The thumb's centre runs from its left to its right edge.
    public let track: Rectangle
    /// The area that takes a finger as "on the bar", in display coordinates: at least 9 mm or 64 px high, whichever is
    /// more.
    public let touchTarget: Rectangle
    /// The distance from its place within which a resting finger is reported.
    public let restRadius: Double
    public let thumbRadius: Int
    /// The thumb's radius while a finger holds it.
    public let heldThumbRadius: Int
    /// The width of the gap in the track that marks a chapter's start.
    public let markWidth: Int
    /// Left and right margin of the text and the track.
    public let margin: Int
    /// Height of the text's font.
    public let fontSize: Int
    /// Height of the subtitles' font.
    public let subtitleFontSize: Int
    /// Whether the surface has room for subtitles above the bar.
    public let hasSubtitles: Bool
    /// The row of the surface in which the bar's background starts; the room above it is for subtitles.
    public let fadeTop: Int
    /// The upper edge of the line of text, in surface coordinates. Above it the background fades in.
    public let textTop: Int
    /// Height of the line of text: room for ascenders and descenders.
    public let textHeight: Int
    /// Radius of the live mark, a dot at the track's left end in the middle of the line of text.
    public let liveMarkRadius: Int
    /// The buttons from left to right. Those that did not fit are missing.
    public let buttons: [Button]
    /// The least side of a touch target.
    public let targetSide: Int
    /// The lower edge of the panel above the bar, in display coordinates.
    public let panelBottom: Int

    /// A button beside the bar, or below it.
    public struct Button: Hashable, Sendable {
        public var button: ControlButton
        /// Its icon, in display coordinates.
        public var frame: Rectangle
        /// The area that takes a finger.
        public var target: Rectangle
    }

    /// 9 mm: the smallest side of a touch target that a thumb hits reliably (ISO 9241-411 and the vendors' guidelines
    /// say 7 to 10 mm).
    static let leastTarget = (millimetres: 9.0, pixels: 64)

    /// The tremble of a finger and of its panel together; a fingertip touches with 8 to 10 mm. The pixels are for
    /// displays that do not give their size: 3 mm at 127 dots per inch.
    static let rest = (millimetres: 3.0, pixels: 15.0)

    /// The smallest part of the display's width that the track has beside buttons. If there is less, and a portrait
    /// display has room, the buttons are below the track.
    static let leastTrack = (landscape: 0.4, portrait: 0.7)

    /// Lays the display out for a mode and the picture's size as the connector reports it, in millimetres; `nil` or a
    /// size that is not credible (below 30 or above 600 dots per inch, or 0) counts as unknown.
    /// - Parameters:
    ///   - hasSubtitles: whether the surface has room for subtitles above the bar.
    ///   - buttons: the buttons to show; `play` is left, the others right in this order. If the display is too narrow
    ///     for all, the last ones except `menu` are dropped.
    ///   - panelHeight: the height of the panel above the bar, which the surface includes.
    public init(
        displayWidth: Int, displayHeight: Int, millimetres: (width: Int, height: Int)?, hasSubtitles: Bool = false,
        buttons: [ControlButton] = [], panelHeight: Int = 0
    ) {
        self.displayWidth = displayWidth
        self.displayHeight = displayHeight
        self.hasSubtitles = hasSubtitles
        let density = Self.pixelsPerMillimetre(width: displayWidth, height: displayHeight, millimetres: millimetres)
        func pixels(_ length: Double, atLeast least: Int) -> Int {
            max(least, Int((length * (density ?? 0)).rounded()))
        }
        restRadius = density.map { $0 * Self.rest.millimetres } ?? Self.rest.pixels
        // The minimum of each size grows with the display, for displays that are seen from afar.
        let unit = Double(min(displayWidth, displayHeight)) / 100
        fontSize = min(pixels(3.4, atLeast: max(18, Int((unit * 3).rounded()))), max(displayHeight / 10, 1))
        subtitleFontSize = min(fontSize * 4 / 3, max(displayHeight / 12, 1))
        thumbRadius = min(pixels(2.0, atLeast: max(10, Int((unit * 1.5).rounded()))), max(displayHeight / 16, 1))
        heldThumbRadius = thumbRadius * 4 / 3
        margin = max(heldThumbRadius + 8, Int((unit * 4).rounded()))
        textHeight = fontSize * 3 / 2
        liveMarkRadius = max(fontSize / 4, 2)
        // Even, so that the track is centred on the line that the thumb's centre runs on.
        let trackHeight = max(4, thumbRadius / 2) & ~1
        markWidth = max(2, trackHeight / 3)
        let targetHeight = min(
            pixels(Self.leastTarget.millimetres, atLeast: Self.leastTarget.pixels), max(displayHeight / 2, 1))

        // A button is a touch target, and recognisable from where the text is legible.
        targetSide = targetHeight
        let side = buttons.isEmpty ? 0 : min(max(targetHeight, fontSize * 9 / 4), max(displayHeight / 3, 1))
        let icon = side * 5 / 8
        // The outermost icons end at the margin, and their targets a little further out.
        let edge = max(margin - (side - icon) / 2, 0)
        let most = side > 0 ? max((displayWidth - 2 * edge) / side, 0) : 0
        // `menu`, the way back, is placed apart.
        let last = buttons.filter { $0 == .menu }
        let shown = buttons.filter { $0 != .menu }.prefix(max(most - last.count, 0)) + last
        let rightCount = shown.count { $0 != .play }
        let hasPlay = rightCount < shown.count
        var (left, right) = (margin, displayWidth - margin)
        if hasPlay { left = edge + side + heldThumbRadius + 2 }
        if rightCount > 0 { right = displayWidth - edge - rightCount * side - heldThumbRadius - 2 }
        let leastTrack = displayHeight > displayWidth ? Self.leastTrack.portrait : Self.leastTrack.landscape
        let isStacked = !shown.isEmpty && Double(right - left) < Double(displayWidth) * leastTrack
        if isStacked { (left, right) = (margin, displayWidth - margin) }

        // From below: half the touch target, the thumb, the text, and a bit more than that again for the background to
        // fade in. The target reaches over the text: it is felt, not seen.
        let below = max((targetHeight + 1) / 2, heldThumbRadius + fontSize / 2, isStacked ? 0 : (side + 1) / 2)
        let centre = max(displayHeight - below - (isStacked ? side : 0), 0)
        let textBottom = centre - heldThumbRadius - fontSize / 4
        let fade = max(textBottom - textHeight - textHeight * 5 / 4, 0)
        panelBottom = max(textBottom - textHeight - fontSize / 2, 0)
        let subtitleTop = textBottom - textHeight - subtitleFontSize * 5 / 4 * SubtitleText.mostLines
        var top = hasSubtitles ? max(min(fade, subtitleTop), 0) : fade
        if panelHeight > 0 { top = min(top, max(panelBottom - min(panelHeight, displayHeight), 0)) }
        // Even: displays whose planes are subsampled or scaled handle it better.
        let height = min((displayHeight - top + 1) & ~1, displayHeight)
        surface = Rectangle(x: 0, y: displayHeight - height, width: displayWidth, height: height)
        fadeTop = max(fade - surface.y, 0)
        textTop = max(textBottom - textHeight - surface.y, 0)
        track = Rectangle(
            x: left, y: centre - trackHeight / 2, width: max(right - left, 1), height: trackHeight)

        let rowCentre = isStacked ? displayHeight - (side + 1) / 2 : centre
        var rightPlace = displayWidth - edge - rightCount * side
        self.buttons = shown.map { button in
            let x = button == .play ? edge : rightPlace
            if button != .play { rightPlace += side }
            let y = max(min(rowCentre - side / 2, displayHeight - side), 0)
            // The button that is needed most is the largest.
            let size = button == .play ? side * 3 / 4 : icon
            let frame = Rectangle(x: x + (side - size) / 2, y: y + (side - size) / 2, width: size, height: size)
            // To the display's edge, which stops a finger.
            let (from, to) = (button == .play ? 0 : x, x + side + edge >= displayWidth ? displayWidth : x + side)
            let target = Rectangle(x: from, y: y, width: to - from, height: displayHeight - y)
            return Button(button: button, frame: frame, target: target)
        }
        // The part of the row that the buttons leave free.
        let touched =
            isStacked
            ? 0..<displayWidth
            : (hasPlay ? edge + side : 0)..<(rightCount > 0 ? displayWidth - edge - rightCount * side : displayWidth)
        touchTarget = Rectangle(
            x: touched.lowerBound, y: max(centre - targetHeight / 2, 0), width: max(touched.count, 1),
            height: min(targetHeight, displayHeight))
    }

    /// Pixels per millimetre, if the display's own size is credible.
    static func pixelsPerMillimetre(width: Int, height: Int, millimetres: (width: Int, height: Int)?) -> Double? {
        guard let millimetres, millimetres.width > 0, millimetres.height > 0 else { return nil }
        let across = Double(width) / Double(millimetres.width)
        let down = Double(height) / Double(millimetres.height)
        // Below 30 or above 600 dots per inch, or with pixels more than a third longer than wide, the EDID is wrong.
        guard (30...600).contains(across * 25.4), (0.75...1.34).contains(across / down) else { return nil }
        return across
    }

    /// The fraction 0...1 of the track at a display coordinate, clamped at its ends.
    public func fraction(atX x: Double) -> Double {
        min(max(0, (x - Double(track.x)) / Double(track.width)), 1)
    }

    /// The thumb's centre, in display coordinates; NaN counts as 0.
    public func thumbX(at fraction: Double) -> Double {
        Double(track.x) + min(max(0, fraction), 1) * Double(track.width)
    }
}

extension OSDLayout {
    /// The columns of the track that a mark covers, in display coordinates.
    public func markColumns(at fraction: Double) -> Range<Int> {
        let left = Int(thumbX(at: fraction).rounded()) - markWidth / 2
        return (left..<left + markWidth).clamped(to: track.x..<track.x + track.width)
    }

    /// The distance from the surface's lower edge to the subtitles' lower edge.
    public func subtitleBottom(isBarVisible: Bool) -> Int {
        isBarVisible ? surface.height - textTop : subtitleFontSize / 2
    }

    /// The left edge of the title: right of the live mark if there is one.
    public func titleX(isLive: Bool) -> Int {
        isLive ? track.x + 2 * liveMarkRadius + fontSize / 2 : track.x
    }

    /// The distance from the time's right edge to the display's.
    public var timeRight: Int { displayWidth - track.x - track.width }

    /// The x at which the title must end, so that it does not run into the time at the track's right end.
    ///
    /// A digit of the OSD's typeface is 0.63 of the font size wide, every other character of the time less.
    public func titleRight(besides timeText: String) -> Int {
        let right = displayWidth - timeRight
        return timeText.isEmpty ? right : right - timeText.count * fontSize * 5 / 8 - fontSize
    }
}
