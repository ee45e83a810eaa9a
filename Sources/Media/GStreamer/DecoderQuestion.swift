internal import CGStreamer
internal import CVideoSink

/// An element's query to its downstream peer; valid while the element waits.
enum DecoderQuestion {
    /// A query for the accepted caps.
    case caps(CapsQuestion)
    /// A query for memory for frames of these caps.
    case memory(MemoryQuestion)

    /// `nil` for another kind of query.
    init?(_ query: UnsafeMutableRawPointer) {
        let query = query.assumingMemoryBound(to: GstQuery.self)
        switch query.pointee.type {
        case GST_QUERY_CAPS: self = .caps(CapsQuestion(raw: query))
        case GST_QUERY_ALLOCATION: self = .memory(MemoryQuestion(raw: query))
        default: return nil
        }
    }
}

struct CapsQuestion {
    fileprivate let raw: UnsafeMutablePointer<GstQuery>

    /// Answers with those of the caps that the querying element can use.
    func answer(_ caps: Caps) {
        var filter: UnsafeMutablePointer<GstCaps>?
        gst_query_parse_caps(raw, &filter)
        let wanted = filter.map { Caps(sharing: .init($0)) }
        let both = wanted.flatMap { caps.intersection(with: $0) } ?? caps
        withExtendedLifetime(both) { gst_query_set_caps_result(raw, both.raw) }
    }
}

struct MemoryQuestion {
    fileprivate let raw: UnsafeMutablePointer<GstQuery>

    var caps: Caps? {
        var caps: UnsafeMutablePointer<GstCaps>?
        gst_query_parse_allocation(raw, &caps, nil)
        return caps.map { Caps(sharing: .init($0)) }
    }

    /// Answers as the sink does: it also offers a pool of buffers.
    func answerAsSink() { vitrine_offer_memory(raw) }

    /// Accepts any memory, with frames that say where their lines are.
    func answerAnyhow() { gst_query_add_allocation_meta(raw, gst_video_meta_api_get_type(), nil) }
}
