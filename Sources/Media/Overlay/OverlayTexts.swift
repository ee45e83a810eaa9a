internal import PlayerCore

/// The texts of the on-screen display's surface: a title at its left, the time at its right, and subtitles.
///
/// The pipeline's worker sets them while no buffer is under way.
struct OverlayTexts: Sendable {
    private let title: TextLayer
    private let time: TextLayer
    /// `nil` if the surface has no room for subtitles.
    private let subtitle: TextLayer?

    init(on layout: OSDLayout) throws(MediaFailure) {
        let (top, textRows) = (layout.lineTop, layout.textRows)
        title = try TextLayer(
            name: "osd-title", side: .left, fontSize: layout.fontSize, top: top, surfaceWidth: layout.surface.width,
            textRows: textRows)
        time = try TextLayer(
            name: "osd-time", side: .right, fontSize: layout.fontSize, top: top, surfaceWidth: layout.surface.width,
            textRows: textRows)
        guard layout.hasSubtitles else {
            subtitle = nil
            return
        }
        subtitle = try TextLayer(
            name: "osd-subtitle", side: .center, fontSize: layout.subtitleFontSize, top: 0,
            surfaceWidth: layout.surface.width, textRows: layout.surface.height)
    }

    /// In the order in which a buffer passes them.
    var layers: [TextLayer] { [title, time, subtitle].compactMap { $0 } }

    /// Follows a surface of another height, from the next buffer on.
    func move(to layout: OSDLayout) {
        for layer in [title, time] { layer.move(top: layout.lineTop, textRows: layout.textRows) }
        subtitle?.move(top: 0, textRows: layout.surface.height)
    }

    /// Sets the texts of the next buffer.
    func show(_ model: OSDModel, on layout: OSDLayout) {
        title.show(
            OverlayText.title(model), padding: layout.titleX(isLive: model.isLive),
            right: layout.titleRight(besides: model.timeText))
        time.show(OverlayText.time(model), padding: layout.timeRight)
        subtitle?.show(
            OverlayText.subtitle(model), padding: layout.subtitleBottom(isBarVisible: model.isVisible))
    }
}

extension OSDLayout {
    /// The upper edge of the font's line: a line of text is 1.2 of the font's size high.
    fileprivate var lineTop: Int { textTop + (textHeight - fontSize * 6 / 5) / 2 }

    /// The rows from the surface's first on that are black below the text.
    fileprivate var textRows: Int { max(track.y - surface.y - heldThumbRadius - 2, 0) }
}
