internal import CGStreamer

/// The tags of a stream or a file.
final class TagList: MiniObject, @unchecked Sendable {
    private var raw: UnsafeMutablePointer<GstTagList> { object.assumingMemoryBound(to: GstTagList.self) }

    /// Whether the tags belong to the whole file, not to a stream.
    var areGlobal: Bool { gst_tag_list_get_scope(raw) == GST_TAG_SCOPE_GLOBAL }

    /// A tag as text; GStreamer joins several values. `nil` if there is none, and for values that are no text, number
    /// or date.
    subscript(tag: String) -> String? {
        guard let first = gst_tag_list_get_value_index(raw, tag, 0),
            ![gst_sample_get_type(), gst_buffer_get_type()].contains(first.pointee.g_type)
        else { return nil }
        var value = GValue()
        guard gst_tag_list_copy_value(&value, raw, tag) != 0 else { return nil }
        defer { g_value_unset(&value) }
        if value.g_type == FundamentalType.string {
            return g_value_get_string(&value).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        return takeString(gst_value_serialize(&value))
    }

    /// All tags that have a text.
    var texts: [String: String] {
        let names = (0..<max(gst_tag_list_n_tags(raw), 0)).compactMap { place in
            gst_tag_list_nth_tag_name(raw, UInt32(place)).map { String(cString: $0) }
        }
        return Dictionary(uniqueKeysWithValues: names.compactMap { name in self[name].map { (name, $0) } })
    }

    /// The image tag, still encoded.
    var image: Sample? {
        var image: OpaquePointer?
        gst_tag_list_get_sample(raw, GST_TAG_IMAGE, &image)
        return Sample(owning: image.map { .init($0) })
    }
}
