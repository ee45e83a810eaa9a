// Bug: decodebin keeps the errors of an element from the application while it activates that element (`filtered` in
// gst_decode_bin_handle_message), and then forgets them. A demuxer that reads by itself may have failed by then, because its first
// frame was refused: no error is reported, and nothing arrives any more. Not reported.
// Versions: seen with GStreamer 1.22.0; the main branch of 2026 still has it (gstdecodebin2.c, remove_error_filter).
// May go when test_what_fails_is_remembered_for_the_next_start of Tests/Rig/test_decoders_fail.py passes 200 times without it.

internal import CGStreamer

extension Element {
    /// Whether a decoder in this bin has refused what it got, or failed: its data flow has ended.
    var hasDecoderThatFailed: Bool {
        descendants.contains { element in
            guard PadLinker.isDecoder(element.factoryClass), let entry = element.pad("sink") else { return false }
            // Below it are GST_FLOW_NOT_NEGOTIATED, GST_FLOW_ERROR and others; above it a flush, and a stream that nobody takes.
            return gst_pad_get_last_flow_return(entry.raw).rawValue < GST_FLOW_EOS.rawValue
        }
    }
}
