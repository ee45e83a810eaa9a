internal import CGStreamer

/// Whether the film's pictures come from a pad of `parsebin`'s.
///
/// Asked, not read: a parser sets its caps with its first picture, which may come after its pad.
func leadsPictures(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
    guard let caps = gst_pad_query_caps(pad, nil) else { return false }
    defer { gst_caps_unref(caps) }
    guard gst_caps_is_any(caps) == 0, gst_caps_is_empty(caps) == 0 else { return false }
    let name = String(cString: gst_structure_get_name(gst_caps_get_structure(caps, 0)))
    // An animated GIF.
    return name.hasPrefix("video/") || name == "image/gst-libav-gif"
}

/// Links a pad of `parsebin`'s, in the place of one that is less the film. Before anything flows.
func relinkBest(_ pad: UnsafeMutablePointer<GstPad>, at entry: UnsafeMutablePointer<GstPad>) {
    if let linked = gst_pad_get_peer(entry) {
        defer { gst_object_unref(linked) }
        guard PictureTrack.best(of: [linked, pad]) == pad else { return }
        gst_pad_unlink(linked, entry)
    }
    gst_pad_link(pad, entry)
}

/// The name of the first factory that is one of those sought, of the elements within a bin; by its name and its class, such as
/// "Codec/Decoder/Video".
func factory(
    in bin: UnsafeMutablePointer<GstBin>, where isSought: (_ name: String, _ kind: String) -> Bool
) -> String? {
    guard let elements = gst_bin_iterate_recurse(bin) else { return nil }
    defer { gst_iterator_free(elements) }
    var (item, found) = (GValue(), String?.none)
    while found == nil, gst_iterator_next(elements, &item) == GST_ITERATOR_OK {
        let element = g_value_get_object(&item).map {
            UnsafeMutableRawPointer($0).assumingMemoryBound(to: GstElement.self)
        }
        if let factory = element.flatMap({ gst_element_get_factory($0) }),
            let name = takeString(gst_object_get_name(UnsafeMutablePointer<GstObject>(factory)))
        {
            let kind = gst_element_factory_get_metadata(factory, GST_ELEMENT_METADATA_KLASS)
            if isSought(name, kind.map { String(cString: $0) } ?? "") { found = name }
        }
        g_value_unset(&item)
    }
    return found
}
