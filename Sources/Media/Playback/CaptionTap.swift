internal import CGStreamer
internal import PlayerCore
internal import Synchronization

/// Takes the closed captions that the parser has found in a film's frames, before the decoder, which leaves out frames that are
/// late, and those before the one that is sought. Of a film that has none, each frame is only asked for them.
final class CaptionTap: Sendable {
    private let reader = Mutex(CaptionReader())
    private let news: @Sendable (MediaEvent) -> Void

    private init(_ news: @escaping @Sendable (MediaEvent) -> Void) { self.news = news }

    /// Attaches one, which the decoder's pads hold.
    /// - Parameter decoder: of frames. One that gives nothing out has no captions.
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
                // Backwards they say nothing.
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

    private func report(_ changes: (inout CaptionReader) -> [CaptionReader.Change]) {
        reader.withLock { reader in
            for change in changes(&reader) { news(.caption(change)) }
        }
    }
}

extension CaptionReader.Moment {
    /// `nil` of a frame without a time, or far from any film's.
    fileprivate init?(_ buffer: Buffer, in segment: GstSegment) {
        guard let time = buffer.streamTime(in: segment), let running = buffer.runningTime(in: segment),
            time <= UInt64(MediaTime.farthest.nanoseconds)
        else { return nil }
        self.init(time: MediaTime(nanoseconds: Int64(time)), running: running)
    }
}
