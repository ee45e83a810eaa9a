public import PlayerCore
internal import Synchronization

/// An asset that is played: its status, its time, its chosen tracks.
///
/// An item belongs to one player at a time: when it is added to another one, it leaves the first. All members may be
/// used from any thread, at any moment; only async functions wait.
public final class PlayerItem: Sendable {
    /// Whether it can be played.
    public enum Status: Hashable, Sendable {
        /// It has not been opened yet.
        case unknown
        /// It is open: its media info is known, and its first frame is ready.
        case readyToPlay
        /// It cannot be played, or not any further. `Player.replaceCurrentItem(with:)` tries again.
        case failed(PlayerError)
    }

    /// Square pixels.
    public struct Size: Hashable, Sendable {
        /// The width as seen upright.
        public var width: Int
        /// The height as seen upright.
        public var height: Int

        /// A size in square pixels.
        public init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// The asset that is played; other items may play it, too.
    public let asset: Asset
    /// The place at which it starts each time that it is opened, unless a seek precedes.
    public let start: StartPlace?
    let id: ItemID

    private struct Home {
        weak var core: PlaybackCore?
        /// The state while the item is in no player.
        var value = PlaybackItem()

        /// - Parameter core: the item's player; nothing happens while the item is in its queue.
        mutating func leave(_ core: PlaybackCore, _ id: ItemID) -> Bool {
            guard let value = core.release(id) else { return false }
            self.value = value
            self.core = nil
            return true
        }
    }

    /// Locked before a player's state, never inside it. No notification is sent under it.
    private let home = Mutex(Home())
    private let waiting = Mutex<[SeekID: CheckedContinuation<Bool, Never>]>([:])
    private let statuses = Broadcast(Status.unknown)
    private let sizes = Broadcast<Size?>(nil)
    private let mediaInfoBroadcast = Broadcast<MediaInfo?>(nil)
    private let buffered = Broadcast<[ClosedRange<MediaTime>]>([])
    private let audible = Broadcast<MediaSelectionGroup?>(nil)
    private let legible = Broadcast<MediaSelectionGroup?>(nil)

    /// Creates an item without opening it: that happens when it becomes a player's current item.
    /// - Parameters:
    ///   - asset: as `asset`.
    ///   - start: as `start`; `nil` for its beginning.
    public init(_ asset: Asset, start: StartPlace? = nil) {
        self.asset = asset
        self.start = start
        id = ItemID(number: Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue)
        home.withLock { home in
            home.value.isRepeatable = asset.address != "-"
            home.value.beginsElsewhere = start != nil
        }
    }

    var request: FilmRequest { FilmRequest(address: asset.address, location: asset.location, start: start) }

    private static let numbers = Atomic<UInt64>(0)

    deinit {
        statuses.finish()
        sizes.finish()
        mediaInfoBroadcast.finish()
        buffered.finish()
        audible.finish()
        legible.finish()
    }

    // MARK: State

    /// The status of its last load; `statusUpdates` reports each change.
    public var status: Status { Status(value.status, asset.address) }

    /// The target of a seek until its frame is shown, then the film's time. Before the item is opened it is the place
    /// where it will start: 0 or a seek's target.
    public var currentTime: MediaTime {
        home.withLock { home in home.core?.time(of: id) ?? home.value.time(at: .now) }
    }

    /// `nil` while unknown, and for live media.
    public var duration: MediaTime? { value.mediaInfo?.duration }

    /// The film's properties, chapters among them; `nil` until it is open, and again while it is being reopened.
    public var mediaInfo: MediaInfo? { value.mediaInfo }

    /// The film's displayed size, with its pixel aspect applied; `nil` while unknown, and for sound alone.
    public var presentationSize: Size? { value.mediaInfo.flatMap { Size($0) } }

    /// The parts that can be played without waiting for a network, in rising order: for a file as far as its bytes give
    /// the time; for HLS and DASH the part that waits for the decoders. Empty if the source does not report it, as for
    /// local files.
    public var bufferedRanges: [ClosedRange<MediaTime>] { value.bufferedRanges }

    /// The audio or subtitle tracks to choose from, and the selected one; `nil` before the item is open.
    public func mediaSelectionGroup(for kind: MediaCharacteristic) -> MediaSelectionGroup? { value.groups[kind] }

    /// The requested choice of tracks.
    public func choice(of kind: MediaCharacteristic) -> TrackChoice { value.choices[kind] ?? .automatic }

    /// Whether a seek is not done.
    var hasPendingSeek: Bool { value.isSought }

    private var value: PlaybackItem {
        home.withLock { home in home.core?.item(id) ?? home.value }
    }

    // MARK: Commands

    /// Seeks to a time of the film and shows its frame.
    ///
    /// Before the film is open the seek is remembered. There is never more than one in flight and one waiting. Reacts
    /// to cancellation by forgetting the seek.
    /// - Parameters:
    ///   - time: clamped to the film, 0 to its last frame.
    ///   - toleranceBefore: how much earlier the frame may start, from 0; `.unlimited` takes the key frame before, the
    ///     quickest.
    ///   - toleranceAfter: how much later, from 0. If a key frame is known to be between the two, the nearest one is
    ///     shown; else the exact frame at `time`, as without tolerances. Key frames of local films are known some
    ///     moments after they were opened.
    /// - Returns: whether the frame is on the screen; `false` if a newer seek or a finger replaced it, it was
    ///   cancelled, the item left its player or failed, or is not seekable.
    @discardableResult
    public nonisolated(nonsending) func seek(
        to time: MediaTime, toleranceBefore: MediaTime = .zero, toleranceAfter: MediaTime = .zero
    ) async -> Bool {
        let target = SeekTarget(time, within: SeekTolerance(before: toleranceBefore, after: toleranceAfter))
        return await answer { seek in
            command(.seek(seek, id, target)) { $0.remember(seek, target) }
        }
    }

    /// Pauses, and shows the frame `count` frames after the one on the screen, or before it if `count` is below 0. A
    /// step of 1 leads to the very next frame, also over a key frame, and if frames have different durations. If `rate`
    /// is below 0, only the usual duration says where the next frame is.
    ///
    /// During a seek it starts from the seek's target, and replaces the seek. Steps that follow one another before they
    /// are done add up. If the film has fewer frames, its first or its last is shown. Reacts to cancellation as `seek`
    /// does.
    /// - Parameter count: the number of frames, clamped to -25 to 25.
    /// - Returns: whether another frame is on the screen; `false` if there is none in that direction, the item is not
    ///   open or not the current one, has no video, is live or not seekable, is being scrubbed, and as for `seek`.
    @discardableResult
    public nonisolated(nonsending) func step(byCount count: Int) async -> Bool {
        await answer { seek in
            // Without a player there is no frame.
            command(.step(seek, id, count)) { _ in seek }
        }
    }

    /// Waits for the answer to a seek, or a step, that `send` sends.
    private nonisolated(nonsending) func answer(_ send: (SeekID) -> Void) async -> Bool {
        let seek = SeekID(number: Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting.withLock { $0[seek] = continuation }
                send(seek)
                // Cancelled before there was anything to forget.
                if Task.isCancelled { forget(seek) }
            }
        } onCancel: {
            forget(seek)
        }
    }

    /// Cancels the pending seeks; their callers get `false`.
    public func cancelPendingSeeks() { forget(nil) }

    /// Selects one of the options of this item's groups, or none. Items that follow without a choice of their own get
    /// one of the same language, or none.
    public func select(_ option: MediaOption?, in group: MediaSelectionGroup) {
        choose(option.map { .track($0.number - 1) } ?? .off, of: group.characteristic)
    }

    /// Returns to the player's criteria: `Player.setMediaSelectionCriteria`. They then apply to items that follow, too,
    /// in place of the language that was chosen in this item or an earlier one.
    public func selectAutomatically(in group: MediaSelectionGroup) { choose(.automatic, of: group.characteristic) }

    /// Chooses one of the tracks of a kind, or none, also before they are known; in a player it applies at once, else
    /// when the item is opened.
    public func choose(_ choice: TrackChoice, of kind: MediaCharacteristic) {
        command(.choose(id, kind, choice)) { value in
            value.choose(choice, of: kind)
            return nil
        }
    }

    private func forget(_ seek: SeekID?) {
        command(.cancelSeeks(id, only: seek)) { value in
            guard seek == nil || value.awaitedSeek == seek else { return nil }
            return value.forgetSeek()
        }
    }

    /// Has the item's player perform a command. An item without a player, or whose player was closed (it leaves that
    /// player then), performs it `alone`: the result is the seek that ends by it.
    private func command(_ command: PlaybackMachine.Command, alone: (inout PlaybackItem) -> SeekID?) {
        let old: SeekID? = home.withLock { home in
            if let core = home.core {
                guard !core.command(command) else { return nil }
                leave(core, &home)
            }
            return alone(&home.value)
        }
        deliver()
        if let old { answer(old, false) }
    }

    // MARK: Reports

    /// The current status, then each change. All sequences of the library buffer 1,024 changes for a slow reader; then
    /// the oldest are lost. `Player.periodicTimes` buffers only the newest.
    public var statusUpdates: AsyncStream<Status> { statuses.stream() }

    /// The current `presentationSize`, then each change, also in mid-stream.
    public var presentationSizeUpdates: AsyncStream<Size?> { sizes.stream() }

    /// The current `bufferedRanges`, then each change.
    public var bufferedRangeUpdates: AsyncStream<[ClosedRange<MediaTime>]> { buffered.stream() }

    /// The film's properties: its duration, its streams, its title, its chapters. `nil` until it is open, and again while
    /// it is being reopened.
    public var mediaInfoUpdates: AsyncStream<MediaInfo?> { mediaInfoBroadcast.stream() }

    /// The tracks to choose from, and the selected one; subtitles of files beside the film are added a little later, closed
    /// captions with their first text.
    public func mediaSelectionGroupUpdates(for kind: MediaCharacteristic) -> AsyncStream<MediaSelectionGroup?> {
        groups(kind).stream()
    }

    private func groups(_ kind: MediaCharacteristic) -> Broadcast<MediaSelectionGroup?> {
        switch kind {
        case .audible: audible
        case .legible: legible
        }
    }

    // MARK: The item's player

    /// Joins this player, and leaves the previous one; a closed player takes no items.
    /// - Parameter change: puts the item into the queue; `nil` if a later one does.
    func enter(_ core: PlaybackCore, by change: PlaybackCore.Change?) {
        guard !core.isShutDown else { return }
        home.withLock { home in
            // The lock is held, so that the item does not leave meanwhile.
            if home.core === core { return _ = change.map { core.make($0) } }
            if let before = home.core {
                before.command(.remove(id))
                leave(before, &home)
            }
            if core.adopt(self, home.value, by: change) { home.core = core }
        }
        deliver()
    }

    /// Leaves its player, unless it is in its queue again.
    func comeHome(from core: PlaybackCore) {
        home.withLock { home in
            if home.core === core { leave(core, &home) }
        }
        deliver()
    }

    /// Pending reports of the previous player would be ignored. They are sent here, before any of the next one's.
    private func leave(_ core: PlaybackCore, _ home: inout Home) {
        guard home.leave(core, id) else { return }
        statuses.postIfNew(Status(home.value.status, asset.address))
        post(home.value.mediaInfo)
        buffered.postIfNew(home.value.bufferedRanges)
        for kind in MediaCharacteristic.allCases { groups(kind).postIfNew(home.value.groups[kind]) }
    }

    /// The last reports, for new followers of the player.
    var reported: [PlayerNews] {
        var reported: [PlayerNews] = []
        if let mediaInfo = mediaInfoBroadcast.now ?? nil { reported.append(.mediaInfo(self, mediaInfo)) }
        if statuses.now == .readyToPlay { reported.append(.ready(self)) }
        return reported
    }

    func answer(_ seek: SeekID, _ isThere: Bool) {
        waiting.withLock { $0.removeValue(forKey: seek) }?.resume(returning: isThere)
    }

    /// Ignores reports of a player that the item has left.
    func report(_ change: PlaybackMachine.ItemChange, by core: PlaybackCore) {
        home.withLock { home in
            guard home.core === core else { return }
            switch change {
            case .status(let status): statuses.postIfNew(Status(status, asset.address))
            case .mediaInfo(let mediaInfo): post(mediaInfo)
            case .buffered(let ranges): buffered.postIfNew(ranges)
            case .selection(let kind, let group): groups(kind).postIfNew(group)
            }
        }
        deliver()
    }

    private func post(_ news: MediaInfo?) {
        mediaInfoBroadcast.postIfNew(news)
        sizes.postIfNew(news.flatMap { Size($0) })
    }

    /// Delivers to the followers what was posted under `home`, once that is unlocked.
    private func deliver() {
        statuses.deliver()
        mediaInfoBroadcast.deliver()
        sizes.deliver()
        buffered.deliver()
        audible.deliver()
        legible.deliver()
    }
}

extension PlayerItem.Status {
    fileprivate init(_ status: PlaybackItem.Status, _ address: String) {
        self =
            switch status {
            case .unknown: .unknown
            case .readyToPlay: .readyToPlay
            case .failed(let failure): .failed(PlayerError(failure, address: address))
            }
    }
}

extension PlayerItem.Size {
    init?(_ mediaInfo: MediaInfo) {
        guard mediaInfo.hasVideo, let width = mediaInfo.width, let height = mediaInfo.height else { return nil }
        self.init(width: width, height: height)
    }
}
