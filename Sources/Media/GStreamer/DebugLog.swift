internal import CVideoSink

/// Writes `text` to GStreamer's own log, between the messages of its elements: `GST_DEBUG=vitrine:5`. The text is not
/// evaluated unless it is logged. Any thread; once there is a film.
func debugLog(_ pipeline: Element, _ text: @autoclosure () -> String) {
    if vitrine_is_debugged() { vitrine_debug(pipeline.raw, text()) }
}
