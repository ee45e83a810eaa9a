internal import CGStreamer
internal import PlayerCore

/// Takes a track's subtitles from the demuxer's output, ahead of their frames. The sink behind it never gets them, so
/// that it neither waits nor is waited for: a paused sink would block the next subtitles. The owner knows the subtitles
/// in advance, and can show another track's without a request to the pipeline.
enum TextTap {
    /// matroskademux's name for subtitles that it does not know: among those that are text, only WebVTT is in use.
    static let unnamed = "application/x-subtitle-unknown"

    /// Adds a tap for this pad. Thread: the streaming thread that found the pad.
    static func link(
        _ pad: Pad, _ track: MediaOption, in pipeline: Element, to news: @escaping @Sendable (MediaEvent) -> Void
    ) throws(MediaFailure) {
        let sink = try Element("fakesink", name: "text-\(track.number)")
        for name in ["sync", "async", "enable-last-sample", "qos"] { sink.set(name, to: false) }
        pipeline.add(sink)
        sink.syncStateWithParent()
        let entry = sink.pad("sink")
        entry?.probe(GST_PAD_PROBE_TYPE_BUFFER) { pad, info in
            if let cue = info.buffer.flatMap({ Cue($0, at: pad) }) { news(.cue(track: track.number, cue)) }
            return GST_PAD_PROBE_DROP
        }
        guard let entry, pad.link(to: entry) else { throw MediaFailure(unlinked: "the subtitles do not link") }
    }
}

extension Caps {
    /// Whether the caps are of subtitles without a name.
    var isUnnamedText: Bool { first?.name == TextTap.unnamed }
}

extension Cue {
    /// A cue from a text buffer on a pad; `nil` if it has no time, or no text.
    fileprivate init?(_ buffer: Buffer, at pad: Pad) {
        guard let segment = pad.kept(GST_EVENT_SEGMENT)?.segment, let start = buffer.streamTime(in: segment) else {
            return nil
        }
        let caps = pad.currentCaps
        let text = buffer.withBytes(GST_MAP_READ) { Self.text($0.prefix { $0 != 0 }, caps) }
        guard let text = text ?? nil else { return nil }
        self.init(start: start, length: UInt64(buffer.duration), text: text)
    }

    private static func text(_ bytes: Slice<UnsafeMutableRawBufferPointer>, _ caps: Caps?) -> String? {
        if caps?.isUnnamedText == true {
            return String(validating: bytes, as: UTF8.self).flatMap { WebVTT.text(ofBlock: $0) }
        }
        return SubtitleText.plain(
            String(decoding: bytes, as: UTF8.self), isMarkup: caps?.first?.string("format") == "pango-markup")
    }
}
