internal import CGStreamer
internal import PlayerCore

/// Takes a track's subtitles as they come out of the demuxer, ahead of their pictures, before a sink that neither waits nor
/// is waited for: it gets none of them, since a paused one would hold the next ones back. Who shows them knows them
/// beforehand, and shows another track's without asking the pipeline.
enum TextTap {
    /// What matroskademux calls subtitles that it has no name for: of those that are text, WebVTT is the one in use.
    static let unnamed = "application/x-subtitle-unknown"

    static func isUnnamed(_ caps: UnsafePointer<GstCaps>?) -> Bool {
        guard let caps, gst_caps_get_size(caps) > 0 else { return false }
        return gst_structure_has_name(gst_caps_get_structure(caps, 0), unnamed) != 0
    }

    /// Adds one for this pad. Thread: the streaming thread that found the pad.
    static func link(
        _ pad: UnsafeMutablePointer<GstPad>, _ track: MediaOption, in pipeline: UnsafeMutablePointer<GstElement>,
        to news: @escaping @Sendable (Int, Cue) -> Void
    ) throws(MediaFailure) {
        let sink = try makeElement("fakesink", name: "text-\(track.number)")
        for name in ["sync", "async", "enable-last-sample", "qos"] { setProperty(sink, name, to: false) }
        gst_bin_add(pipeline.cast(to: GstBin.self), sink)
        gst_element_sync_state_with_parent(sink)
        let entry = gst_element_get_static_pad(sink, "sink")
        defer { gst_object_unref(entry) }
        gst_pad_add_probe(
            entry, GST_PAD_PROBE_TYPE_BUFFER,
            { pad, info, data in
                guard let pad, let data, let buffer = gst_pad_probe_info_get_buffer(info) else {
                    return GST_PAD_PROBE_DROP
                }
                let box = Unmanaged<Box>.fromOpaque(data).takeUnretainedValue()
                if let cue = Cue(buffer, at: pad) { box.news(box.number, cue) }
                return GST_PAD_PROBE_DROP
            }, Unmanaged.passRetained(Box(number: track.number, news: news)).toOpaque(),
            { Unmanaged<Box>.fromOpaque($0!).release() })
        guard gst_pad_link(pad, entry) == GST_PAD_LINK_OK else {
            throw MediaFailure(unlinked: "the subtitles do not link")
        }
    }

    private final class Box: Sendable {
        let number: Int
        let news: @Sendable (Int, Cue) -> Void

        init(number: Int, news: @escaping @Sendable (Int, Cue) -> Void) {
            self.number = number
            self.news = news
        }
    }
}

extension Caps {
    /// Whether they are of subtitles without a name.
    var isUnnamedText: Bool { first?.name == TextTap.unnamed }
}

extension Cue {
    /// Of a buffer of text on its way through a pad.
    fileprivate init?(_ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>) {
        guard let event = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0) else { return nil }
        defer { gst_event_unref(event) }
        let caps = gst_pad_get_current_caps(pad)
        defer { if let caps { gst_caps_unref(caps) } }
        var segment: UnsafePointer<GstSegment>?
        gst_event_parse_segment(event, &segment)
        guard let segment else { return nil }
        self.init(buffer, in: segment, caps)
    }

    /// `nil` where it has no time, or no text.
    private init?(
        _ buffer: UnsafeMutablePointer<GstBuffer>, in segment: UnsafePointer<GstSegment>,
        _ caps: UnsafeMutablePointer<GstCaps>?
    ) {
        guard buffer.pointee.pts != UInt(bitPattern: -1) else { return nil }
        var start: UInt = 0
        guard gst_segment_to_stream_time_full(segment, GST_FORMAT_TIME, buffer.pointee.pts, &start) > 0 else {
            return nil
        }
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
        defer { gst_buffer_unmap(buffer, &map) }
        let bytes = UnsafeRawBufferPointer(start: map.data, count: Int(map.size)).prefix { $0 != 0 }
        guard let text = Self.text(bytes, caps) else { return nil }
        self.init(start: UInt64(start), length: UInt64(buffer.pointee.duration), text: text)
    }

    private static func text(
        _ bytes: Slice<UnsafeRawBufferPointer>, _ caps: UnsafeMutablePointer<GstCaps>?
    ) -> String? {
        if TextTap.isUnnamed(caps) {
            return String(validating: bytes, as: UTF8.self).flatMap { WebVTT.text(ofBlock: $0) }
        }
        let format = caps.flatMap { gst_structure_get_string(gst_caps_get_structure($0, 0), "format") }
            .map { String(cString: $0) }
        return SubtitleText.plain(String(decoding: bytes, as: UTF8.self), isMarkup: format == "pango-markup")
    }
}
