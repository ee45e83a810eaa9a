/// The scrub state machine's inputs and actions.
extension Scrubber {
    public enum Input: Hashable, Sendable {
        case slider(SliderEvent)
        /// The film is open: commands are accepted.
        case ready(MediaInfo)
        case mediaInfo(MediaInfo)
        case keyframes(KeyframeMap)
        /// The frame that answers a seek is on the screen.
        case frame(SeekFrame)
        /// Every stream has followed the last seek: the answer in a film without video.
        case settled
        case seekFailed(SeekRequest.Ticket)
        /// Frames have arrived at the decoder since the last wake, or since the seek in flight was sent. In backward
        /// playback they are a group, which is reported only after all of it is decoded.
        case progress(isGroup: Bool)
        case setPlaying(Bool)
        /// A jump from outside the slider; a drag has precedence.
        case jump(to: MediaTime, within: SeekTolerance)
        /// A step so many frames on from the one on the screen, or back if below 0; during a seek, from its target.
        case step(Int, from: ShownFrame)
        /// Repeats an exact seek to the position or the target, to apply a change that takes effect with a seek. Under
        /// a finger, the drag's last seek does it.
        case again
        case position(MediaTime)
        /// `deadline` has passed, and there is no unread event of the finger.
        case wake
        /// The pipeline is gone, and the film is to continue at its position or target.
        case lost
        /// Another film, or the same one anew: the seek in flight will never be answered.
        case closed
    }

    /// A frame on the screen.
    public struct ShownFrame: Hashable, Sendable {
        /// The frame's start, and the film's position: maybe further on, in the frame's middle.
        public var start: MediaTime
        public var place: MediaTime
        /// The frame's end; `nil` while unknown.
        public var end: MediaTime?

        public init(start: MediaTime, place: MediaTime, end: MediaTime? = nil) {
            self.start = start
            self.place = place
            self.end = end
        }
    }

    public enum Action: Hashable, Sendable {
        case setPlaying(Bool)
        /// Mutes the seeks that follow, or lets sound in again.
        case setScrubMuted(Bool)
        case seek(SeekRequest)
        /// A seek was never answered: build the film's pipeline anew at this time. A drag continues meanwhile; `ready`
        /// follows, without `closed`.
        case rebuild(at: MediaTime)
    }
}
