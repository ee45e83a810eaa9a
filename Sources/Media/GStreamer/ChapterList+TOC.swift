internal import CGStreamer
internal import PlayerCore

extension ChapterList {
    /// The chapters of a table of contents. Of several editions the first counts, of nested chapters the outer ones.
    init(_ toc: OpaquePointer) {
        self.init(Self.chapters(of: gst_toc_get_entries(toc), depth: 0))
    }

    /// Guards against nesting: editions contain no editions.
    private static let deepest = 3

    private static func chapters(of entries: UnsafeMutablePointer<GList>?, depth: Int) -> [Chapter] {
        let entries = items(of: entries).map { OpaquePointer($0) }
        guard let first = entries.first, depth < deepest else { return [] }
        if gst_toc_entry_is_alternative(first) != 0 {
            return chapters(of: gst_toc_entry_get_sub_entries(first), depth: depth + 1)
        }
        let chapters = entries.lazy.compactMap { entry in
            var start: gint64 = -1
            guard gst_toc_entry_get_start_stop_times(entry, &start, nil) != 0, let time = mediaTime(Int64(start)) else {
                return Chapter?.none
            }
            return Chapter(start: time, title: title(of: entry))
        }
        return Array(chapters.prefix(most))
    }

    private static func title(of entry: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard let tags = gst_toc_entry_get_tags(entry), gst_tag_list_get_string(tags, GST_TAG_TITLE, &text) != 0,
            let title = takeString(text), !title.isEmpty
        else { return nil }
        return title
    }
}
