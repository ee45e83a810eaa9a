/// Sub Station Alpha's scripts, `.ass` and `.ssa`, as files beside the film: the text, without its style.
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

    /// Reads a cue. The text is the last field, the only one that may contain commas.
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

    /// The text without braces and their content, and without the drawings between `{\p1}` and `{\p0}`.
    /// - Parameter keepsBraces: whether braces that do not start with an override's backslash stay.
    static func plain(_ text: Substring, keepsBraces: Bool = false) -> String {
        var (plain, rest, draws) = ("", text, false)
        // Without it, each open brace would be searched to the end.
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

    /// Whether the override is "p1", and not "pos(1,2)" or "pbo3".
    private static func isDrawing(_ override: Substring) -> Bool {
        override.first == "p" && override.count > 1 && override.dropFirst().allSatisfy(\.isNumber)
    }
}
