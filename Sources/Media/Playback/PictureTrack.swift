internal import CGStreamer

/// How far a video track is the film, of several in one file. The greatest one is played, and the first of equals.
struct PictureTrack: Comparable {
    /// No cover and no thumbnail: of another codec than images have, and more than one frame a second.
    private let moves: Bool
    /// What the container says of it: Matroska's default flag, MP4's disabled tracks.
    private let preference: Int

    /// - Parameter pad: a decoder's or a parser's, maybe behind ghost pads.
    init(at pad: UnsafeMutablePointer<GstPad>) {
        let slow = Self.withCaps(of: pad) { structure in
            var (n, d): (gint, gint) = (0, 1)
            return gst_structure_get_fraction(structure, "framerate", &n, &d) != 0 && n > 0 && n <= d
        }
        let coded = decoderEntry(of: pad)
        defer { gst_object_unref(coded) }
        let isImage = Self.withCaps(of: coded) { String(cString: gst_structure_get_name($0)).hasPrefix("image/") }
        moves = !slow && !isImage
        preference = Self.preference(at: pad)
    }

    static func < (one: Self, other: Self) -> Bool {
        one.moves == other.moves ? one.preference < other.preference : other.moves
    }

    /// The best of them; `nil` where there is none.
    static func best(of pads: [UnsafeMutablePointer<GstPad>]) -> UnsafeMutablePointer<GstPad>? {
        var best: (pad: UnsafeMutablePointer<GstPad>, track: Self)?
        for pad in pads {
            let track = Self(at: pad)
            if best.map({ $0.track < track }) ?? true { best = (pad, track) }
        }
        return best?.pad
    }

    private static func preference(at pad: UnsafeMutablePointer<GstPad>) -> Int {
        let inner = innermost(of: pad)
        defer { gst_object_unref(inner) }
        guard let event = gst_pad_get_sticky_event(inner, GST_EVENT_STREAM_START, 0) else { return 0 }
        defer { gst_event_unref(event) }
        var flags = GST_STREAM_FLAG_NONE
        gst_event_parse_stream_flags(event, &flags)
        if flags.rawValue & GST_STREAM_FLAG_SELECT.rawValue != 0 { return 1 }
        return flags.rawValue & GST_STREAM_FLAG_UNSELECT.rawValue != 0 ? -1 : 0
    }

    private static func withCaps(
        of pad: UnsafeMutablePointer<GstPad>, _ ask: (UnsafeMutablePointer<GstStructure>) -> Bool
    ) -> Bool {
        guard let caps = gst_pad_get_current_caps(pad) ?? gst_pad_query_caps(pad, nil) else { return false }
        defer { gst_caps_unref(caps) }
        guard gst_caps_get_size(caps) > 0, let structure = gst_caps_get_structure(caps, 0) else { return false }
        return ask(structure)
    }
}
