internal import PlayerCore
internal import Synchronization

/// Connects a player's core with a program's controls: sends them reports, and performs their requests.
///
/// Neither is retained. Any thread.
final class TransportLink: TransportDelegate {
    private struct Ends: Sendable {
        weak var core: PlaybackCore?
        weak var transport: (any Transport)?
    }

    /// An item in the queue of reports to the controls.
    private enum Item: Sendable {
        case news(PlayerNews)
        /// A stop was requested, and all earlier reports were sent.
        case stopped
        /// All reports of the film's end were sent.
        case ended
    }

    private let ends: Ends
    private let task: Task<Void, Never>
    private let reported: AsyncStream<Item>.Continuation
    /// The last scrubbed time.
    private let scrubbed = Mutex<MediaTime?>(nil)

    /// - Parameter interval: how often the controls are sent the time; 0 for never.
    init(_ core: PlaybackCore, _ transport: any Transport, every interval: MediaTime) {
        let ends = Ends(core: core, transport: transport)
        self.ends = ends
        let (items, reported) = AsyncStream.makeStream(
            of: Item.self, bufferingPolicy: .bufferingNewest(Broadcast<PlayerNews>.depth))
        self.reported = reported
        reported.yield(.news(.loudness(core.read(\.loudness))))
        core.follow(every: interval, into: reported) { .news($0) }
        let reporter = TransportReporter()
        task = Task {
            for await item in items {
                guard let transport = ends.transport else { return }
                switch item {
                case .news(let news):
                    reporter.report(news, transport)
                    // A rewind is reported after it.
                    if case .ended = news { ends.core?.inTurn { reported.yield(.ended) } }
                case .ended: reporter.settle(transport)
                case .stopped: reporter.stopped(transport)
                }
            }
        }
    }

    deinit {
        reported.finish()
        task.cancel()
    }

    // MARK: The controls' requests

    func play() { ends.core?.command(.setPlaying(true)) }

    func pause() { ends.core?.command(.setRate(.paused)) }

    func stop() {
        pause()
        jumped(to: .zero)
        ends.core?.inTurn { [reported] in reported.yield(.stopped) }
    }

    func scrubbingDidStart() {
        scrubbed.withLock { $0 = nil }
        ends.core?.command(.beginScrubbing)
    }

    func scrubbed(to time: MediaTime) {
        scrubbed.withLock { $0 = time }
        ends.transport?.setScrubbingTime(time)
        ends.core?.command(.scrub(to: time))
    }

    func scrubbingDidEnd() { ends.core?.command(.endScrubbing(at: scrubbed.withLock { $0 })) }

    func jumped(to time: MediaTime) { ends.core?.jump(to: time) }

    func subtitleSelected(_ option: MediaOption?) { select(option, .legible) }

    func languageSelected(_ option: MediaOption?) { select(option, .audible) }

    private func select(_ option: MediaOption?, _ kind: MediaCharacteristic) {
        guard let core = ends.core else { return }
        // Chosen subtitles are to be shown.
        if kind == .legible, option != nil { core.command(.setSubtitlesShown(true)) }
        core.command(.choose(core.read(\.currentItem), kind, option.map { .track($0.number - 1) } ?? .off))
    }

    func setVolume(_ loudness: Loudness) {
        ends.core?.command(.setVolume(loudness.percent))
        ends.core?.command(.setMuted(loudness.isMuted))
    }

    func outputSelected(_ route: SoundRoute) {
        guard let core = ends.core else { return }
        var sound = core.read(\.sound)
        // A second place stays, if it is another one.
        sound.words = [route.word] + sound.words.dropFirst().filter { $0 != route.word }
        core.command(.setSound(sound))
    }
}

/// Reports to one set of controls. Belongs to its task.
private final class TransportReporter {
    private var title: String?
    private var clock = ReportedClock()
    private var subtitles: MediaSelectionGroup?
    /// As last reported.
    private var isSeeking = false
    /// Whether the film has ended, which is reported once no seek moves it: after the rewind.
    private var isCompleting = false

    func report(_ news: PlayerNews, _ transport: any Transport) {
        switch news {
        case .item(let item):
            complete(transport)
            title = item?.asset.fileName
            if let title { transport.setTitle(title) }
            clock = ReportedClock()
            reportSubtitles(of: item, transport)
        case .mediaInfo(_, let mediaInfo):
            if let reported = mediaInfo.title, reported != title {
                title = reported
                transport.setTitle(reported)
            }
            if let time = clock.learn(mediaInfo.duration) {
                transport.setCurrentTime(time, duration: mediaInfo.duration)
            }
        case .selection(let item): reportSubtitles(of: item, transport)
        case .loudness(let loudness): transport.setVolume(loudness)
        case .time(let time, let item):
            clock.report(time, item?.duration)
            transport.setCurrentTime(time, duration: clock.duration)
        case .ended:
            complete(transport)
            isCompleting = true
        case .seeking(let isSeeking):
            self.isSeeking = isSeeking
            settle(transport)
        default: break
        }
    }

    func stopped(_ transport: any Transport) {
        isCompleting = true
        settle(transport)
    }

    /// Another seek may have started, which is waited for, too.
    func settle(_ transport: any Transport) {
        if !isSeeking { complete(transport) }
    }

    private func complete(_ transport: any Transport) {
        guard isCompleting else { return }
        isCompleting = false
        transport.playbackComplete()
    }

    private func reportSubtitles(of item: PlayerItem?, _ transport: any Transport) {
        let group = item?.mediaSelectionGroup(for: .legible)
        guard group != subtitles else { return }
        subtitles = group
        transport.setSubtitles(group?.options ?? [], selected: group?.selectedOption)
    }
}
