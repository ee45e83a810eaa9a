public import PlayerCore
internal import Synchronization

/// An asset as it is played: its status, its time, what was chosen of it.
///
/// An item belongs to one player at a time: put into another one, it leaves the first. All of it may be used from any
/// thread, at any moment; nothing waits but the functions that say so.
public final class PlayerItem: Sendable {
    /// Whether it can be played.
    public enum Status: Hashable, Sendable {
        /// It has not been opened yet.
        case unknown
        /// It is open: what is known of it is known, and its first frame is there.
        case readyToPlay
        /// It cannot be played, or not on. `Player.replaceCurrentItem(with:)` tries again.
        case failed(PlayerError)
    }

    /// Square pixels.
    public struct Size: Hashable, Sendable {
        /// As many as it is seen wide, upright.
        public var width: Int
        /// As many as it is seen high, upright.
        public var height: Int

        /// Of so many square pixels.
        public init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// What is played; it may be played by other items, too.
    public let asset: Asset
    /// Where it starts each time that it is opened, unless it was sought elsewhere before.
    public let start: StartPlace?
    let id: ItemID

    private struct Home {
        weak var core: PlaybackCore?
        /// While it is in no player.
        var value = PlaybackItem()

        /// - Parameter core: which is its player; nothing happens while the item is in its queue.
        mutating func leave(_ core: PlaybackCore, _ id: ItemID) -> Bool {
            guard let value = core.release(id) else { return false }
            self.value = value
            self.core = nil
            return true
        }
    }

    /// Locked before a player's state, never inside it. Nobody is notified under it.
    private let home = Mutex(Home())
    private let waiting = Mutex<[SeekID: CheckedContinuation<Bool, Never>]>([:])
    private let statuses = Broadcast(Status.unknown)
    private let sizes = Broadcast<Size?>(nil)
    private let mediaInfoBroadcast = Broadcast<MediaInfo?>(nil)
    private let buffered = Broadcast<[ClosedRange<MediaTime>]>([])
    private let audible = Broadcast<MediaSelectionGroup?>(nil)
    private let legible = Broadcast<MediaSelectionGroup?>(nil)

    /// Opens nothing yet: that is done when it becomes a player's current item.
    /// - Parameters:
    ///   - asset: as `asset`.
    ///   - start: as `start`; `nil`: at its beginning.
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

    // MARK: What is

    /// Of its last load; `statusUpdates` tells each change.
    public var status: Status { Status(value.status, asset.address) }

    /// The target of a seek until its frame is there, then where the film is. Before it is opened that is known, too: where it
    /// will begin, at 0 or where it was sought to.
    public var currentTime: MediaTime {
        home.withLock { home in home.core?.time(of: id) ?? home.value.time(at: .now) }
    }

    /// `nil` while it is unknown, and for live media.
    public var duration: MediaTime? { value.mediaInfo?.duration }

    /// What is known of the film; `nil` until it is open, and again while it is opened once more.
    public var mediaInfo: MediaInfo? { value.mediaInfo }

    /// As the film is to be seen, its pixels' shape counted; `nil` while it is unknown, and for sound alone.
    public var presentationSize: Size? { value.mediaInfo.flatMap { Size($0) } }

    /// Where it can be played without waiting for a network, in rising order: as far as a film's bytes tell its time; of
    /// HLS and DASH what waits for the decoders. Empty where nobody tells, as for files.
    public var bufferedRanges: [ClosedRange<MediaTime>] { value.bufferedRanges }

    /// The sounds, or the subtitles, to choose from, and what is chosen now; `nil` before the item is open.
    public func mediaSelectionGroup(for kind: MediaCharacteristic) -> MediaSelectionGroup? { value.groups[kind] }

    /// The tracks' choice, as it was asked for.
    public func choice(of kind: MediaCharacteristic) -> TrackChoice { value.choices[kind] ?? .automatic }

    /// A seek is not done.
    var hasPendingSeek: Bool { value.isSought }

    private var value: PlaybackItem {
        home.withLock { home in home.core?.item(id) ?? home.value }
    }

    // MARK: Commands

    /// Goes to a time of the film and shows its frame.
    ///
    /// Before the film is open the seek is remembered. There is never more than one under way and one waiting.
    /// Reacts to cancellation by forgetting the seek.
    /// - Parameters:
    ///   - time: is brought into the film, 0 to its last frame.
    ///   - toleranceBefore: how much earlier the frame may begin, from 0; `.unlimited` takes the key frame before, the quickest.
    ///   - toleranceAfter: how much later, from 0. Where a key frame is known to lie between the two, the nearest one is
    ///     shown; else the very frame that stands at `time`, as with no tolerances. Key frames are known of local films, some
    ///     moments after they were opened.
    /// - Returns: whether the frame is on the screen; `false` when a newer seek or a finger took its place, it was
    ///   cancelled, the item left its player or failed, or nothing can be sought in it.
    @discardableResult
    public nonisolated(nonsending) func seek(
        to time: MediaTime, toleranceBefore: MediaTime = .zero, toleranceAfter: MediaTime = .zero
    ) async -> Bool {
        let target = SeekTarget(time, within: SeekTolerance(before: toleranceBefore, after: toleranceAfter))
        return await answer { seek in
            command(.seek(seek, id, target)) { $0.remember(seek, target) }
        }
    }

    /// Pauses, and shows the frame that comes so many after the one on the screen, or before it where `count` is below 0:
    /// the very next one for 1, also over a key frame, and where frames stand for times of different length; but where `rate`
    /// is below 0, only their usual length tells where the next one is.
    ///
    /// It goes from where the item is being sought to, and takes that seek's place; steps that follow one another before they
    /// are done add up. Where the film has fewer frames, its first or its last is shown. Reacts to cancellation as `seek` does.
    /// - Parameter count: of frames, brought to -25 to 25.
    /// - Returns: whether another frame is on the screen; `false` where there is none that way, the item is not open or not
    ///   the current one, has no video, is live or cannot be sought in, is being scrubbed, and as for `seek`.
    @discardableResult
    public nonisolated(nonsending) func step(byCount count: Int) async -> Bool {
        await answer { seek in
            // In no player there is no frame.
            command(.step(seek, id, count)) { _ in seek }
        }
    }

    /// What somebody is told who waits for a seek, or a step, that `send` sends.
    private nonisolated(nonsending) func answer(_ send: (SeekID) -> Void) async -> Bool {
        let seek = SeekID(number: Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting.withLock { $0[seek] = continuation }
                send(seek)
                // Before there was anything to forget.
                if Task.isCancelled { forget(seek) }
            }
        } onCancel: {
            forget(seek)
        }
    }

    /// Forgets the seeks that are not done; those who wait for one get `false`.
    public func cancelPendingSeeks() { forget(nil) }

    /// Chooses one of the options of this item's groups, or none. Items that follow get one of the same language, or none,
    /// where nothing else was chosen of them.
    public func select(_ option: MediaOption?, in group: MediaSelectionGroup) {
        choose(option.map { .track($0.number - 1) } ?? .off, of: group.characteristic)
    }

    /// What the player's criteria say: `Player.setMediaSelectionCriteria`. So do they for items that follow, in place of the
    /// language that was chosen of this one or of one before.
    public func selectAutomatically(in group: MediaSelectionGroup) { choose(.automatic, of: group.characteristic) }

    /// Chooses one of the tracks of a kind, or none, also before they are known; in the player at once, else when it is opened.
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

    /// Has its player do it. In none, or in one that was closed, which it leaves then, it does it `alone`: the answer is the
    /// seek that ends by it.
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

    // MARK: Following

    /// The status of now, then each change. Buffer rule of all sequences of the library: 1,024 changes wait for whoever
    /// reads slowly; then the oldest are lost. Of `Player.periodicTimes` the newest alone waits.
    public var statusUpdates: AsyncStream<Status> { statuses.stream() }

    /// `presentationSize` of now, then each change, also in mid-stream.
    public var presentationSizeUpdates: AsyncStream<Size?> { sizes.stream() }

    /// `bufferedRanges` of now, then each change.
    public var bufferedRangeUpdates: AsyncStream<[ClosedRange<MediaTime>]> { buffered.stream() }

    /// What is known of the film: its duration, which streams it has, its title. `nil` until it is open, and again
    /// while it is opened once more.
    public var mediaInfoUpdates: AsyncStream<MediaInfo?> { mediaInfoBroadcast.stream() }

    /// What there is to choose from, and what is chosen now; subtitles of files beside the film come a little later.
    public func mediaSelectionGroupUpdates(for kind: MediaCharacteristic) -> AsyncStream<MediaSelectionGroup?> {
        groups(kind).stream()
    }

    private func groups(_ kind: MediaCharacteristic) -> Broadcast<MediaSelectionGroup?> {
        switch kind {
        case .audible: audible
        case .legible: legible
        }
    }

    // MARK: Its player

    /// Becomes this player's, and leaves the one before; one that was closed takes none.
    /// - Parameter change: puts it into the queue; `nil`: that comes with a later one.
    func enter(_ core: PlaybackCore, by change: PlaybackCore.Change?) {
        guard !core.isShutDown else { return }
        home.withLock { home in
            // Under the lock, so that it is not on its way out.
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

    /// What its player has not told yet nobody hears from that any more: it is told here, before anything of the next one's.
    private func leave(_ core: PlaybackCore, _ home: inout Home) {
        guard home.leave(core, id) else { return }
        statuses.postIfNew(Status(home.value.status, asset.address))
        post(home.value.mediaInfo)
        buffered.postIfNew(home.value.bufferedRanges)
        for kind in MediaCharacteristic.allCases { groups(kind).postIfNew(home.value.groups[kind]) }
    }

    /// What was told of it, for those who follow its player from now on.
    var reported: [PlayerNews] {
        var reported: [PlayerNews] = []
        if let mediaInfo = mediaInfoBroadcast.now ?? nil { reported.append(.mediaInfo(self, mediaInfo)) }
        if statuses.now == .readyToPlay { reported.append(.ready(self)) }
        return reported
    }

    func answer(_ seek: SeekID, _ isThere: Bool) {
        waiting.withLock { $0.removeValue(forKey: seek) }?.resume(returning: isThere)
    }

    /// Nothing of a player that it has left.
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

    /// Gives the followers what was posted under `home`, once that is unlocked.
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
