/// Fits text into a frame without a typeface to measure it with.
enum FittedText {
    /// The distance from one line's upper edge to the next one's.
    static func lineHeight(_ fontSize: Int) -> Int { fontSize * 5 / 4 }

    /// The text in the largest size, up to a quarter larger than `fontSize`, in which it fits; lines end with "\n". A
    /// text that fits in no size is cut in the smallest one, with three dots for the rest.
    static func fit(_ text: String, into frame: OSDLayout.Rectangle, fontSize: Int) -> (text: String, fontSize: Int) {
        let smallest = max(fontSize * 3 / 4, 1)
        for size in [fontSize * 5 / 4, fontSize, smallest] {
            let lines = balanced(text, width: frame.width, fontSize: size)
            let isWide = lines.contains { PanelLayout.width(of: $0, fontSize: size) > frame.width }
            guard !isWide, lines.count * lineHeight(size) <= max(frame.height, lineHeight(size)) else { continue }
            return (lines.joined(separator: "\n"), size)
        }
        let lines = lines(text, width: frame.width, fontSize: smallest)
        let most = max(frame.height / lineHeight(smallest), 1)
        var kept = Array(lines.prefix(most))
        for place in kept.indices {
            let isLast = place == kept.count - 1 && lines.count > most
            kept[place] = cut(kept[place], hasMore: isLast, width: frame.width, fontSize: smallest)
        }
        return (kept.joined(separator: "\n"), smallest)
    }

    /// Lines with as many words as fit in each.
    private static func lines(_ text: String, width: Int, fontSize: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if let last = lines.last, PanelLayout.width(of: "\(last) \(word)", fontSize: fontSize) <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// As few lines as `lines` makes, of lengths as equal as possible: no word is alone in the last one.
    private static func balanced(_ text: String, width: Int, fontSize: Int) -> [String] {
        var best = lines(text, width: width, fontSize: fontSize)
        guard best.count > 1 else { return best }
        for narrower in stride(from: width - fontSize, to: width / best.count - fontSize, by: -max(fontSize / 2, 1)) {
            let next = lines(text, width: narrower, fontSize: fontSize)
            let isWide = next.contains { PanelLayout.width(of: $0, fontSize: fontSize) > narrower }
            guard next.count == best.count, !isWide else { break }
            best = next
        }
        return best
    }

    private static func cut(_ line: String, hasMore: Bool, width: Int, fontSize: Int) -> String {
        guard hasMore || PanelLayout.width(of: line, fontSize: fontSize) > width else { return line }
        var line = line
        while !line.isEmpty, PanelLayout.width(of: line + "…", fontSize: fontSize) > width { line.removeLast() }
        return line + "…"
    }
}
