public import Logging
public import PlayerCore
internal import Synchronization

/// Plays one item: on a layer's display, or unseen.
///
/// What is wanted (`rate`, `volume`, the item) and what is (`timeControlStatus`, the item's `status`) are two things: commands
/// are taken at any moment, from any thread, in any order, return at once, and the player goes where the last one says.
/// What cannot be done yet is remembered. Each sequence tells the value of now, then each change once and in order; those of
/// events, `didPlayToEnd`, `itemFailures` and `itemWarnings`, begin with the next one. 1,024 changes wait for whoever reads slowly, then the
/// oldest are lost: nobody can hold the player up.
///
/// `@unchecked Sendable` because a class that has a subclass cannot be checked: its one field is a constant that locks for
/// itself.
public class Player: @unchecked Sendable {
    let core: PlaybackCore

    /// With an item that it plays after `play`, or none yet.
    /// - Parameters:
    ///   - item: as in `replaceCurrentItem(with:)`.
    ///   - options: of the screen's side: bar, touch, sound; `volume` is what the player begins with, so are `audio` and
    ///     `subtitle`; `gravity` is a window's (on a display it is the layer's).
    ///   - log: of what plays, for people.
    public convenience init(
        _ item: PlayerItem? = nil, options: PlayerOptions = PlayerOptions(), log: Logger = Logger(label: "vitrine")
    ) {
        self.init(engine: PlayerLoop(options: options, log: log), actionAtItemEnd: .rewind, options: options)
        replaceCurrentItem(with: item)
    }

    init(
        engine: any PlaybackEngine, actionAtItemEnd: ActionAtItemEnd, options: PlayerOptions = PlayerOptions()
    ) {
        let machine = PlaybackMachine(
            actionAtItemEnd: actionAtItemEnd, loudness: Loudness(percent: Double(options.volume)),
            gravity: options.gravity, sound: options.sound,
            preferences: [.audible: options.audio, .legible: options.subtitle], volumeLimit: Double(options.volumeLimit)
        )
        core = PlaybackCore(engine: engine, machine)
    }

    init(_ core: PlaybackCore) {
        self.core = core
    }

    deinit {
        Task { [core] in await core.shutDown() }
    }

    /// Ends playing, answers whoever waits, ends all sequences and frees what is GStreamer's; returns when that is done, or
    /// after 5 s where GStreamer is stuck. Then the display can be given back. A player that was closed does nothing more; called
    /// again, it waits for the same end.
    public func close() async { await core.shutDown() }

    // MARK: What is wanted

    /// How fast the film is to play; 0 pauses. Brought to 0.25 to 4, or -0.25 to -4 backwards.
    public var rate: PlaybackRate {
        get { core.read(\.rate) }
        set { core.command(.setRate(newValue)) }
    }

    /// Plays at `defaultRate`. After its end, from its start.
    public func play() { core.command(.setPlaying(true)) }

    /// Stays where it is, with its frame on the screen.
    public func pause() { rate = .paused }

    /// How fast films play once they do; `.normal` at first. Set while one plays, it is `rate`, too. Never 0. Backwards it ends with
    /// the item of a playlist.
    public var defaultRate: PlaybackRate {
        get { core.read(\.defaultRate) }
        set { core.command(.setDefaultRate(newValue)) }
    }

    /// Whether the subtitles that are chosen are to be read; they stay chosen where they are not.
    public var showsSubtitles: Bool {
        get { core.read(\.showsSubtitles) }
        set { core.command(.setSubtitlesShown(newValue)) }
    }

    /// How films are fitted into a window; on a display that is the layer's (`PlayerLayer.gravity`).
    public var gravity: VideoGravity {
        get { core.read(\.gravity) }
        set { core.command(.setGravity(newValue)) }
    }

    /// Per cent of the film's own loudness, 0 to 100, as ears measure it.
    public var volume: Int {
        get { loudness.rounded }
        set { core.command(.setVolume(Double(newValue))) }
    }

    /// `volume` and `isMuted`, with parts of a per cent.
    public var loudness: Loudness {
        get { core.read(\.loudness) }
        set {
            core.command(.setVolume(newValue.percent))
            core.command(.setMuted(newValue.isMuted))
        }
    }

    /// Whether nothing is heard, however loud `volume` is.
    public var isMuted: Bool {
        get { core.read(\.loudness.isMuted) }
        set { core.command(.setMuted(newValue)) }
    }

    /// Which track of a kind is chosen of each item by itself, as by preferred languages. What is chosen of an item
    /// (`PlayerItem.select`) is chosen by its language of those that follow, too, until one of them is to be chosen by these
    /// criteria again, or others are set; it does not change them.
    public func mediaSelectionCriteria(for kind: MediaCharacteristic) -> TrackPreference {
        core.read { $0.preferences[kind, default: .none] }
    }

    /// What is asked of items that follow: the criteria, or the language of a track that was chosen of an item before.
    public func appliedMediaSelectionCriteria(for kind: MediaCharacteristic) -> TrackPreference {
        core.read { $0.appliedPreferences[kind, default: .none] }
    }

    /// At once of the current item, too, unless something else was chosen of it.
    public func setMediaSelectionCriteria(_ preference: TrackPreference, for kind: MediaCharacteristic) {
        core.command(.preference(kind, preference))
    }

    /// Chooses one of the tracks of a kind of the current item, or none, as `PlayerItem.choose`; where there is no item, of those that
    /// follow.
    public func choose(_ choice: TrackChoice, of kind: MediaCharacteristic) {
        core.command(.choose(core.read(\.currentItem), kind, choice))
    }

    /// What happens at an item's end; `.rewind` at first, for a `QueuePlayer` `.advance`.
    public var actionAtItemEnd: ActionAtItemEnd {
        get { core.read(\.actionAtItemEnd) }
        set { core.command(.setActionAtItemEnd(newValue)) }
    }

    /// What plays, or would; `nil`: nothing. Another one from the call on that puts it there.
    public var currentItem: PlayerItem? { core.currentItem }

    /// Plays another item instead, from its start or where it was sought to; `nil`: none, and a queue is emptied. One that
    /// has failed is tried again.
    public func replaceCurrentItem(with item: PlayerItem?) {
        if let item {
            item.enter(core, by: .command(.replaceCurrent(item.id)))
        } else {
            core.command(.replaceCurrent(nil))
        }
    }

    /// `PlayerItem.seek` of the current item; `false` where there is none.
    @discardableResult
    public nonisolated(nonsending) func seek(
        to time: MediaTime, toleranceBefore: MediaTime = .zero, toleranceAfter: MediaTime = .zero
    ) async -> Bool {
        guard let item = currentItem else { return false }
        return await item.seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter)
    }

    /// As `seek`, and nobody waits for it.
    /// - Returns: `false` where there is no item, or nothing can be sought in it.
    @discardableResult
    public func jump(to time: MediaTime, within tolerance: SeekTolerance = .exact) -> Bool {
        guard let item = currentItem, item.mediaInfo?.isSeekable != false else { return false }
        return core.command(.seek(nil, item.id, SeekTarget(time, within: tolerance)))
    }

    /// As `PlayerItem.step`, and nobody waits for it.
    /// - Returns: `false` where the current item has no video to step through.
    @discardableResult
    public func step(byCount count: Int) -> Bool {
        guard count != 0, let item = currentItem, let mediaInfo = item.mediaInfo, mediaInfo.hasVideo,
            mediaInfo.isSeekable,
            !mediaInfo.isLive
        else { return false }
        return core.command(.step(SeekID(number: 0), item.id, count))
    }

    // MARK: What is

    /// A seek or a finger leads the film elsewhere.
    public var isSeeking: Bool { core.read(\.isSeeking) }

    /// The current item stands at its end, and nothing has led it elsewhere since.
    public var hasEnded: Bool { core.read(\.hasEnded) }

    /// How fast the current item plays when it is not paused: at its own pace where it cannot be played at the wanted rate.
    public var filmRate: PlaybackRate { core.read(\.filmRate) }

    /// While too little has come over the network, in per cent of what is needed to go on; else `nil`.
    public var buffering: Int? { core.bufferings.now ?? nil }

    /// What the viewer is told on the screen; `nil`: nothing.
    public var message: String? { core.messages.now ?? nil }

    /// Whether the film runs, stands, or is to run and waits, and for what.
    public var timeControlStatus: TimeControlStatus { core.read(\.status) }

    /// GStreamer's, of the current item's pipeline; `null` while nothing is open.
    public var pipelineState: PipelineState { core.read(\.pipelineState) }

    /// How fast the film really goes; 0 while it stands still, for whatever reason.
    public var actualRate: PlaybackRate { core.read(\.actualRate) }

    /// The current item's (`PlayerItem.currentTime`); `nil` without one.
    public var currentTime: MediaTime? { currentItem?.currentTime }

    /// What the player has done so far; nothing before the first item is opened, and once it was closed.
    public var diagnostics: PlayerDiagnostics {
        get async {
            var diagnostics = await core.engine.diagnostics()
            if !core.isShutDown { diagnostics.ends = core.state.withLock { $0.ends } }
            return diagnostics
        }
    }

    /// Where the film is now: a finger's place while one holds it, and a seek's target until that is done; `nil` without an item. To
    /// the frame, where `currentTime` goes by the clock.
    public var position: MediaTime? {
        get async {
            if let item = currentItem, item.mediaInfo == nil || item.hasPendingSeek { return item.currentTime }
            return await core.engine.position()
        }
    }

    /// What the frames go to, and what is there besides the film.
    public var screen: PlayerScreen {
        get async { await core.engine.screen() }
    }

    /// Whether frames, or what is owed in their place, go on coming: for a watchdog, whose patience `PlayerOptions.watchdog` says.
    /// Asked of the player's loop, it does not answer where that stands.
    public func isAlive() async -> Bool { await core.engine.isAlive() }

    // MARK: The screen

    /// Has the viewer read something in place of the film's title, until a film plays, or something else is to be said; `nil`:
    /// nothing.
    /// - Parameters:
    ///   - text: a line.
    ///   - untilRead: it stands for as long as a person takes to read a line, also when a film plays by then.
    public func setMessage(_ text: String?, untilRead: Bool = false) { core.send(.message(text, untilRead: untilRead)) }

    /// Has the viewer read something for a while, before all other words; an empty text ends it.
    public func showText(_ text: String, for duration: Duration) { core.send(.text(text, duration)) }

    /// Shows the bar, as after a touch.
    public func showControls() { core.send(.controls) }

    /// Writes what the display, or the window, shows to a PNG or JPEG file, by its name's ending.
    public func screenshot(to path: String) async throws(PlayerError) { try await core.engine.screenshot(to: path) }

    /// Switches the display off, to standby, or on again. The film goes on. Of several requests the newest one is done last.
    public func setPower(_ isOn: Bool) async throws(PlayerError) { try await core.engine.setPower(isOn) }

    // MARK: Scrubbing

    /// The film stands still under a finger: seeks that wait are forgotten, periodic reports rest, and the rate is kept for
    /// `endScrubbing`.
    public func beginScrubbing() { core.command(.beginScrubbing) }

    /// Shows a frame near a time, the quickest that there is. Only between `beginScrubbing` and `endScrubbing`.
    public func scrub(to time: MediaTime) { core.command(.scrub(to: time)) }

    /// Goes to the very frame, and on at the rate from before, or the one that was asked for meanwhile. `nil`: the film
    /// stays where it is.
    public func endScrubbing(at time: MediaTime?) { core.command(.endScrubbing(at: time)) }

    // MARK: Following

    /// All that the player tells, in one order, from what is now on.
    /// - Parameter interval: at whose multiples the film's time is told, and as often while it stands; 0: never.
    public func news(every interval: MediaTime = .zero) -> AsyncStream<PlayerNews> { core.follow(every: interval) }

    /// `timeControlStatus` of now, then each change.
    public var timeControlStatusUpdates: AsyncStream<TimeControlStatus> { core.statuses.stream() }

    /// Of the wanted rate.
    public var rateUpdates: AsyncStream<PlaybackRate> { core.rates.stream() }

    /// `volume` of now, then each change.
    public var volumeUpdates: AsyncStream<Int> { core.volumes.stream() }

    /// `isMuted` of now, then each change.
    public var isMutedUpdates: AsyncStream<Bool> { core.mutings.stream() }

    /// `currentItem` of now, then each other one, or `nil`.
    public var currentItemUpdates: AsyncStream<PlayerItem?> { core.currentItems.stream() }

    /// While too little has come over the network, in per cent of what is needed to go on; else `nil`.
    public var bufferingUpdates: AsyncStream<Int?> { core.bufferings.stream() }

    /// Each item that has played to its end, once for each time, also where it loops.
    public var didPlayToEnd: AsyncStream<PlayerItem> { core.ends.stream() }

    /// Each item that could not be played, or not on: once for each time that it was opened, as in each round of a loop.
    public var itemFailures: AsyncStream<ItemFailure> { core.failures.stream() }

    /// What goes on but not as it should, each once: a film that is silent here, a state that its pipeline refused.
    public var itemWarnings: AsyncStream<ItemWarning> { core.warnings.stream() }

    /// `pipelineState` of now, then each change.
    public var pipelineStateUpdates: AsyncStream<PipelineState> { core.pipelineStates.stream() }

    /// What the viewer is told on the screen, "Buffering 40%" too; `nil`: nothing any more.
    public var messages: AsyncStream<String?> { core.messages.stream() }
}

/// An item that cannot be played, and why.
public struct ItemFailure: Sendable {
    /// The item that failed; its `status` has the same error.
    public var item: PlayerItem
    /// As GStreamer, or the file system, said it.
    public var failure: MediaFailure
    /// Why: what was tried, on what, and what would help.
    public var error: PlayerError
}

/// What is the matter with an item that goes on all the same.
public struct ItemWarning: Sendable {
    /// The item that is played.
    public var item: PlayerItem
    /// For whoever looks after it: what does not work, and what would help.
    public var text: String
}
