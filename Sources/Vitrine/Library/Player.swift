public import Logging
public import PlayerCore
internal import Synchronization

/// Plays one item: on a layer's display, or without one.
///
/// The requested state (`rate`, `volume`, the item) and the actual one (`timeControlStatus`, the item's `status`) are
/// separate. Commands are accepted at any moment, from any thread, in any order, and return at once; the last one
/// applies. A command that cannot be done yet is remembered. Each sequence starts with the current value, then gives
/// each change once and in order; those of events, `didPlayToEnd`, `itemFailures` and `itemWarnings`, start with the
/// next one. 1,024 changes wait for a slow reader, then the oldest are lost: no reader can block the player.
///
/// `@unchecked Sendable` because a class with a subclass cannot be checked: its one field is a constant that locks for
/// itself.
public class Player: @unchecked Sendable {
    let core: PlaybackCore

    /// Creates a player, with an item to play after `play`, or none yet.
    /// - Parameters:
    ///   - item: as in `replaceCurrentItem(with:)`.
    ///   - options: the screen, touch and sound; `volume`, `audio` and `subtitle` are initial values; `gravity` is for
    ///     a window (on a display it is the layer's).
    ///   - log: reports about playback, for people.
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

    /// Ends playback, answers all waiting callers, ends all sequences and frees GStreamer's resources. Returns when
    /// that is done, or after 5 s if GStreamer is stuck. Then the display can be restored. A closed player does nothing
    /// more; later calls wait for the same end.
    public func close() async { await core.shutDown() }

    // MARK: Requested state

    /// The requested rate; 0 pauses. Clamped to 0.25 to 4, or -0.25 to -4 backwards.
    public var rate: PlaybackRate {
        get { core.read(\.rate) }
        set { core.command(.setRate(newValue)) }
    }

    /// Plays at `defaultRate`; after the end, from the start.
    public func play() { core.command(.setPlaying(true)) }

    /// Pauses, and keeps the frame on the screen.
    public func pause() { rate = .paused }

    /// The rate that `play` uses; initially `.normal`. Setting it during playback sets `rate`, too. Never 0. A backward
    /// rate ends with a playlist's item.
    public var defaultRate: PlaybackRate {
        get { core.read(\.defaultRate) }
        set { core.command(.setDefaultRate(newValue)) }
    }

    /// Whether the chosen subtitles are shown; hidden ones stay chosen.
    public var showsSubtitles: Bool {
        get { core.read(\.showsSubtitles) }
        set { core.command(.setSubtitlesShown(newValue)) }
    }

    /// How films are fitted into a window; on a display the layer's gravity applies (`PlayerLayer.gravity`).
    public var gravity: VideoGravity {
        get { core.read(\.gravity) }
        set { core.command(.setGravity(newValue)) }
    }

    /// The volume in per cent of the film's own loudness, 0 to 100, on a perceptual scale.
    public var volume: Int {
        get { loudness.rounded }
        set { core.command(.setVolume(Double(newValue))) }
    }

    /// `volume` and `isMuted`, with fractions of a per cent.
    public var loudness: Loudness {
        get { core.read(\.loudness) }
        set {
            core.command(.setVolume(newValue.percent))
            core.command(.setMuted(newValue.isMuted))
        }
    }

    /// Whether the sound is muted, whatever `volume` is.
    public var isMuted: Bool {
        get { core.read(\.loudness.isMuted) }
        set { core.command(.setMuted(newValue)) }
    }

    /// The criteria by which a track of a kind is chosen in each item, such as preferred languages. A choice in an item
    /// (`PlayerItem.select`) applies by its language to the items that follow, too, until one of them is set to be
    /// chosen by these criteria again, or other criteria are set; the choice does not change the criteria.
    public func mediaSelectionCriteria(for kind: MediaCharacteristic) -> TrackPreference {
        core.read { $0.preferences[kind, default: .none] }
    }

    /// The preference for items that follow: the criteria, or the language of a track that was chosen in an earlier
    /// item.
    public func appliedMediaSelectionCriteria(for kind: MediaCharacteristic) -> TrackPreference {
        core.read { $0.appliedPreferences[kind, default: .none] }
    }

    /// Sets the criteria, also for the current item unless it has a choice of its own.
    public func setMediaSelectionCriteria(_ preference: TrackPreference, for kind: MediaCharacteristic) {
        core.command(.preference(kind, preference))
    }

    /// Chooses one of the current item's tracks of a kind, or none, as `PlayerItem.choose`; without an item, for those
    /// that follow.
    public func choose(_ choice: TrackChoice, of kind: MediaCharacteristic) {
        core.command(.choose(core.read(\.currentItem), kind, choice))
    }

    /// The action at an item's end; initially `.rewind`, for a `QueuePlayer` `.advance`.
    public var actionAtItemEnd: ActionAtItemEnd {
        get { core.read(\.actionAtItemEnd) }
        set { core.command(.setActionAtItemEnd(newValue)) }
    }

    /// The item that plays, or would play; `nil` for none. It changes with the call that sets another one.
    public var currentItem: PlayerItem? { core.currentItem }

    /// Replaces the current item, which plays from its start or from the target of a seek; `nil` for none, which also
    /// empties a queue. An item that has failed is tried again.
    public func replaceCurrentItem(with item: PlayerItem?) {
        if let item {
            item.enter(core, by: .command(.replaceCurrent(item.id)))
        } else {
            core.command(.replaceCurrent(nil))
        }
    }

    /// Seeks in the current item (`PlayerItem.seek`); `false` without one.
    @discardableResult
    public nonisolated(nonsending) func seek(
        to time: MediaTime, toleranceBefore: MediaTime = .zero, toleranceAfter: MediaTime = .zero
    ) async -> Bool {
        guard let item = currentItem else { return false }
        return await item.seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter)
    }

    /// Seeks without waiting.
    /// - Returns: `false` if there is no item, or it is not seekable.
    @discardableResult
    public func jump(to time: MediaTime, within tolerance: SeekTolerance = .exact) -> Bool {
        guard let item = currentItem, item.mediaInfo?.isSeekable != false else { return false }
        return core.command(.seek(nil, item.id, SeekTarget(time, within: tolerance)))
    }

    /// Steps as `PlayerItem.step`, without waiting.
    /// - Returns: `false` if the current item has no video to step through.
    @discardableResult
    public func step(byCount count: Int) -> Bool {
        guard count != 0, let item = currentItem, let mediaInfo = item.mediaInfo, mediaInfo.hasVideo,
            mediaInfo.isSeekable,
            !mediaInfo.isLive
        else { return false }
        return core.command(.step(SeekID(number: 0), item.id, count))
    }

    // MARK: Actual state

    /// Whether a seek or a finger moves the film.
    public var isSeeking: Bool { core.read(\.isSeeking) }

    /// Whether the current item stands at its end, and nothing has moved it since.
    public var hasEnded: Bool { core.read(\.hasEnded) }

    /// The rate of the current item when it is not paused: its own if it cannot be played at the requested one.
    public var filmRate: PlaybackRate { core.read(\.filmRate) }

    /// The level of the network buffer in per cent of the amount needed to resume, while the film waits for it; else
    /// `nil`.
    public var buffering: Int? { core.bufferings.now ?? nil }

    /// The message on the screen; `nil` for none.
    public var message: String? { core.messages.now ?? nil }

    /// Whether the film runs, is paused, or waits, and for what.
    public var timeControlStatus: TimeControlStatus { core.read(\.status) }

    /// GStreamer's state of the current item's pipeline; `null` while nothing is open.
    public var pipelineState: PipelineState { core.read(\.pipelineState) }

    /// The actual rate; 0 while the film stands still, for any reason.
    public var actualRate: PlaybackRate { core.read(\.actualRate) }

    /// The current item's time (`PlayerItem.currentTime`); `nil` without one.
    public var currentTime: MediaTime? { currentItem?.currentTime }

    /// The player's counters; empty before the first item is opened, and after `close`.
    public var diagnostics: PlayerDiagnostics {
        get async {
            var diagnostics = await core.engine.diagnostics()
            if !core.isShutDown { diagnostics.ends = core.state.withLock { $0.ends } }
            return diagnostics
        }
    }

    /// The current position: the finger's place while a finger holds the film, and a seek's target until it is done;
    /// `nil` without an item. It is exact to the frame, while `currentTime` follows the clock.
    public var position: MediaTime? {
        get async {
            if let item = currentItem, item.mediaInfo == nil || item.hasPendingSeek { return item.currentTime }
            return await core.engine.position()
        }
    }

    /// The state of the screen, besides the film.
    public var screen: PlayerScreen {
        get async { await core.engine.screen() }
    }

    /// Whether frames, or their substitutes, keep being shown: for a watchdog, whose patience is
    /// `PlayerOptions.watchdog`. The player's loop answers; if the loop is stuck, there is no answer.
    public func isAlive() async -> Bool { await core.engine.isAlive() }

    // MARK: The screen

    /// Shows a message in place of the film's title, until a film plays, or another message replaces it; `nil` removes
    /// it.
    /// - Parameters:
    ///   - text: a line.
    ///   - untilRead: whether it stays for as long as a person takes to read a line, even if a film plays by then.
    public func setMessage(_ text: String?, untilRead: Bool = false) { core.send(.message(text, untilRead: untilRead)) }

    /// Shows a text for a while, in precedence over all others; an empty text ends it.
    public func showText(_ text: String, for duration: Duration) { core.send(.text(text, duration)) }

    /// Shows the bar, as after a touch.
    public func showControls() { core.send(.controls) }

    /// Writes a screenshot of the display, or the window, to a PNG or JPEG file, by the extension of its name.
    public func screenshot(to path: String) async throws(PlayerError) { try await core.engine.screenshot(to: path) }

    /// Switches the display off, to standby, or on again. The film continues. Of several requests the newest one is
    /// done last.
    public func setPower(_ isOn: Bool) async throws(PlayerError) { try await core.engine.setPower(isOn) }

    // MARK: Scrubbing

    /// Pauses the film for a finger: pending seeks are forgotten, periodic reports stop, and the rate is kept for
    /// `endScrubbing`.
    public func beginScrubbing() { core.command(.beginScrubbing) }

    /// Shows the frame near a time that is reached soonest. Only between `beginScrubbing` and `endScrubbing`.
    public func scrub(to time: MediaTime) { core.command(.scrub(to: time)) }

    /// Seeks to the exact frame, and continues at the rate from before, or at one that was requested meanwhile. `nil`:
    /// the film stays at its position.
    public func endScrubbing(at time: MediaTime?) { core.command(.endScrubbing(at: time)) }

    // MARK: Reports

    /// All reports of the player, in one order, starting with the current state.
    /// - Parameter interval: the film's time is reported at its multiples, and as often while it stands; 0 for never.
    public func news(every interval: MediaTime = .zero) -> AsyncStream<PlayerNews> { core.follow(every: interval) }

    /// The current `timeControlStatus`, then each change.
    public var timeControlStatusUpdates: AsyncStream<TimeControlStatus> { core.statuses.stream() }

    /// The current requested rate, then each change.
    public var rateUpdates: AsyncStream<PlaybackRate> { core.rates.stream() }

    /// The current `volume`, then each change.
    public var volumeUpdates: AsyncStream<Int> { core.volumes.stream() }

    /// The current `isMuted`, then each change.
    public var isMutedUpdates: AsyncStream<Bool> { core.mutings.stream() }

    /// The `currentItem`, then each other one, or `nil`.
    public var currentItemUpdates: AsyncStream<PlayerItem?> { core.currentItems.stream() }

    /// The level of the network buffer in per cent of the amount needed to resume, while the film waits for it; else
    /// `nil`.
    public var bufferingUpdates: AsyncStream<Int?> { core.bufferings.stream() }

    /// Each item that has played to its end, once each time, also in a loop.
    public var didPlayToEnd: AsyncStream<PlayerItem> { core.ends.stream() }

    /// Each item that could not be played, or not any further: once each time that it was opened, as in each round of a
    /// loop.
    public var itemFailures: AsyncStream<ItemFailure> { core.failures.stream() }

    /// Each defect of an item that continues, once: a film without sound, a state that its pipeline refused.
    public var itemWarnings: AsyncStream<ItemWarning> { core.warnings.stream() }

    /// The current `pipelineState`, then each change.
    public var pipelineStateUpdates: AsyncStream<PipelineState> { core.pipelineStates.stream() }

    /// The message on the screen, "Buffering 40%" too; `nil` when it is removed.
    public var messages: AsyncStream<String?> { core.messages.stream() }
}

/// An item that cannot be played, with the reason.
public struct ItemFailure: Sendable {
    /// The item that failed; its `status` has the same error.
    public var item: PlayerItem
    /// The error from GStreamer, or the file system.
    public var failure: MediaFailure
    /// The error with the attempt, its object, and the remedy.
    public var error: PlayerError
}

/// A defect of an item that continues.
public struct ItemWarning: Sendable {
    /// The item that plays.
    public var item: PlayerItem
    /// The defect and the remedy, for the operator.
    public var text: String
}
