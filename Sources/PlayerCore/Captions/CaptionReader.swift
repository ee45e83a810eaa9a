/// Makes texts with times of the captions that frames carry. A decoder takes frames in another order than it gives them out:
/// captions wait here for the frames' own order.
public struct CaptionReader: Sendable {
    /// From a time on, a channel's text is this one; empty: none.
    public struct Change: Hashable, Sendable {
        /// Counted from 1: CC1 to CC4.
        public var channel: Int
        /// Lines.
        public var text: String
        /// In the film.
        public var time: MediaTime

        /// What a reader reports.
        public init(channel: Int, text: String, time: MediaTime) {
            self.channel = channel
            self.text = text
            self.time = time
        }
    }

    private struct Frame {
        /// The moment that it is for on the pipeline's clock: it goes on where a loop begins again.
        var running: MediaTime
        /// In the film.
        var time: MediaTime
        var pairs: [CaptionPair]
    }

    /// By their moment.
    private var waiting: [Frame] = []
    private var decoder = CaptionDecoder()
    /// Of channels that show a text.
    private var shown: Set<Int> = []
    /// The last frame's that was decoded.
    private var time: MediaTime?
    /// Captions have been seen since the last seek: a frame without any counts, too.
    public private(set) var isReading = false

    /// More frames than any decoder holds: those of one that gives none out are not kept.
    private static let mostWaiting = 100

    /// Nothing has been read.
    public init() {}

    /// Takes a frame on its way into the decoder.
    /// - Parameter running: its moment on the pipeline's clock.
    public mutating func take(_ pairs: [CaptionPair], at time: MediaTime, running: MediaTime) {
        isReading = isReading || pairs.contains { !$0.isPadding }
        guard isReading else { return }
        let place = waiting.lastIndex { $0.running <= running }.map { $0 + 1 } ?? 0
        waiting.insert(Frame(running: running, time: time, pairs: pairs), at: place)
        if waiting.count > Self.mostWaiting { waiting.removeFirst() }
    }

    /// The decoder gives out a frame: the captions up to that are in order.
    /// - Parameter running: as `take`'s.
    public mutating func release(through running: MediaTime) -> [Change] {
        var changes: [Change] = []
        while let frame = waiting.first, frame.running <= running {
            waiting.removeFirst()
            // The film begins again.
            if let time, frame.time < time { changes += forget() }
            time = frame.time
            for (channel, text) in decoder.take(frame.pairs) {
                if text.isEmpty { shown.remove(channel) } else { shown.insert(channel) }
                changes.append(Change(channel: channel, text: text, time: frame.time))
            }
        }
        return changes
    }

    /// What follows is from elsewhere in the film.
    public mutating func interrupt() -> [Change] {
        (waiting, isReading) = ([], false)
        return forget()
    }

    /// What stands on the screen ends where the last frame was.
    private mutating func forget() -> [Change] {
        defer { (decoder, shown, time) = (CaptionDecoder(), [], nil) }
        return time.map { time in shown.sorted().map { Change(channel: $0, text: "", time: time) } } ?? []
    }
}
