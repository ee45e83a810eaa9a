public import PlayerCore

/// Somebody's controls, as a player's side sees them: they show what they are told. The two sides know each other by
/// these protocols alone. The player's own controls on the screen are one, too.
///
/// Told by one task, a call at a time and in order, and while one does not return nothing more; `setScrubbingTime` by whoever
/// scrubs, at once. Once 1,024 calls wait, the oldest are left out.
public protocol Transport: AnyObject, Sendable {
    /// Of the item that is the current one now: its file's name, and its metadata's once it is open.
    func setTitle(_ title: String)
    /// Also while the film stands, but not while it is scrubbed. `duration` is `nil` where it is unknown, as for live media.
    func setCurrentTime(_ time: MediaTime, duration: MediaTime?)
    /// While it is scrubbed: where the thumb is, not the film.
    func setScrubbingTime(_ time: MediaTime)
    /// An item has played to its end, once for each time: where it goes back to its start, once it is there. After
    /// `TransportDelegate.stop`, too.
    func playbackComplete()
    /// The current item's subtitles, each time that there are others, or another one is chosen.
    /// - Parameters:
    ///   - options: empty for an item without.
    ///   - selected: the one that is read; `nil`: none.
    func setSubtitles(_ options: [MediaOption], selected: MediaOption?)
    /// How loud the player is to be: at first, and each time that it is another.
    func setVolume(_ loudness: Loudness)
}

extension Transport {
    /// Does nothing.
    public func setSubtitles(_ options: [MediaOption], selected: MediaOption?) {}
    /// Does nothing.
    public func setVolume(_ loudness: Loudness) {}
}

/// The player's side, as somebody's controls see it. Any thread; all of it returns at once.
public protocol TransportDelegate: AnyObject, Sendable {
    /// At the film's own speed; after its end, from its start.
    func play()
    /// Stays where it is.
    func pause()
    /// Back to the start, and paused; `Transport.playbackComplete` once it is there.
    func stop()
    /// A finger took hold of the thumb: the film stands still under it.
    func scrubbingDidStart()
    /// The thumb is there now.
    func scrubbed(to time: MediaTime)
    /// The finger let go: the very frame, and on at the rate from before.
    func scrubbingDidEnd()
    /// Somebody chose a place without a way to it, such as a chapter.
    func jumped(to time: MediaTime)
    /// Somebody chose subtitles of the current item; `nil`: none.
    func subtitleSelected(_ option: MediaOption?)
    /// Somebody chose one of its sounds; `nil`: none.
    func languageSelected(_ option: MediaOption?)
    /// Somebody moved the volume, or silenced it.
    func setVolume(_ loudness: Loudness)
    /// Somebody chose where the sound is to come out.
    func outputSelected(_ route: SoundRoute)
}
