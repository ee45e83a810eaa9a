internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

/// `VitrinePlayer` as the library's engine: one film at a time, the library's queue above it.
///
/// What is sent waits in a sequence that one task reads, so that nobody waits for GStreamer, nor for a display. The
/// `VitrinePlayer` is made with the first film.
final class VitrineEngine: PlaybackEngine {
    let news: AsyncStream<EngineNews>

    private enum Order: Sendable {
        case command(EngineCommand, address: String?)
        case display(Display?)
        /// What the `number`th address to come next turned out to be.
        case next(MediaLocation?, number: Int)
    }

    private let orders: AsyncStream<Order>.Continuation
    private let work: Task<Void, Never>

    init(options: PlayerOptions, log: Logger) {
        var options = options
        options.playlist = []
        options.start = nil
        options.atEnd = .pause
        options.supply = nil
        options.isPaused = true
        options.rate = .normal
        let (news, teller) = AsyncStream.makeStream(of: EngineNews.self)
        let (taken, orders) = AsyncStream.makeStream(of: Order.self)
        self.news = news
        self.orders = orders
        work = Task { [options] in
            var worker = Worker(
                options: options, log: log, news: teller, orders: orders, loudness: Loudness(percent: options.volume))
            for await order in taken {
                switch order {
                case .command(let command, let address): await worker.perform(command, address)
                case .display(let display): await worker.show(on: display)
                case .next(let location, let number): await worker.setNext(location, number)
                }
            }
            await worker.end()
            teller.finish()
        }
    }

    func send(_ command: EngineCommand, address: String?) { orders.yield(.command(command, address: address)) }

    func show(on display: Display?) { orders.yield(.display(display)) }

    func shutDown() async {
        orders.finish()
        await work.value
    }

    /// The task's own: everything of it happens in order.
    private struct Worker {
        /// Of the next player that is made.
        var options: PlayerOptions
        let log: Logger
        let news: AsyncStream<EngineNews>.Continuation
        let orders: AsyncStream<Order>.Continuation
        var display: Display?
        var player: VitrinePlayer?
        var run: Task<PlayerOutcome, Never>?
        // For a player that is still to be made.
        var rate = PlaybackRate.paused
        var loudness: Loudness
        var isLooping = false
        var next: MediaLocation?
        var nextNumber = 0

        mutating func perform(_ command: EngineCommand, _ address: String?) async {
            switch command {
            case .open(let opening, _, let seek): await open(opening, address ?? "", seek)
            case .setRate(let rate):
                self.rate = rate
                await player?.follow(rate)
            case .setLoudness(let loudness):
                self.loudness = loudness
                await player?.follow(loudness)
            case .setGravity(let gravity):
                options.gravity = gravity
                await player?.setGravity(gravity)
            case .close: await player?.closeFilm()
            case .seek(let opening, let seek): await player?.follow(seek, in: opening)
            case .select(let opening, let kind, let choice): await player?.follow(choice, of: kind, in: opening)
            case .setWish(let kind, let wish):
                if kind == .audible { options.audio = wish } else { options.subtitle = wish }
                await player?.follow(wish, of: kind)
            case .setLooping(let isLooping):
                self.isLooping = isLooping
                await player?.setFilmRepetition(isLooping ? .forever : .none)
            case .setNext: await lookForNext(address)
            }
        }

        /// Beside what is asked for meanwhile: a disk that does not answer holds up nobody. Why it is none is told when it is opened.
        private mutating func lookForNext(_ address: String?) async {
            nextNumber += 1
            await setNext(nil, nextNumber)
            guard let address else { return }
            Task { [orders, nextNumber] in
                orders.yield(.next(try? await Self.locate(address), number: nextNumber))
            }
        }

        mutating func setNext(_ location: MediaLocation?, _ number: Int) async {
            guard number == nextNumber else { return }
            next = location
            await player?.setNext(next)
        }

        private static func locate(_ address: String) async throws(MediaFailure) -> MediaLocation {
            try await offLoop { () throws(MediaFailure) in
                try GStreamer.start()
                return try MediaLocation(address)
            }
        }

        private mutating func open(_ opening: Opening, _ address: String, _ seek: EngineSeek?) async {
            let location: MediaLocation
            do throws(MediaFailure) {
                location = try await Self.locate(address)
            } catch {
                await player?.closeFilm()
                news.yield(.failed(opening, error))
                return
            }
            let player = await currentPlayer()
            await player.follow(rate)
            await player.follow(loudness)
            await player.open(location, opening, seek)
        }

        /// One that ended by itself, as when its window was closed, is followed by another.
        private mutating func currentPlayer() async -> VitrinePlayer {
            if let player, await player.outcome == nil { return player }
            _ = await run?.value
            let player = VitrinePlayer(options: options, display: display, log: log)
            await player.beLed(by: news)
            await player.setFilmRepetition(isLooping ? .forever : .none)
            await player.setNext(next)
            self.player = player
            run = Task { await player.play() }
            return player
        }

        mutating func show(on display: Display?) async {
            self.display = display
            await player?.move(to: display)
        }

        func end() async {
            await player?.end(.ended(code: 0))
            _ = await run?.value
        }
    }
}
