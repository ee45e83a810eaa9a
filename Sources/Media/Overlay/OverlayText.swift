internal import CGStreamer
internal import PlayerCore

/// The display's two lines of text as Pango markup for `textoverlay`.
enum OverlayText {
    /// Inter (Debian: fonts-inter) is designed for screens and has digits of one width; DejaVu Sans is present in any
    /// Debian with fonts.
    static func fontDescription(pixels: Int) -> String { "Inter, DejaVu Sans, Sans Medium \(pixels)px" }

    /// Longer titles would exceed what cairo can draw (32767 pixels), and no display shows as much.
    static let longestTitle = 200

    /// The time at the right margin; "" for none. All digits have one width, so that the time does not move.
    static func time(_ model: OSDModel) -> String {
        markup(model.timeText, attributes: #"font_features="tnum""#)
    }

    /// The lines of subtitles.
    static func subtitle(_ model: OSDModel) -> String {
        model.subtitle.split(separator: "\n").map { markup(String($0), attributes: #"weight="medium""#) }
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The left text: the message, else the title, after the word LIVE for live media.
    static func title(_ model: OSDModel) -> String {
        let text = markup(model.message ?? model.title, attributes: #"font_features="tnum""#)
        guard model.isLive else { return text }
        let live = #"<span weight="bold" letter_spacing="1024">LIVE</span>"#
        return text.isEmpty ? live : "\(live)\u{2003}\(text)"
    }

    /// - Returns: "" for text without ink.
    static func markup(_ text: String, attributes: String) -> String {
        let line = String(
            String.UnicodeScalarView(
                text.prefix(longestTitle).unicodeScalars.map { isControl($0) ? " " : $0 }))
        guard hasInk(line), let escaped = takeString(g_markup_escape_text(line, -1)) else { return "" }
        return "<span \(attributes)>\(escaped)</span>"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }
}
