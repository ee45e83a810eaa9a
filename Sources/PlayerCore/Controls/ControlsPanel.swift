/// The panel that opens above the bar when its button is touched.
public enum ControlsPanel: Hashable, Sendable, CaseIterable {
    case languages, subtitles, volume, outputs, filmstrip

    init?(_ button: ControlButton) {
        switch button {
        case .play, .menu: return nil
        case .languages: self = .languages
        case .subtitles: self = .subtitles
        case .volume: self = .volume
        case .outputs: self = .outputs
        case .filmstrip: self = .filmstrip
        }
    }

    var button: ControlButton {
        switch self {
        case .languages: .languages
        case .subtitles: .subtitles
        case .volume: .volume
        case .outputs: .outputs
        case .filmstrip: .filmstrip
        }
    }
}

/// One choice of a list.
struct PanelChoice: Hashable, Sendable {
    var text: String
    var isChosen: Bool
    var action: ControlsAction
}

extension ControlsContent {
    /// "No subtitles" in the viewer's language; English if the table has no translation.
    private var none: String {
        switch viewerLanguage?.language {
        case "de": "Keine"
        case "fr": "Aucun"
        case "es": "Ninguno"
        case "it": "Nessuno"
        case "nl": "Geen"
        case "da": "Ingen"
        case "pl": "Brak"
        case "cs": "Žádné"
        default: "None"
        }
    }

    /// The choices of a panel, from the top; empty for panels that are no lists.
    func choices(in panel: ControlsPanel) -> [PanelChoice] {
        switch panel {
        case .volume, .filmstrip: []
        case .languages:
            languages.map { option in
                PanelChoice(
                    text: option.displayName, isChosen: option.number == language,
                    action: .select(.audible, option.number))
            }
        case .subtitles:
            [PanelChoice(text: none, isChosen: subtitle == nil, action: .select(.legible, nil))]
                + subtitles.map { option in
                    PanelChoice(
                        text: option.displayName, isChosen: option.number == subtitle,
                        action: .select(.legible, option.number))
                }
        case .outputs:
            outputs.map { route in
                PanelChoice(text: route.name, isChosen: route.id == output?.id, action: .selectOutput(route.id))
            }
        }
    }
}

/// The places of a panel's widgets. All lengths are pixels of the display.
struct PanelLayout: Hashable, Sendable {
    typealias Rectangle = OSDLayout.Rectangle

    private let layout: OSDLayout
    private let panel: ControlsPanel
    private let texts: [String]
    /// The height of a row, or the width of a column.
    private let row: Int
    private let inset: Int
    private let gap: Int
    /// The distance from the panel's lower edge to the highest possible upper edge.
    private let room: Int

    /// - Parameters:
    ///   - layout: the display's layout, with or without a panel.
    ///   - texts: the texts of the choices.
    init(_ panel: ControlsPanel, texts: [String], layout: OSDLayout) {
        self.layout = layout
        self.panel = panel
        self.texts = texts
        row = max(layout.targetSide, layout.fontSize * 9 / 4)
        inset = max(layout.fontSize / 3, 4)
        gap = max(layout.fontSize / 4, 2)
        room = max(layout.panelBottom - layout.margin / 2, row)
    }

    // MARK: Lists

    /// The number of rows that fit.
    private var rows: Int { max((room - 2 * inset) / row, 1) }

    /// The estimated width of a text. A Latin character is at most this part of the font size wide, others up to the
    /// full size.
    static func width(of text: String, fontSize: Int) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x500 ? fontSize * 5 / 8 : fontSize) }
    }

    private var columnWidth: Int {
        let widest = texts.map { Self.width(of: $0, fontSize: layout.fontSize) }.max() ?? 0
        let most = layout.displayWidth - 2 * layout.margin - 2 * inset
        // Check mark, text, and the same space at the right as at the left.
        return min(max(widest + layout.fontSize * 3, row * 2), most)
    }

    private var mostColumns: Int {
        max((layout.displayWidth - 2 * layout.margin - 2 * inset) / columnWidth, 1)
    }

    /// The number of choices that fit on a page. With several pages, the last place is for the icon that shows the next
    /// page.
    private var capacity: Int { rows * mostColumns }

    var pageCount: Int {
        guard texts.count > capacity else { return 1 }
        let each = max(capacity - 1, 1)
        return (texts.count + each - 1) / each
    }

    /// The choices on a page.
    func choices(onPage page: Int) -> Range<Int> {
        guard texts.count > capacity else { return 0..<texts.count }
        let each = max(capacity - 1, 1)
        let first = min(page, pageCount - 1) * each
        return first..<min(first + each, texts.count)
    }

    // MARK: Places

    /// The panel's frame; all its pages have one size.
    var frame: Rectangle {
        var (width, height) = (0, 0)
        switch panel {
        case .languages, .subtitles, .outputs:
            let count = min(texts.count, capacity)
            let columns = min((count + rows - 1) / rows, mostColumns)
            width = columns * columnWidth + 2 * inset
            height = min(max((count + columns - 1) / columns, 1), rows) * row + 2 * inset
        case .volume:
            width = row + 2 * inset
            height = min(room, row * 4 + 2 * inset)
        case .filmstrip:
            width = layout.displayWidth
            height = min(room, pictureSize.height + 2 * inset)
        }
        let right = layout.displayWidth - layout.margin
        let button = layout.buttons.first { $0.button == panel.button }?.target
        let middle = button.map { $0.x + $0.width / 2 } ?? right
        let x = panel == .filmstrip ? 0 : max(min(middle - width / 2, right - width), layout.margin)
        return Rectangle(x: x, y: layout.panelBottom - height, width: min(width, layout.displayWidth), height: height)
    }

    /// The frame of a choice by its place on the page; reading down, then right.
    func frame(ofChoice place: Int) -> Rectangle {
        let frame = frame
        let perColumn = max((frame.height - 2 * inset) / row, 1)
        return Rectangle(
            x: frame.x + inset + place / perColumn * columnWidth, y: frame.y + inset + place % perColumn * row,
            width: columnWidth, height: row)
    }

    /// The frame of the mute button, below the slider.
    var muteFrame: Rectangle {
        let frame = frame
        return Rectangle(x: frame.x + inset, y: frame.y + frame.height - inset - row, width: row, height: row)
    }

    /// The volume slider: its frame is the range of values.
    var level: (frame: Rectangle, target: Rectangle) {
        let (frame, mute) = (frame, muteFrame)
        let target = Rectangle(x: frame.x + inset, y: frame.y + inset, width: row, height: mute.y - frame.y - inset)
        // The knob's centre runs from one end to the other.
        let end = row / 3
        return (
            Rectangle(x: target.x, y: target.y + end, width: row, height: max(target.height - 2 * end, 1)), target
        )
    }

    // MARK: The filmstrip

    /// The size of one picture: 16 to 9, and at least a touch target.
    var pictureSize: (width: Int, height: Int) {
        let height = min(max(layout.targetSide, min(layout.displayWidth, layout.displayHeight) / 7), room - 2 * inset)
        return (height * 16 / 9, height)
    }

    /// The largest scroll offset of the filmstrip.
    var mostScroll: Int {
        let all = texts.count * (pictureSize.width + gap) - gap + 2 * layout.margin
        return max(all - layout.displayWidth, 0)
    }

    /// The frame of a picture at a scroll offset to the left.
    func frame(ofPicture place: Int, scroll: Int) -> Rectangle {
        let (frame, size) = (frame, pictureSize)
        return Rectangle(
            x: layout.margin + place * (size.width + gap) - scroll, y: frame.y + inset, width: size.width,
            height: size.height)
    }

    // MARK: The picture above the thumb

    /// The frame of the picture above the bar's thumb, as large as the filmstrip's; `nil` if the display has no room
    /// for it.
    /// - Parameter value: the thumb's, 0...1.
    func previewFrame(at value: Double) -> Rectangle? {
        let (size, edge) = (pictureSize, layout.margin / 2)
        let most = layout.displayWidth - edge - size.width
        guard size.height >= layout.targetSide, layout.panelBottom - size.height >= edge, most >= edge else {
            return nil
        }
        let x = Int(layout.thumbX(at: value).rounded()) - size.width / 2
        return Rectangle(
            x: min(max(x, edge), most), y: layout.panelBottom - size.height, width: size.width, height: size.height)
    }

    /// The offset that centres this picture, as far as the filmstrip allows.
    func scroll(centring place: Int) -> Int {
        let frame = frame(ofPicture: place, scroll: 0)
        return min(max(frame.x + frame.width / 2 - layout.displayWidth / 2, 0), mostScroll)
    }
}
