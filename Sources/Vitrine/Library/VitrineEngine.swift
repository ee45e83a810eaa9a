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
        case display(Display?, area: OSDLayout.Rectangle?)
        /// What is to be opened turned out to be this.
        case located(Result<MediaLocation, MediaFailure>, Opening)
        case diagnostics(CheckedContinuation<PlayerDiagnostics, Never>)
        /// What the `number`th address to come next turned out to be.
        case next(MediaLocation?, number: Int)
    }

    private let orders: AsyncStream<Order>.Continuation
    private let work: Task<Void, Never>

    typealias Locate = @Sendable (String) async throws(MediaFailure) -> MediaLocation

    /// - Parameter locate: tells what is at an address, however long that takes.
    init(
        options: PlayerOptions, log: Logger = Logger(label: "vitrine"), locate: @escaping Locate = VitrineEngine.locate
    ) {
        var options = options
        options.playlist = []
        options.start = nil
        options.actionAtQueueEnd = .rewind
        options.repetition = .none
        options.supply = nil
        options.isPaused = true
        options.rate = .normal
        let (news, teller) = AsyncStream.makeStream(of: EngineNews.self)
        let (taken, orders) = AsyncStream.makeStream(of: Order.self)
        self.news = news
        self.orders = orders
        work = Task { [options] in
            var worker = Worker(
                options: options, log: log, locate: locate, news: teller, orders: orders,
                loudness: Loudness(percent: options.volume))
            for await order in taken {
                switch order {
                case .command(let command, let address): await worker.perform(command, address)
                case .display(let display, let area): await worker.show(on: display, in: area)
                case .located(let located, let opening): await worker.open(located, opening)
                case .diagnostics(let asked):
                    asked.resume(returning: await worker.player?.diagnostics ?? PlayerDiagnostics())
                case .next(let location, let number): await worker.setNext(location, number)
                }
            }
            await worker.end()
            teller.finish()
        }
    }

    static let locate: Locate = { address throws(MediaFailure) in
        try await offLoop { () throws(MediaFailure) in
            try GStreamer.start()
            return try MediaLocation(address)
        }
    }

    func send(_ command: EngineCommand, address: String?) { orders.yield(.command(command, address: address)) }

    func show(on display: Display?, in area: OSDLayout.Rectangle?) { orders.yield(.display(display, area: area)) }

    func diagnostics() async -> PlayerDiagnostics {
        await withCheckedContinuation { asked in
            if case .terminated = orders.yield(.diagnostics(asked)) { asked.resume(returning: PlayerDiagnostics()) }
        }
    }

    func shutDown() async {
        orders.finish()
        // What is stuck holds up a display's move, too, and that all that was asked for behind it.
        _ = await work.isOver(within: .seconds(5))
    }

    private struct Pending {
        var opening: Opening
        var item: ItemID
        var address: String
        var seek: EngineSeek?
        var choices: [MediaCharacteristic: TrackChoice] = [:]
    }

    /// The task's own: everything of it happens in order.
    private struct Worker {
        /// Of the next player that is made.
        var options: PlayerOptions
        let log: Logger
        let locate: Locate
        let news: AsyncStream<EngineNews>.Continuation
        let orders: AsyncStream<Order>.Continuation
        var display: Display?
        /// What of it is the player's.
        var area: OSDLayout.Rectangle?
        var player: VitrinePlayer?
        var run: Task<PlayerOutcome, Never>?
        /// What is to be opened, while it is not known what it is. Until then the film before is let alone: it is not to play
        /// on, nor to be followed, as the next one is.
        var pending: Pending?
        // For a player that is still to be made.
        var rate = PlaybackRate.paused
        var loudness: Loudness
        var isLooping = false
        var next: MediaLocation?
        var nextNumber = 0
        /// What was opened last, and when that was begun.
        var newest: (item: ItemID, openedAt: MonotonicTime)?

        mutating func perform(_ command: EngineCommand, _ address: String?) async {
            switch command {
            case .open(let opening, let item, let seek): look(for: address ?? "", item, opening, seek)
            case .setRate(let rate):
                self.rate = rate
                if pending == nil || rate.isPaused { await player?.follow(rate) }
            case .setLoudness(let loudness):
                self.loudness = loudness
                await player?.follow(loudness)
            case .setGravity(let gravity):
                options.gravity = gravity
                await player?.setGravity(gravity)
            case .close:
                pending = nil
                await player?.closeFilm()
            case .seek(let opening, let seek): await player?.follow(seek, in: opening)
            case .step(let opening, let number, let count): await player?.follow(count, number, in: opening)
            case .stand(let opening): await player?.stand(in: opening)
            case .select(let opening, let kind, let choice):
                if pending?.opening == opening { pending?.choices[kind] = choice }
                await player?.follow(choice, of: kind, in: opening)
            case .setWish(let kind, let wish):
                if kind == .audible { options.audio = wish } else { options.subtitle = wish }
                await player?.follow(wish, of: kind)
            case .setLooping(let isLooping):
                self.isLooping = isLooping
                if pending == nil { await player?.setFilmRepetition(isLooping ? .forever : .none) }
            case .setNext: await lookForNext(address)
            }
        }

        /// Beside what is asked for meanwhile: a disk that does not answer holds up nobody. Why it is none is told when it is opened.
        private mutating func lookForNext(_ address: String?) async {
            nextNumber += 1
            await setNext(nil, nextNumber)
            guard let address else { return }
            Task { [orders, locate, nextNumber] in
                orders.yield(.next(try? await locate(address), number: nextNumber))
            }
        }

        mutating func setNext(_ location: MediaLocation?, _ number: Int) async {
            guard number == nextNumber else { return }
            next = location
            if pending == nil { await player?.setNext(next) }
        }

        /// As `lookForNext`.
        private mutating func look(for address: String, _ item: ItemID, _ opening: Opening, _ seek: EngineSeek?) {
            pending = Pending(opening: opening, item: item, address: address, seek: seek)
            // One that follows itself because it cannot be sought in.
            let due = newest.flatMap { $0.item == item ? $0.openedAt + VitrinePlayer.leastStay : nil } ?? .now
            Task { [orders, locate] in
                try? await Task.sleep(for: max(due - .now, .zero))
                do throws(MediaFailure) {
                    orders.yield(.located(.success(try await locate(address)), opening))
                } catch {
                    orders.yield(.located(.failure(error), opening))
                }
            }
        }

        mutating func open(_ located: Result<MediaLocation, MediaFailure>, _ opening: Opening) async {
            guard let pending, pending.opening == opening else { return }
            self.pending = nil
            newest = (pending.item, .now)
            switch located {
            case .failure(let failure):
                await currentPlayer().refuse(failure, pending.address)
                news.yield(.failed(opening, failure))
            case .success(let location):
                let player = await currentPlayer()
                await player.follow(rate)
                await player.follow(loudness)
                await player.open(location, opening, pending.seek)
                await player.setFilmRepetition(isLooping ? .forever : .none)
                await player.setNext(next)
                for (kind, choice) in pending.choices { await player.follow(choice, of: kind, in: opening) }
            }
        }

        /// One that ended by itself, as when its window was closed, is followed by another.
        private mutating func currentPlayer() async -> VitrinePlayer {
            if let player, await player.outcome == nil { return player }
            _ = await run?.value
            let player = VitrinePlayer(options: options, display: display, log: log)
            await player.beLed(by: news)
            await player.setArea(area)
            self.player = player
            run = Task { await player.play() }
            return player
        }

        mutating func show(on display: Display?, in area: OSDLayout.Rectangle?) async {
            let isSame = display === self.display
            (self.display, self.area) = (display, area)
            if isSame { await player?.setArea(area) } else { await player?.move(to: display, in: area) }
        }

        func end() async {
            await player?.end(.ended(code: 0))
            _ = await run?.value
        }
    }
}
