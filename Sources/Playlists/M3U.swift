/// M3U: a film in each line, optionally preceded by `#EXTINF:seconds,title`.
enum M3U {
    /// `nil` for HLS, whose pieces must not be played one by one.
    static func entries(of lines: some Sequence<String>) -> [PlaylistEntry]? {
        var (entries, title) = ([PlaylistEntry](), String?.none)
        for line in lines {
            let line = line.trimmed
            if line.hasPrefix("#EXT-X-") { return nil }
            if line.hasPrefix("#EXTINF:") {
                title = self.title(in: line)
                continue
            }
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            entries.append(PlaylistEntry(line.slashed, title: title?.isEmpty == true ? nil : title))
            title = nil
        }
        return entries
    }

    /// Attributes such as `tvg-name="Good, bad"` may follow the length.
    private static func title(in line: String) -> String? {
        var isQuoted = false
        let end = line.firstIndex { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
        return (end ?? line.firstIndex(of: ",")).map { String(line[line.index(after: $0)...]).trimmed }
    }
}

extension String {
    /// The text without spaces at its ends.
    var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }

    /// A Windows path with slashes.
    var slashed: String { contains("/") ? self : replacing("\\", with: "/") }
}
