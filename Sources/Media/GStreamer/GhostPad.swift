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
