/// Sub Station Alpha's scripts, `.ass` and `.ssa`, as files beside the film: what is said, without how it looks.
public enum SubStationAlpha {
    /// All texts of a script.
    /// - Parameter lines: without their ends.
    public static func cues(of lines: some Sequence<String>) -> CueList {
        var list = CueList()
        var isOfEvents = false
        var fields: [String] = []
        for line in lines.prefix(CueList.mostRead) where !list.isFull {
            if line.hasPrefix("[") { isOfEvents = line.lowercased().hasPrefix("[events]") }
            guard isOfEvents, let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...]
            switch line[..<colon] {
            case "Format": fields = value.split(separator: ",").map { $0.filter { !$0.isWhitespace }.lowercased() }
            case "Dialogue": if let cue = cue(value, fields) { list.add(cue) }
            default: break
            }
        }
        return list
    }

    /// The text is the last field, which alone may have commas in it.
    private static func cue(_ line: Substring, _ fields: [String]) -> Cue? {
        let values = line.split(separator: ",", maxSplits: max(fields.count - 1, 0), omittingEmptySubsequences: false)
        func time(_ field: String) -> MediaTime? {
            guard let place = fields.firstIndex(of: field), place < values.count else { return nil }
            return MediaTime(String(values[place].filter { !$0.isWhitespace }))
        }
        guard values.count == fields.count, let start = time("start"), let end = time("end"), let text = values.last
        else { return nil }
        return Cue(from: start, to: end, text: SubtitleText.plain(plain(text), isMarkup: false))
    }

    /// Without what is in braces, and without the drawings between `{\p1}` and `{\p0}`.
    /// - Parameter keepsBraces: those that do not begin with an override's backslash.
    static func plain(_ text: Substring, keepsBraces: Bool = false) -> String {
        var (plain, rest, draws) = ("", text, false)
        // Without one, each brace would be looked for to the end.
        let lastClose = text.lastIndex(of: "}") ?? text.startIndex
        while let character = rest.popFirst() {
            if character == "{", !keepsBraces || rest.first == "\\", rest.startIndex <= lastClose,
                let close = rest.firstIndex(of: "}")
            {
                if let scale = rest[..<close].split(separator: "\\").last(where: isDrawing) {
                    draws = scale.dropFirst() != "0"
                }
                rest = rest[rest.index(after: close)...]
            } else if character == "\\", let code = rest.first, let meant = breaks[code] {
                rest.removeFirst()
                if !draws { plain.append(meant) }
            } else if !draws {
                plain.append(character)
            }
        }
        return plain
    }

    private static let breaks: [Character: Character] = ["N": "\n", "n": "\n", "h": " "]

    /// "p1", and neither "pos(1,2)" nor "pbo3".
    private static func isDrawing(_ override: Substring) -> Bool {
        override.first == "p" && override.count > 1 && override.dropFirst().allSatisfy(\.isNumber)
    }
}
