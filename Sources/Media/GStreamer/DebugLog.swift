internal import CVideoSink

/// Says `text` in GStreamer's own log, beside what its elements say: `GST_DEBUG=vitrine:5`. What is made only for it costs
/// nothing where nobody reads it. Any thread; once there is a film.
func debugLog(_ pipeline: Element, _ text: @autoclosure () -> String) {
    if vitrine_is_debugged() { vitrine_debug(pipeline.raw, text()) }
}
