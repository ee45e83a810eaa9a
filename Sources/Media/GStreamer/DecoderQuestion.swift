internal import CGStreamer
internal import CVideoSink

/// What an element asks of what lies behind its pad; as long as it waits.
enum DecoderQuestion {
    /// Which caps are taken.
    case caps(CapsQuestion)
    /// How memory for frames of these caps is to be got.
    case memory(MemoryQuestion)

    /// `nil` for a question of another kind.
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

    /// Of these, those that whoever asks can use.
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

    /// As the sink does: with a pool of buffers besides.
    func answerAsSink() { vitrine_offer_memory(raw) }

    /// As whoever asks likes it: that it says with each frame where its lines are is understood.
    func answerAnyhow() { gst_query_add_allocation_meta(raw, gst_video_meta_api_get_type(), nil) }
}
