/// M3U: a film in each line, before it perhaps `#EXTINF:seconds,title`.
enum M3U {
    /// `nil` for HLS, whose pieces are not to be played one by one.
    static func entries(of lines: some Sequence<String>) -> [PlaylistEntry]? {
        var (entries, title) = ([PlaylistEntry](), String?.none)
        for line in lines {
            let line = trimmed(line)
            if line.hasPrefix("#EXT-X-") { return nil }
            if line.hasPrefix("#EXTINF:") {
                title = line.firstIndex(of: ",").map { trimmed(String(line[line.index(after: $0)...])) }
                continue
            }
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            entries.append(PlaylistEntry(slashed(line), title: title?.isEmpty == true ? nil : title))
            title = nil
        }
        return entries
    }

    private static func trimmed(_ text: String) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }

    /// Windows' own writing of a path.
    private static func slashed(_ path: String) -> String {
        path.contains("/") ? path : String(path.map { $0 == "\\" ? "/" : $0 })
    }
}
