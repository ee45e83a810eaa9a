/// One seek, as the seek queue asks for it and the media room does it.
public struct SeekRequest: Hashable, Sendable {
    /// Names a seek, so that the frame that answers it is told from the frames of older ones. Never 0.
    public struct Ticket: Hashable, Sendable {
        public var number: UInt32

        public init(number: UInt32) {
            self.number = number
        }

        /// The next ticket; after the last one the count starts again at 1.
        public var next: Ticket { Ticket(number: number == .max ? 1 : number + 1) }
    }

    public enum Method: Hashable, Sendable {
        /// To the key frame at or before the target, decoding on to `showing` before a frame is shown; `nil` shows
        /// the key frame itself. With `showing` for dragging only: playback cannot go on from it in time with the sound.
        case keyframe(showing: MediaTime?)
        /// To the key frame at or before the target, and only so many frames are decoded, 1 or more: the quickest frame
        /// there is, since the decoder need not wait for those that are shown before the next in its order. So many
        /// less one `advance` can follow.
        case preview(frames: Int)
        /// To the very frame that stands at the target.
        case exact
        /// To the first frame that begins behind the target; where there is none, to the last.
        case next
        /// To the frame that stands until the target, where another one begins.
        case previous
        /// Without any seek: decodes on from the frame on the screen to the one that contains the target, which
        /// must lie ahead of it. For dragging only, as above.
        case advance
        /// To the film's last frame, which is looked for from the one at the target on. Without sound, as a drag's.
        case last
    }

    public var ticket: Ticket
    public var target: MediaTime
    public var method: Method

    public init(ticket: Ticket, target: MediaTime, method: Method) {
        self.ticket = ticket
        self.target = target
        self.method = method
    }
}
