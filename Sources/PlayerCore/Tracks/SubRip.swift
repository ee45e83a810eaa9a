/// SubRip, `.srt`, as people write it: a line with two times starts a text, which ends at the next such line.
///
/// Counters and blank lines are not relied upon: some files lack one or the other, or have blank lines within a text.
public enum SubRip {
    /// All texts of a file.
    /// - Parameter lines: without their ends.
    public static func cues(of lines: some Sequence<String>) -> CueList {
        var (list, count) = (CueList(), 0)
        var times: (start: MediaTime, end: MediaTime)?
        var text: [String] = []
        // Before the first times.
        var hasCounters = false
        // The last line, if it may be the next text's counter.
        var counter: String?
        func endText() {
            guard let times else { return }
            if let cue = Cue(from: times.start, to: times.end, text: plain(text)) { list.add(cue) }
            text.removeAll(keepingCapacity: true)
            count += 1
        }
        for line in lines {
            guard !list.isFull, count < CueList.mostRead else { return list }
            guard line.contains(where: { !$0.isWhitespace }) else { continue }
            if let next = Self.times(line) {
                if times == nil { hasCounters = counter != nil }
                endText()
                (times, counter) = (next, nil)
                continue
            }
            if let counter, hasCounters, text.count < longest { text.append(counter) }
            counter = isCounter(line) ? line : nil
            if times != nil, counter == nil || !hasCounters, text.count < longest { text.append(line) }
        }
        if let counter, hasCounters { text.append(counter) }
        endText()
        return list
    }

    /// In lines. The rest of a longer text is not read.
    private static let longest = 100

    private static func plain(_ text: [String]) -> String {
        SubtitleText.plain(text.joined(separator: "\n"), isMarkup: true)
    }

    private static func isCounter(_ line: String) -> Bool {
        let digits = line.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
        return digits.allSatisfy { ("0"..."9").contains($0) } && line.count { !$0.isWhitespace } == digits.count
    }

    /// Reads "00:00:00,500 --> 00:00:01,500 X1:100 X2:200", with any arrow, and with or without spaces around it.
    private static func times(_ line: String) -> (start: MediaTime, end: MediaTime)? {
        guard let head = line.firstIndex(where: { $0 == ">" || $0 == "→" }) else { return nil }
        let before = line[..<head].filter { !$0.isWhitespace && !"-–—−=".contains($0) }
        let after = line[line.index(after: head)...].drop { $0.isWhitespace || $0 == ">" }
        guard let start = time(before), let end = time(String(after.prefix { !$0.isWhitespace })) else { return nil }
        return (start, end)
    }

    /// Reads "00:00:00,500", also with a point, or a third colon.
    private static func time(_ text: String) -> MediaTime? {
        var fields = text.replacing(",", with: ".").split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count > 1 else { return nil }
        let fraction = fields.count == 4 ? ".\(fields.removeLast())" : ""
        return MediaTime(fields.joined(separator: ":") + fraction)
    }
}
