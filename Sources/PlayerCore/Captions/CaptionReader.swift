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

    /// When a frame is shown.
    public struct Moment: Hashable, Sendable {
        /// In the film.
        public var time: MediaTime
        /// On the pipeline's clock, which goes on where a loop begins again.
        public var running: MediaTime

        /// Of a frame that has both.
        public init(time: MediaTime, running: MediaTime) {
            self.time = time
            self.running = running
        }
    }

    private struct Frame {
        var moment: Moment
        var pairs: [CaptionPair]
    }

    /// By their moment.
    private var waiting: [Frame] = []
    private var decoder = CaptionDecoder()
    /// Of channels that show a text.
    private var shown: Set<Int> = []
    /// The last frame's that was decoded.
    private var time: MediaTime?
    /// The last frame's that was taken.
    private var taken: Moment?
    /// Captions have been seen since the last seek: a frame without any counts, too.
    public private(set) var isReading = false

    /// More frames than any decoder holds: those of one that gives none out are not kept.
    private static let mostWaiting = 100

    /// Nothing has been read.
    public init() {}

    /// Takes a frame on its way into the decoder.
    /// - Parameter moment: `nil` of a frame without one, as the second field of a frame: it is the last one's.
    public mutating func take(_ pairs: [CaptionPair], at moment: Moment?) {
        isReading = isReading || pairs.contains { !$0.isPadding }
        guard isReading, let moment = moment ?? taken else { return }
        taken = moment
        let place = waiting.lastIndex { $0.moment.running <= moment.running }.map { $0 + 1 } ?? 0
        waiting.insert(Frame(moment: moment, pairs: pairs), at: place)
        if waiting.count > Self.mostWaiting { waiting.removeFirst() }
    }

    /// The decoder gives out a frame: the captions up to that are in order.
    /// - Parameter running: that frame's, on the pipeline's clock.
    public mutating func release(through running: MediaTime) -> [Change] {
        var changes: [Change] = []
        while let frame = waiting.first, frame.moment.running <= running {
            waiting.removeFirst()
            let now = frame.moment.time
            // The film begins again.
            if let time, now < time { changes += forget() }
            time = now
            for (channel, text) in decoder.take(frame.pairs) {
                if text.isEmpty { shown.remove(channel) } else { shown.insert(channel) }
                changes.append(Change(channel: channel, text: text, time: now))
            }
        }
        return changes
    }

    /// What follows is from elsewhere in the film.
    public mutating func interrupt() -> [Change] {
        (waiting, taken, isReading) = ([], nil, false)
        return forget()
    }

    /// What stands on the screen ends where the last frame was.
    private mutating func forget() -> [Change] {
        defer { (decoder, shown, time) = (CaptionDecoder(), [], nil) }
        return time.map { time in shown.sorted().map { Change(channel: $0, text: "", time: time) } } ?? []
    }
}
