internal import CGStreamer
internal import PlayerCore
internal import Synchronization

/// Takes the closed captions that the parser has found in a film's frames. It does so before the decoder, which skips late frames and
/// those before a seek's target. A film without captions costs a look at each frame's metadata.
final class CaptionTap: Sendable {
    private let reader = Mutex(CaptionReader())
    private let news: @Sendable (MediaEvent) -> Void

    private init(_ news: @escaping @Sendable (MediaEvent) -> Void) { self.news = news }

    /// Attaches a tap, which the decoder's pads own.
    /// - Parameter decoder: a video decoder. One that outputs no frames has no captions.
    static func attach(to decoder: Element, _ news: @escaping @Sendable (MediaEvent) -> Void) {
        guard let entry = decoder.pad("sink"), let exit = decoder.pad("src") else { return }
        let tap = CaptionTap(news)
        entry.probe([GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_FLUSH]) { pad, info in
            if let buffer = info.buffer { tap.take(buffer, at: pad) }
            if info.event?.type == GST_EVENT_FLUSH_STOP { tap.report { $0.interrupt() } }
            return GST_PAD_PROBE_OK
        }
        exit.probe(GST_PAD_PROBE_TYPE_BUFFER) { pad, info in
            if let buffer = info.buffer { tap.release(buffer, at: pad) }
            return GST_PAD_PROBE_OK
        }
    }

    private func take(_ buffer: Buffer, at pad: Pad) {
        let pairs = buffer.captions
        reader.withLock { reader in
            guard reader.isReading || !pairs.isEmpty, let segment = pad.kept(GST_EVENT_SEGMENT)?.segment,
                // In reverse, captions are not decodable.
                segment.rate > 0
            else { return }
            reader.take(pairs, at: CaptionReader.Moment(buffer, in: segment))
        }
    }

    private func release(_ buffer: Buffer, at pad: Pad) {
        report { reader in
            guard reader.isReading, let segment = pad.kept(GST_EVENT_SEGMENT)?.segment,
                let running = buffer.runningTime(in: segment)
            else { return [] }
            return reader.release(through: running)
        }
    }

    // A flush and a frame never report at once: the demuxer stops the streaming thread before it ends the flush.
    private func report(_ changes: (inout CaptionReader) -> [CaptionReader.Change]) {
        for change in reader.withLock({ changes(&$0) }) { news(.caption(change)) }
    }
}

extension CaptionReader.Moment {
    /// The moment of a frame; `nil` if it has no time, or one outside any film.
    fileprivate init?(_ buffer: Buffer, in segment: GstSegment) {
        guard let time = buffer.streamTime(in: segment), let running = buffer.runningTime(in: segment),
            time <= UInt64(MediaTime.farthest.nanoseconds)
        else { return nil }
        self.init(time: MediaTime(nanoseconds: Int64(time)), running: running)
    }
}
