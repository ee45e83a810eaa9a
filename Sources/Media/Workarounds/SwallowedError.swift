// Bug: decodebin keeps the errors of an element from the application while it activates that element (`filtered` in
// gst_decode_bin_handle_message), and then forgets them. A demuxer that reads by itself may have failed by then, because its first
// frame was refused: no error is reported, and nothing arrives any more. Not reported.
// Versions: seen with GStreamer 1.22.0; the main branch of 2026 still has it (gstdecodebin2.c, remove_error_filter).
// May go when test_what_fails_is_remembered_for_the_next_start of Tests/Rig/test_decoders_fail.py passes 200 times without it.

internal import CGStreamer

extension Element {
    /// The decoder in this bin whose data flow has failed.
    /// - Returns: its factory, and whether it has refused the format; `nil` if there is none.
    var decoderThatFailed: (factory: String, refusesFormat: Bool)? {
        for element in descendants where PadLinker.isDecoder(element.factoryClass) {
            guard let entry = element.pad("sink"), let factory = element.factory else { continue }
            let flow = entry.lastFlow
            // Above it are a flush, and a stream that nobody takes.
            if flow.rawValue < GST_FLOW_EOS.rawValue { return (factory, flow == GST_FLOW_NOT_NEGOTIATED) }
        }
        return nil
    }
}
