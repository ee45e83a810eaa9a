internal import CGStreamer

/// The pad that a decoder's ghost pad shows: of uridecodebin's, of decodebin's, and of the element within. The caller owns
/// the reference.
func innermost(of ghost: UnsafeMutablePointer<GstPad>) -> UnsafeMutablePointer<GstPad> {
    var pad = gst_object_ref(ghost).assumingMemoryBound(to: GstPad.self)
    while g_type_check_instance_is_a(pad.cast(to: GTypeInstance.self), gst_ghost_pad_get_type()) != 0,
        let target = gst_ghost_pad_get_target(pad.cast(to: GstGhostPad.self))
    {
        gst_object_unref(pad)
        pad = target
    }
    return pad
}

/// The sink pad of the decoder whose output a ghost pad shows; of what needs no decoder the pad that gives it out. The caller owns
/// the reference.
func decoderEntry(of ghost: UnsafeMutablePointer<GstPad>) -> UnsafeMutablePointer<GstPad> {
    let pad = innermost(of: ghost)
    guard let element = gst_pad_get_parent_element(pad) else { return pad }
    defer { gst_object_unref(element) }
    let klass = gst_element_get_factory(element).flatMap { gst_element_factory_get_metadata($0, "klass") }
    guard let klass, String(cString: klass).contains("Decoder"),
        let entry = gst_element_get_static_pad(element, "sink")
    else { return pad }
    gst_object_unref(pad)
    return entry
}
