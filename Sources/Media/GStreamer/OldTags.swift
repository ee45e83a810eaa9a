internal import CGStreamer

/// A tag as text, of several values what GStreamer makes of them; `nil` where there is none, and for what is no text, number
/// or date.
func tagText(_ tag: String, in tags: UnsafePointer<GstTagList>) -> String? {
    guard let first = gst_tag_list_get_value_index(tags, tag, 0),
        ![gst_sample_get_type(), gst_buffer_get_type()].contains(first.pointee.g_type)
    else { return nil }
    var value = GValue()
    guard gst_tag_list_copy_value(&value, tags, tag) != 0 else { return nil }
    defer { g_value_unset(&value) }
    if value.g_type == FundamentalType.string {
        return g_value_get_string(&value).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    return takeString(gst_value_serialize(&value))
}

/// The tags of an event of them, which keeps them.
func withTags(of event: UnsafeMutablePointer<GstEvent>, _ body: (UnsafePointer<GstTagList>) -> Void) {
    var tags: UnsafeMutablePointer<GstTagList>?
    gst_event_parse_tag(event, &tags)
    if let tags { body(tags) }
}

/// The tags that came to the element whose pad a decoder's ghost pad shows, then those that have passed this pad: a decoder
/// gives them on with its first picture, ssaparse never does.
func forEachTags(at ghost: UnsafeMutablePointer<GstPad>, _ body: (UnsafePointer<GstTagList>) -> Void) {
    if let before = pad(before: ghost) {
        forEachKeptTags(at: before, body)
        gst_object_unref(before)
    }
    forEachKeptTags(at: ghost, body)
}

private func forEachKeptTags(at pad: UnsafeMutablePointer<GstPad>, _ body: (UnsafePointer<GstTagList>) -> Void) {
    var index: guint = 0
    while let event = gst_pad_get_sticky_event(pad, GST_EVENT_TAG, index) {
        withTags(of: event, body)
        gst_event_unref(event)
        index += 1
    }
}

/// The sink pad of the element whose source a ghost pad shows. The caller owns the reference.
private func pad(before ghost: UnsafeMutablePointer<GstPad>) -> UnsafeMutablePointer<GstPad>? {
    let pad = innermost(of: ghost)
    defer { gst_object_unref(pad) }
    guard let element = gst_pad_get_parent_element(pad) else { return nil }
    defer { gst_object_unref(element) }
    return gst_element_get_static_pad(element, "sink")
}
