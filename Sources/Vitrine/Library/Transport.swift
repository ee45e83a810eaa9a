public import PlayerCore

/// A program's controls, as a player sees them: they show the values that they are sent. The two sides know each other
/// only by these protocols. The player's own controls on the screen are one, too.
///
/// One task makes all calls, one at a time and in order, and waits until each returns; only `setScrubbingTime` is
/// called at once, by the scrubbing side. Once 1,024 calls wait, the oldest are dropped.
public protocol Transport: AnyObject, Sendable {
    /// The title of the current item: its file's name, or its metadata's title once it is open.
    func setTitle(_ title: String)
    /// The film's time, also while it stands, but not during scrubbing. `duration` is `nil` if unknown, as for live
    /// media.
    func setCurrentTime(_ time: MediaTime, duration: MediaTime?)
    /// The thumb's time during scrubbing, not the film's.
    func setScrubbingTime(_ time: MediaTime)
    /// An item has played to its end, once each time; if it rewinds, after the rewind. Also called after
    /// `TransportDelegate.stop`.
    func playbackComplete()
    /// The current item's subtitles, each time that they, or the selected one, change.
    /// - Parameters:
    ///   - options: empty for an item without subtitles.
    ///   - selected: the visible one; `nil` for none.
    func setSubtitles(_ options: [MediaOption], selected: MediaOption?)
    /// The player's volume: initially, and at each change.
    func setVolume(_ loudness: Loudness)
}

extension Transport {
    /// Does nothing.
    public func setSubtitles(_ options: [MediaOption], selected: MediaOption?) {}
    /// Does nothing.
    public func setVolume(_ loudness: Loudness) {}
}

/// The player, as a program's controls see it. Any thread; all methods return at once.
public protocol TransportDelegate: AnyObject, Sendable {
    /// Plays at the film's own speed; after its end, from its start.
    func play()
    /// Pauses at the current position.
    func pause()
    /// Seeks to the start and pauses; then `Transport.playbackComplete` is called.
    func stop()
    /// A finger took hold of the thumb: the film pauses.
    func scrubbingDidStart()
    /// The thumb moved to this time.
    func scrubbed(to time: MediaTime)
    /// The finger was lifted: the exact frame is shown, and the film continues at the rate from before.
    func scrubbingDidEnd()
    /// A place was chosen without scrubbing, such as a chapter.
    func jumped(to time: MediaTime)
    /// Subtitles of the current item were chosen; `nil` for none.
    func subtitleSelected(_ option: MediaOption?)
    /// An audio track was chosen; `nil` for none.
    func languageSelected(_ option: MediaOption?)
    /// The volume was changed, or muted.
    func setVolume(_ loudness: Loudness)
    /// A sound output was chosen.
    func outputSelected(_ route: SoundRoute)
}
