/// What the scrub state machine is told, and what it says is to be done.
extension Scrubber {
    public enum Input: Hashable, Sendable {
        case slider(SliderEvent)
        /// The film is open: commands are accepted.
        case ready(MediaInfo)
        case mediaInfo(MediaInfo)
        case keyframes(KeyframeMap)
        /// The frame that answers a seek is on the screen.
        case frame(SeekFrame)
        /// Every stream has followed the last seek: the answer where a film has no video.
        case settled
        case seekFailed(SeekRequest.Ticket)
        /// Since the last wake, or since the seek in flight was sent, frames have come to the decoder: it is on its way. Where
        /// films play backwards, they are a group, of which none is told of before all of it is decoded.
        case progress(isGroup: Bool)
        case setPlaying(Bool)
        /// A jump from outside the slider; a drag has precedence over it.
        case jump(to: MediaTime, within: SeekTolerance)
        /// So many frames on from the one on the screen, or back where that is below 0; while something is sought, from
        /// there.
        case step(Int, from: ShownFrame)
        /// One more exact seek to where the film is, or is going: it is to go on in another way, which comes with a seek.
        /// Under a finger, the drag's last seek is that one.
        case again
        case position(MediaTime)
        /// `deadline` has come, and there is no unread news of the finger.
        case wake
        /// The pipeline is gone, and the film is to go on where it is, or was going.
        case lost
        /// Another film, or the same one anew: what is in flight will never be answered.
        case closed
    }

    /// A frame on the screen.
    public struct ShownFrame: Hashable, Sendable {
        /// Where it begins, and where the film is: maybe further on, in its middle.
        public var start: MediaTime
        public var place: MediaTime
        /// Until when it stands; `nil` while unknown.
        public var end: MediaTime?

        public init(start: MediaTime, place: MediaTime, end: MediaTime? = nil) {
            self.start = start
            self.place = place
            self.end = end
        }
    }

    public enum Action: Hashable, Sendable {
        case setPlaying(Bool)
        /// Keep sound out of the seeks that follow, or let it in again.
        case setScrubMuted(Bool)
        case seek(SeekRequest)
        /// A seek never came back: build the pipeline of the same film anew at this time. A drag goes on meanwhile;
        /// `ready` is to follow, without `closed`.
        case rebuild(at: MediaTime)
    }
}
