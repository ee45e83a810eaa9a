/// Turns the frames' captions into texts with times. A decoder receives frames in decoding order: captions wait here for display
/// order.
///
/// Most streams send the same captions twice, by CEA-608 and by CEA-708's services. To offer them once, the services are read only
/// in streams without CEA-608: up to its first character. Service 1 and CC1 are both in the language of the film's sound, and share a
/// number.
public struct CaptionReader: Sendable {
    /// A channel's text from a time on; empty for none.
    public struct Change: Hashable, Sendable {
        /// Counted from 1: CC1 to CC4, or the number of CEA-708's service, 63 at most.
        public var channel: Int
        /// Lines.
        public var text: String
        /// In the film.
        public var time: MediaTime

        /// A change of a channel's text.
        public init(channel: Int, text: String, time: MediaTime) {
            self.channel = channel
            self.text = text
            self.time = time
        }
    }

    /// A frame's display time.
    public struct Moment: Hashable, Sendable {
        /// In the film.
        public var time: MediaTime
        /// On the pipeline's clock, which continues when a loop starts again.
        public var running: MediaTime

        /// The moment of a frame with both times.
        public init(time: MediaTime, running: MediaTime) {
            self.time = time
            self.running = running
        }
    }

    private struct Frame {
        var moment: Moment
        var pairs: [CaptionPair]
    }

    /// Sorted by their moment.
    private var waiting: [Frame] = []
    private var decoder = CaptionDecoder()
    private var services = CaptionServices()
    /// Whether CEA-608 has brought a character, before a seek, too. From then on, CEA-708's services are not read.
    private var isLineCaptioned = false
    /// The channels that show a text.
    private var shown: Set<Int> = []
    /// The time of the last decoded frame.
    private var time: MediaTime?
    /// The moment of the last taken frame.
    private var taken: Moment?
    /// Whether captions have arrived since the last seek: from then on, frames without any count, too.
    public private(set) var isReading = false

    /// More frames than any decoder holds. It bounds the memory for a decoder that outputs nothing.
    private static let mostWaiting = 100

    /// A reader at an unknown place of the film.
    public init() {}

    /// Takes a frame on its way into the decoder.
    /// - Parameter moment: `nil` for a frame without a time, such as a second field: the previous frame's counts.
    public mutating func take(_ pairs: [CaptionPair], at moment: Moment?) {
        isReading = isReading || pairs.contains { !$0.isPadding }
        guard isReading, let moment = moment ?? taken else { return }
        taken = moment
        let place = waiting.lastIndex { $0.moment.running <= moment.running }.map { $0 + 1 } ?? 0
        waiting.insert(Frame(moment: moment, pairs: pairs), at: place)
        if waiting.count > Self.mostWaiting { waiting.removeFirst() }
    }

    /// Decodes the captions up to a frame that the decoder outputs: these are in order.
    /// - Parameter running: the frame's running time.
    public mutating func release(through running: MediaTime) -> [Change] {
        var changes: [Change] = []
        while let frame = waiting.first, frame.moment.running <= running {
            waiting.removeFirst()
            let now = frame.moment.time
            // The film starts again.
            if let time, now < time { changes += forget() }
            time = now
            let texts = decoder.take(frame.pairs)
            if !isLineCaptioned, decoder.hasText {
                isLineCaptioned = true
                changes += end(at: now)
            }
            for (channel, text) in isLineCaptioned ? texts : services.take(frame.pairs, at: now) {
                if text.isEmpty { shown.remove(channel) } else { shown.insert(channel) }
                changes.append(Change(channel: channel, text: text, time: now))
            }
        }
        return changes
    }

    /// Handles a seek: the next frames are from elsewhere in the film.
    public mutating func interrupt() -> [Change] {
        (waiting, taken, isReading) = ([], nil, false)
        return forget()
    }

    /// Ends the shown texts at the last frame.
    private mutating func forget() -> [Change] {
        defer { (decoder, services, time) = (CaptionDecoder(), CaptionServices(), nil) }
        return time.map { end(at: $0) } ?? []
    }

    private mutating func end(at time: MediaTime) -> [Change] {
        defer { shown = [] }
        return shown.sorted().map { Change(channel: $0, text: "", time: time) }
    }
}
