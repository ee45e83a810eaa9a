internal import CGStreamer

/// An event on its way through a pipeline.
final class Event: MiniObject, @unchecked Sendable {
    var raw: UnsafeMutablePointer<GstEvent> { object.assumingMemoryBound(to: GstEvent.self) }

    var type: GstEventType { raw.pointee.type }

    /// The sequence number; that of the seek, if the event is caused by one.
    var seqnum: UInt32 { gst_event_get_seqnum(raw) }

    /// A copy with another sequence number.
    func numbered(_ seqnum: UInt32) -> Event {
        let own = Event(sharing: gst_mini_object_copy(raw.cast(to: GstMiniObject.self)))
        gst_mini_object_unref(own.raw.cast(to: GstMiniObject.self))
        gst_event_set_seqnum(own.raw, seqnum)
        return own
    }

    var segment: GstSegment {
        var segment = GstSegment()
        gst_event_copy_segment(raw, &segment)
        return segment
    }

    var caps: Caps? {
        var caps: UnsafeMutablePointer<GstCaps>?
        gst_event_parse_caps(raw, &caps)
        return caps.map { Caps(sharing: $0) }
    }

    var tags: TagList? {
        var tags: UnsafeMutablePointer<GstTagList>?
        gst_event_parse_tag(raw, &tags)
        return tags.map { TagList(sharing: $0) }
    }

    var streamFlags: UInt32 {
        var flags = GST_STREAM_FLAG_NONE
        gst_event_parse_stream_flags(raw, &flags)
        return flags.rawValue
    }
}

/// New events.
extension Event {
    /// - Parameter stop: below 0 means the stream's end.
    static func seek(_ rate: Double, _ flags: GstSeekFlags, from start: Int64, to stop: Int64) -> Event? {
        Event(
            owning: gst_event_new_seek(
                rate, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, gint64(start), GST_SEEK_TYPE_SET, gint64(stop)))
    }

    /// A flushing step of one buffer, at the same rate.
    static var step: Event? { Event(owning: gst_event_new_step(GST_FORMAT_BUFFERS, 1, 1, 1, 0)) }

    static var flushStart: Event? { Event(owning: gst_event_new_flush_start()) }

    /// Resets the running time.
    static var flushStop: Event? { Event(owning: gst_event_new_flush_stop(1)) }

    static func gap(at time: GstClockTime) -> Event? { Event(owning: gst_event_new_gap(time, 0)) }

    static func segment(_ segment: GstSegment, seqnum: UInt32) -> Event? {
        var segment = segment
        return Event(owning: gst_event_new_segment(&segment))?.withSeqnum(seqnum)
    }

    static func end(seqnum: UInt32) -> Event? { Event(owning: gst_event_new_eos())?.withSeqnum(seqnum) }

    private func withSeqnum(_ seqnum: UInt32) -> Event {
        gst_event_set_seqnum(raw, seqnum)
        return self
    }
}
