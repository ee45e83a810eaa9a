internal import CGStreamer
internal import PlayerCore

extension ChapterList {
    /// From a table of contents. Of several editions the first counts, of chapters within chapters the outer ones.
    init(_ toc: OpaquePointer) {
        self.init(Self.chapters(of: gst_toc_get_entries(toc), depth: 0))
    }

    /// Editions in editions there are none.
    private static let deepest = 3

    private static func chapters(of entries: UnsafeMutablePointer<GList>?, depth: Int) -> [Chapter] {
        guard let first = entries?.pointee.data, depth < deepest else { return [] }
        if gst_toc_entry_is_alternative(OpaquePointer(first)) != 0 {
            return chapters(of: gst_toc_entry_get_sub_entries(OpaquePointer(first)), depth: depth + 1)
        }
        var chapters: [Chapter] = []
        var item = entries
        while let node = item, chapters.count < most {
            if let entry = node.pointee.data.map({ OpaquePointer($0) }) {
                var start: gint64 = -1
                if gst_toc_entry_get_start_stop_times(entry, &start, nil) != 0, let time = mediaTime(Int64(start)) {
                    chapters.append(Chapter(start: time, title: title(of: entry)))
                }
            }
            item = node.pointee.next
        }
        return chapters
    }

    private static func title(of entry: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard let tags = gst_toc_entry_get_tags(entry), gst_tag_list_get_string(tags, GST_TAG_TITLE, &text) != 0,
            let title = takeString(text), !title.isEmpty
        else { return nil }
        return title
    }
}
