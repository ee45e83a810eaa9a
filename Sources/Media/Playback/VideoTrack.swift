internal import CGStreamer

/// Ranks a video track among several in one file. The greatest one is played, and the first of equals.
struct VideoTrack: Comparable {
    /// Whether it is no cover and no thumbnail: its codec is not an image's, and it has more than one frame a second.
    private let moves: Bool
    /// The container's preference: Matroska's default flag, MP4's disabled tracks.
    private let preference: Int

    /// - Parameter pad: a decoder's or a parser's pad, possibly behind ghost pads.
    init(at pad: Pad) {
        let rate = pad.caps?.first?.fraction("framerate")
        let isSlow = rate.map { $0.numerator > 0 && $0.numerator <= $0.denominator } ?? false
        moves = !isSlow && pad.decoderEntry.caps?.first?.name.hasPrefix("image/") != true
        let flags = pad.innermost.kept(GST_EVENT_STREAM_START)?.streamFlags ?? 0
        preference =
            flags & GST_STREAM_FLAG_SELECT.rawValue != 0
            ? 1 : flags & GST_STREAM_FLAG_UNSELECT.rawValue != 0 ? -1 : 0
    }

    static func < (one: Self, other: Self) -> Bool {
        one.moves == other.moves ? one.preference < other.preference : other.moves
    }

    /// The best track; `nil` if there is none.
    static func best(of pads: [Pad]) -> Pad? {
        var best: (pad: Pad, track: Self)?
        for pad in pads {
            let track = Self(at: pad)
            if best.map({ $0.track < track }) ?? true { best = (pad, track) }
        }
        return best?.pad
    }
}
