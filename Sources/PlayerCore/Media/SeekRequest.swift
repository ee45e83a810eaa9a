/// One seek, as the seek queue requests it from `Media`.
public struct SeekRequest: Hashable, Sendable {
    /// Names a seek, so that its frame is distinguished from those of older seeks. Never 0.
    public struct Ticket: Hashable, Sendable {
        public var number: UInt32

        public init(number: UInt32) {
            self.number = number
        }

        /// The next ticket; after the last one the count starts again at 1.
        public var next: Ticket { Ticket(number: number == .max ? 1 : number + 1) }
    }

    public enum Method: Hashable, Sendable {
        /// To the key frame at or before the target, decoding on to `showing` before a frame is shown; `nil` shows the
        /// key frame itself. With `showing` only for dragging: playback cannot continue from there in time with the
        /// sound.
        case keyframe(showing: MediaTime?)
        /// To the key frame at or before the target, decoding only so many frames, 1 or more. This shows a frame
        /// soonest, because the decoder need not wait for the frames that precede it in output order. `advance` can
        /// follow `frames` - 1 times.
        case preview(frames: Int)
        /// To the exact frame at the target.
        case exact
        /// To the first frame that starts behind the target; if there is none, to the last.
        case next
        /// To the frame that ends at the target, where another one starts.
        case previous
        /// Without any seek: decodes from the frame on the screen to the one that contains the target, which must be
        /// ahead of it. Only for dragging, as above.
        case advance
        /// To the film's last frame, searched for from the frame at the target on. Without sound, as for a drag.
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
