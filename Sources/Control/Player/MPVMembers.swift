/// Optional members of mpv's list entries: reading a missing one is no mistake, it is unavailable.
enum MPVMembers {
    private static let names: [Substring: Set<Substring>] = [
        "playlist": ["title", "current", "playing"],
        "chapter-list": ["title"],
        "track-list": [
            "src-id", "title", "lang", "image", "albumart", "default", "forced", "external-filename", "codec",
            "main-selection", "ff-index", "decoder-desc", "demux-w", "demux-h", "demux-channel-count", "demux-channels",
            "demux-samplerate", "demux-fps", "demux-bitrate", "demux-rotation", "demux-par",
        ],
    ]

    /// Whether this is the path of such a member (`track-list/0/lang`), and the list has the entry.
    static func contains(_ path: [Substring], of list: JSONValue) -> Bool {
        guard path.count == 3, names[path[0]]?.contains(path[2]) == true else { return false }
        return (try? list.value(at: path[1...1])) != nil
    }
}
