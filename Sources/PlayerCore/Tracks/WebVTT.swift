/// WebVTT (W3C): the cues of a file beside the film, and those of a Matroska film, whose blocks are cues.
public enum WebVTT {
    /// All cues of a file; other blocks (notes, styles, regions) are skipped.
    /// - Parameter lines: without their line ends.
    public static func cues(of lines: some Sequence<String>) -> CueList {
        var (list, block, blocks) = (CueList(), [String](), 0)
        func endBlock() {
            guard !block.isEmpty else { return }
            if let cue = cue(block) { list.add(cue) }
            blocks += 1
            block.removeAll(keepingCapacity: true)
        }
        for line in lines {
            guard !list.isFull, blocks < CueList.mostRead else { return list }
            if line.isEmpty { endBlock() } else if block.count < longestBlock { block.append(line) }
        }
        endBlock()
        return list
    }

    /// In lines. The rest of a longer block is not read.
    private static let longestBlock = 100

    private static func cue(_ block: [String]) -> Cue? {
        // At most one line, the cue's name, precedes the times.
        guard let place = block.indices.prefix(2).first(where: { block[$0].contains(arrow) }),
            let (start, end) = times(block[place])
        else { return nil }
        return Cue(from: start, to: end, text: plain(block[(place + 1)...].joined(separator: "\n")))
    }

    /// The text of a Matroska block. WebM's form (`D_WEBVTT`, which is ffmpeg's too) has two lines before the text: the
    /// cue's name and its settings, either of which may be empty. Matroska's own (`S_TEXT/WEBVTT`) has the text alone.
    /// GStreamer does not say which one it is, but no text contains an empty line.
    /// - Returns: `nil` if the block has no text.
    public static func text(ofBlock block: String) -> String? {
        guard block.unicodeScalars.allSatisfy({ $0.value >= 0x20 || "\n\r\t".unicodeScalars.contains($0) }) else {
            return nil
        }
        var lines = block.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        while lines.last?.isEmpty == true { lines.removeLast() }
        if lines.count > 2, isSettings(lines[1]) { lines.removeFirst(2) }
        return plain(lines.joined(separator: "\n"))
    }

    private static let arrow = "-->"

    /// Reads "00:01.000 --> 00:02.500 line:0"; hours may be omitted.
    private static func times(_ line: String) -> (start: MediaTime, end: MediaTime)? {
        // Some files have SubRip's commas by mistake.
        let words = line.replacing(",", with: ".").split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count >= 3, words[1] == arrow, let start = MediaTime(words[0]), let end = MediaTime(words[2])
        else { return nil }
        return (start, end)
    }

    private static func isSettings(_ line: Substring) -> Bool {
        line.split(whereSeparator: \.isWhitespace).allSatisfy { word in
            let name = word.prefix { $0 != ":" }
            return name.count < word.count
                && ["align", "line", "position", "region", "size", "vertical"].contains(String(name))
        }
    }

    private static func plain(_ text: String) -> String { SubtitleText.plain(text, isMarkup: true) }
}
