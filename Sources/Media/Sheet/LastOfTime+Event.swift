internal import CGStreamer
internal import PlayerCore

extension LastOfTime {
    /// Notes an event. A flush drops the frame.
    /// - Returns: the frame that was held, if it was the last one of the film, of its caps, or of its segment.
    mutating func release(before event: GstEventType) -> Held? {
        switch event {
        case GST_EVENT_SEGMENT, GST_EVENT_CAPS, GST_EVENT_EOS: return release()
        case GST_EVENT_FLUSH_STOP:
            _ = release()
            return nil
        default: return nil
        }
    }
}
