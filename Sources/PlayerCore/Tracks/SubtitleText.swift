/// The plain text of subtitles.
public enum SubtitleText {
    /// More lines would cover the film.
    static let mostLines = 4

    /// The text without Sub Station Alpha's overrides (`{\an8}`), which people write into every kind of subtitles,
    /// without markup (`<i>`, `&amp;`), blank lines and spaces at the lines' ends.
    public static func plain(_ text: String, isMarkup: Bool) -> String {
        let text = text.contains("{\\") ? SubStationAlpha.plain(text[...], keepsBraces: true) : text
        let lines = (isMarkup ? unescaped(untagged(text)) : text).split { $0.isNewline }.map { line in
            let line = line.drop(while: \.isWhitespace)
            return String(line.reversed().drop(while: \.isWhitespace).reversed())
        }
        return lines.filter { !$0.isEmpty }.prefix(mostLines).joined(separator: "\n")
    }

    /// The text without tags. A tag's name, or WebVTT's time, follows the bracket at once: "1 < 2" is no tag.
    private static func untagged(_ text: String) -> String {
        var (plain, rest) = ("", text[...])
        while let open = rest.firstIndex(of: "<") {
            plain += rest[..<open]
            rest = rest[rest.index(after: open)...]
            guard let first = rest.first, first.isLetter || first.isNumber || first == "/" else {
                plain.append("<")
                continue
            }
            guard let close = rest.firstIndex(of: ">") else { return plain + "<" + rest }
            rest = rest[rest.index(after: close)...]
        }
        return plain + rest
    }

    /// The text with `&amp;` and the like replaced by their characters.
    public static func unescaped(_ text: String) -> String {
        var (plain, rest) = ("", text[...])
        while let start = rest.firstIndex(of: "&") {
            plain += rest[..<start]
            rest = rest[start...]
            guard let end = rest.prefix(10).firstIndex(of: ";"), let character = character(rest[..<end].dropFirst())
            else {
                plain.append(rest.removeFirst())
                continue
            }
            plain.append(character)
            rest = rest[rest.index(after: end)...]
        }
        return plain + rest
    }

    private static func character(_ name: Substring) -> Character? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "nbsp": return " "
        case "lrm": return "\u{200E}"
        case "rlm": return "\u{200F}"
        default:
            guard name.hasPrefix("#") else { return nil }
            let digits = name.dropFirst()
            let value = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return value.flatMap { Unicode.Scalar($0) }.map { Character($0) }
        }
    }
}
