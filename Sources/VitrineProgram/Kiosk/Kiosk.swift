import Control
import KMS
import Logging
import Media
import PlayerCore
import ServiceLifecycle
import Vitrine

/// An unattended player: plays its films on a display that may be connected late, serves mpv's clients, searches for
/// films if there are none, keeps a record, and notifies a service manager. With a window in the options it plays in
/// that, and needs no display.
actor Kiosk: Service {
    /// The films to play, with their options.
    struct Plan: Sendable {
        var stock: FilmStock
        /// The first film, and its start place; visitors' films have no such place.
        var first = 0
        var start: MediaTime?
        var end = PlaylistEnd.pause
        var isPaused = false
        var rate = PlaybackRate.normal
        var options = PlayerOptions()
        /// With a supply, the kiosk keeps running whatever happens to its films and its display.
        var supply: FilmSupply?
        var visit = VisitPlan()
    }

    /// The outcome; `nil` while it runs, and after an error of the display.
    var outcome: Outcome? { ending.outcome }

    let player: QueuePlayer
    private let clients: MPVClients
    private let plan: Plan
    var request: DisplayRequest
    private let record: FilmRecord?
    /// Called once there is a frame, or something to wait for; maybe again. Returns at once.
    let whenSettled: @Sendable () -> Void
    /// Called with what the display does not have of the request, before the film begins. May block.
    let whenDisplayLacks: @Sendable ([KMSError]) -> Void
    let log: Logger

    private var ending = RunEnd()
    private var serviceStatus: ServiceStatus
    private var failed = SupplyFailures()
    /// The reconnection of a playlist whose films all failed because of the network.
    private var reconnection = Reconnection()
    /// The item that was opened last.
    private var film: PlayerItem?
    private var lastFailure: MediaFailure?
    /// Whether anything was shown.
    private var wasSeen = false
    /// Whether the player plays, as it last reported. It reports a failed playlist before the machine stops it.
    private var isPlaying: Bool
    /// Whether to play again once there are films.
    private var isToPlay = false
    /// The films that are played, or offered to visitors.
    private var stock: FilmStock
    /// Attract films that all failed, with their revisions.
    private var brokenAttract: [MediaLocation: Int] = [:]
    /// Follows visitors; `nil` if films loop, or are played once.
    private var visitors: Visitors?
    /// Calls `wake` of `visitors`.
    private var visitTimer: Task<Void, Never>?
    /// Searches for films if there are none, or for other ones.
    private var search: Task<Void, Never>?
    /// Makes scrub sheets while nobody touches the screen; `nil` if none are kept, or without settings.
    private let filler: SheetFiller?
    /// Records the film's position while it plays.
    private var notes: Task<Void, Never>?

    var supply: FilmSupply? { plan.supply }

    var service: ServiceManager? { serviceStatus.manager }

    /// Creates a kiosk; `run` opens everything.
    init(
        _ plan: Plan, on request: DisplayRequest, record: FilmRecord?, service: ServiceManager?, server: IPCServer?,
        log: Logger, whenDisplayLacks: @escaping @Sendable ([KMSError]) -> Void,
        whenSettled: @escaping @Sendable () -> Void
    ) {
        self.plan = plan
        stock = plan.stock
        self.request = request
        self.record = record
        serviceStatus = ServiceStatus(service)
        self.whenSettled = whenSettled
        self.whenDisplayLacks = whenDisplayLacks
        isPlaying = !plan.isPaused
        self.log = log
        filler = plan.supply == nil ? nil : plan.options.sheets.map { SheetFiller($0, pause: plan.visit.idle) }
        var options = plan.options
        options.startsByTap = true
        options.saysFailures = false
        options.keepsTime = false
        options.watchdog = service?.watchdog
        if let record {
            options.beforeFilm = { record.take($0) }
            options.avoidedDecoders = { record.avoidedDecoders(of: $0) }
        }
        let hasVisits = !stock.attract.isEmpty
        let items = (hasVisits ? stock.attract : stock.films).map { PlayerItem(Asset($0)) }
        let player = QueuePlayer(
            playlist: items, first: hasVisits ? 0 : plan.first, actionAtQueueEnd: plan.end.action,
            options: options, log: log)
        self.player = player
        player.repetition = hasVisits ? .forever : plan.end.repetition
        if hasVisits {
            visitors = Visitors(plan, stock, attract: items, player: player, log: log)
        }
        player.defaultRate = plan.rate
        if let start = plan.start, !hasVisits { player.jump(to: start) }
        if !plan.isPaused { player.play() }
        clients = MPVClients(
            of: player, options, server: server, reportsEmptyList: plan.supply != nil, log: log)
    }

    // MARK: Lifetime

    /// Runs until the end, with `outcome` set.
    /// - Throws: the error that ended it, of the display, of GStreamer or of the server.
    func run() async throws {
        log.trace("begin")
        let news = player.news()
        let watch = [
            Task { for await one in news { await hear(one) } },
            Task { for await code in clients.quits { end(.ended(code: code)) } },
            Task {
                guard let supply else { return }
                for await _ in clients.empties { waitForFilms(supply.message, after: PlaybackQueue.Failures()) }
            },
        ]
        defer { for task in watch { task.cancel() } }
        // Clients are served from the start, also without a display.
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.play() }
            if clients.mayConnect {
                group.addTask {
                    do throws(IPCServerError) {
                        try await self.clients.serve()
                    } catch {
                        await self.end(.ended(code: 1))
                        throw error
                    }
                }
            }
            // The server's failure ends the player, which is waited for.
            var failure: (any Error)?
            while let ended = await group.nextResult() {
                if case .failure(let error) = ended {
                    failure = failure ?? error
                    if !(error is IPCServerError) { group.cancelAll() }
                } else if outcome != nil {
                    group.cancelAll()
                }
            }
            if let failure { throw failure }
        }
    }

    private func play() async throws {
        defer { search?.cancel() }
        // Concurrently with opening the display, which waits for flips.
        async let started: Void = runBlocking { () throws(MediaFailure) in try GStreamer.start() }
        do {
            var layer: PlayerLayer?
            if plan.options.window == nil {
                guard let display = try await openDisplay() else {
                    end(.ended(code: 0))
                    return await finish(nil)
                }
                log.trace("display open")
                for refusal in display.choice.refusals { log.warning("\(refusal)") }
                layer = PlayerLayer(display, player: player, gravity: player.gravity)
            }
            try await started
            log.trace("GStreamer started")
            await present(layer)
        } catch {
            await finish(nil)
            throw error
        }
    }

    /// Plays until the end.
    private func present(_ layer: PlayerLayer?) async {
        let request = request
        let cables = layer.map { layer in Task { await layer.followCables(request, log: log) } }
        let watchdog = Task { await answerWatchdog() }
        player.start()
        visitors?.begin()
        await filler?.follow(stock.attract + stock.films)
        let arrivals = Task { await followFilms() }
        if player.items.isEmpty, let supply { waitForFilms(supply.message, after: PlaybackQueue.Failures()) }
        await withTaskCancellationOrGracefulShutdownHandler {
            _ = await untilEnd()
        } onCancelOrGracefulShutdown: {
            Task { await self.end(.ended(code: 0)) }
        }
        watchdog.cancel()
        arrivals.cancel()
        cables?.cancel()
        await finish(layer, cables)
    }

    private func finish(_ layer: PlayerLayer?, _ cables: Task<Void, Never>? = nil) async {
        // Clients learn why playback ended.
        await clients.finish()
        notes?.cancel()
        visitTimer?.cancel()
        visitors?.finish()
        await filler?.finish()
        await note(isUrgent: true)
        if case .ended? = outcome { record?.markHealthy(nil) }
        service?.stopping()
        await player.close()
        // A poster that was being made has crashed nothing.
        if case .ended? = outcome { record?.take(.pictured) }
        await cables?.value
        do { try await layer?.restoreDisplay() } catch { log.error("the console is not back: \(error)") }
    }

    /// Ends the run. May be called repeatedly; the first outcome counts.
    func end(_ outcome: Outcome) { ending.arrive(outcome) }

    private func untilEnd() async -> Outcome {
        await withCheckedContinuation { ending.wait($0) }
    }

    // MARK: Reports

    private func hear(_ news: PlayerNews) async {
        if case .touch(.finger) = news { await filler?.rest() }
        if let visitors {
            visitors.hear(news)
            scheduleVisit()
        }
        switch news {
        case .opens(let item, _):
            if item === player.currentItem { search?.cancel() }
            // Another item was requested.
            if let film, film.asset.location != item.asset.location { record?.markHealthy(film.asset.location) }
            film = item
        case .ready(let item):
            reconnection.opened(at: .now)
            lastFailure = nil
            reportStatus("playing \(name(of: item))")
        case .shows:
            wasSeen = true
            reportReady()
        case .ended(let item): record?.end(item.asset.location)
        case .failed(let failure): goOn(after: failure)
        case .rate(let rate): isPlaying = !rate.isPaused
        // After a failure, the kiosk waits for new films.
        case .finished:
            if supply == nil || lastFailure == nil { end(lastFailure.map { .failed($0) } ?? .ended(code: 0)) }
        case .message(let userMessage?):
            whenSettled()
            // The connection is being restored.
            if player.currentItem?.mediaInfo != nil, player.pipelineState == .null { reportStatus(userMessage) }
        case .buffering(.some): whenSettled()
        case .screen:
            let isUnplugged = await player.screen.isUnplugged
            serviceStatus.show(isUnplugged: isUnplugged)
        case .pipelineState(let state):
            notes?.cancel()
            notes = state == .playing ? Task { await keepNoting() } : nil
            if state == .playing, let item = player.currentItem, item.mediaInfo != nil {
                reportStatus("playing \(name(of: item))")
            }
            await note(isUrgent: state == .paused)
            if state != .playing { record?.rest() }
        case .seeking(false): await note(isUrgent: true)
        default: break
        }
    }

    private func name(of item: PlayerItem) -> String { item.asset.location?.name ?? item.asset.address }

    // MARK: Visitors

    private func scheduleVisit() {
        visitTimer?.cancel()
        guard let due = visitors?.deadline else { return }
        visitTimer = Task {
            try? await Task.sleep(for: max(due - .now, .zero))
            guard !Task.isCancelled else { return }
            visitors?.wake()
            scheduleVisit()
        }
    }

    /// Reports that the attract films are not there yet, while the player tries them again.
    private func waitForAttract() {
        player.setMessage(Self.noConnection)
        reportStatus(Self.noConnection)
        reportReady()
    }

    /// Ends visits because no attract film can be played: the films loop, as without attract films.
    private func endVisits() {
        guard visitors != nil else { return }
        log.error("no film of the attract folder can be played: the films loop instead")
        visitTimer?.cancel()
        visitors?.close()
        visitors = nil
        brokenAttract = stock.attractRevisions
        player.setTouchUse(.controls(hasMenu: false))
        player.preload(nil)
        player.actionAtQueueEnd = plan.end.action
        player.repetition = plan.end.repetition
        player.replaceItems(with: stock.films.map { PlayerItem(Asset($0)) })
        if !plan.isPaused { player.play() }
    }

    // MARK: Service manager

    /// Reports that the first frame, the first sound, or a message in their place has been output.
    private func reportReady() {
        whenSettled()
        if serviceStatus.becomeReady() { log.trace("ready") }
    }

    /// Sets the text of `systemctl status` to the message that a display shows.
    private func reportStatus(_ userMessage: String) { serviceStatus.show(userMessage) }

    /// Notifies the service manager while all is well: it reacts to silence.
    private func answerWatchdog() async {
        guard let service, let watchdog = service.watchdog else { return }
        var isStallLogged = false
        while !Task.isCancelled {
            let isAlive = await player.isAlive()
            if isAlive {
                service.keepWatchdogQuiet()
            } else if !isStallLogged {
                log.error("no frame reaches the screen: the service manager is to start anew")
            }
            isStallLogged = !isAlive
            // Checked again before the manager acts: a frame may still arrive.
            try? await Task.sleep(for: isAlive ? watchdog / 2 : watchdog / 20)
        }
    }

    // MARK: Record

    private func keepNoting() async {
        while (try? await Task.sleep(for: PlaybackJournal.pace)) != nil { await note() }
    }

    /// Records the film's position; written if that is worthwhile.
    private func note(isUrgent: Bool = false) async {
        guard let record, let item = player.currentItem, item.mediaInfo != nil, !player.isSeeking,
            let time = await player.position, item === player.currentItem
        else { return }
        record.observe(
            time, of: item.duration, isPlaying: player.pipelineState == .playing, isUrgent: isUrgent)
    }

    // MARK: Failures

    private static let noConnection = "No connection to the film. Trying again …"

    /// Handles a failed film. The next one follows by itself. If no film of the list could be opened, the run ends;
    /// with a supply, the kiosk waits for other films.
    private func goOn(after news: ItemFailure) {
        let (failure, location, items) = (news.failure, news.item.asset.location, player.items)
        // The window was closed.
        if failure.reason == .noDesktop { return end(.ended(code: 0)) }
        // The film reported an error, so it did not crash the program.
        if failure.reason != .stuck { record?.fail(location, failure) }
        failed.learn(failure, of: location)
        lastFailure = failure
        // A stuck film is not marked healthy.
        film = nil
        if let visitors {
            if visitors.failed(news.item) {
                scheduleVisit()
                logError(failure)
                player.setMessage(
                    failure.userMessage(about: location?.title ?? "", isLocal: location?.isLocal != false),
                    untilRead: true)
                return
            }
            if player.failures.count >= items.count, failure.reason != .stuck, !stock.films.isEmpty {
                logError(failure)
                // The player retries films that have looped for hours or weeks, ever more rarely.
                if player.failures.hasOpened { return }
                // It also retries those of a network that is switched on later than the board.
                return failure.isPassing ? waitForAttract() : endVisits()
            }
        }
        let isLast = items.last === news.item || player.currentItem == nil
        let haveAllFailed = player.failures.count >= items.count
        if isLast, plan.supply == nil, player.currentItem == nil, player.actionAtQueueEnd == .finish { return }
        let isRetried = wasSeen && failure.isPassing
        if isLast, haveAllFailed, isRetried, retry(items.first, after: failure) { return }
        let userMessage = failure.userMessage(about: location?.title ?? "", isLocal: location?.isLocal != false)
        // In another process it may not get stuck.
        if isLast, haveAllFailed, let supply, failure.reason != .stuck {
            logError(failure)
            let isNamed = items.count == 1 || location?.isLocal == false
            return waitForFilms(isNamed ? userMessage : supply.message, after: player.failures)
        }
        // The caller of the run reports it.
        if isLast, haveAllFailed, supply != nil || !player.failures.hasOpened { return end(.failed(failure)) }
        logError(failure)
        // Once there was a film, the player shows the message itself: of a film on the card until the next one is seen.
        let isToBeRead = failed.markReported(location)
        if !wasSeen || isToBeRead && location?.isLocal != false {
            player.setMessage(userMessage, untilRead: isToBeRead)
        }
        guard isLast else { return }
        // The first one is tried again after a pause.
        if player.currentItem != nil { return reportReady() }
        if supply != nil {
            // Nobody is there to restart it.
            if !isRetried || !retry(news.item, after: failure) { waitForFilms(userMessage, after: player.failures) }
        } else {
            player.failures = PlaybackQueue.Failures()
            // The last frame stayed until here.
            player.stop()
            player.setMessage(userMessage)
            reportStatus(userMessage)
            reportReady()
        }
    }

    private func logError(_ failure: MediaFailure) {
        log.error("\(failure.advice)", metadata: failure.details.map { ["details": "\($0)"] })
    }

    /// Handles a playlist without a playable film, whose last one failed because of the network: if anything was shown
    /// before, the kiosk waits for the network.
    /// - Returns: whether the playlist is tried again.
    private func retry(_ item: PlayerItem?, after failure: MediaFailure) -> Bool {
        guard let item, let due = reconnection.failed(at: .now, isBounded: false) else { return false }
        log.warning("\(failure.message): trying again", metadata: failure.details.map { ["details": "\($0)"] })
        var failures = player.failures
        failures.ended()
        player.failures = failures
        if isPlaying { player.play() }
        player.play(item, after: due - .now)
        player.setMessage(Self.noConnection)
        reportStatus(Self.noConnection)
        return true
    }

    // MARK: Films

    /// The interval of the search if there are no films.
    private static let supplyPause = Duration.seconds(5)
    /// The interval of the search for other films.
    private static let arrivalPause = Duration.seconds(15)

    /// Waits for films, with a message on the screen, because no film of the playlist can be played.
    private func waitForFilms(_ message: String, after failures: PlaybackQueue.Failures) {
        let films = player.items.compactMap { $0.asset.location }
        isToPlay = isToPlay || isPlaying
        player.removeAllItems()
        player.failures = failures
        player.setMessage(message)
        reportStatus(message)
        reportReady()
        failed.wait(for: Set(films), failures.pause(of: films.count), at: .now)
        search?.cancel()
        search = Task { await lookForFilms() }
    }

    private func lookForFilms() async {
        guard let supply else { return }
        while (try? await Task.sleep(for: Self.supplyPause)) != nil {
            let found = await runBlocking { supply.stock() }
            guard !Task.isCancelled, player.currentItem == nil else { return }
            guard failed.mayTry(found.films, at: .now) else { continue }
            let failures = player.failures
            if isToPlay { player.play() }
            isToPlay = false
            // The message stays until the first frame.
            if isForVisitors(found) { return receiveVisitors(found) }
            stock = found
            await filler?.follow(found.films)
            player.replaceItems(with: found.films.map { PlayerItem(Asset($0)) })
            if failed.areSame(found.films) { player.failures = failures }
            return
        }
    }

    private func isForVisitors(_ found: FilmStock) -> Bool {
        !found.attract.isEmpty && found.attractRevisions != brokenAttract
    }

    /// Searches for films that are copied into the folder: visitors get them without a restart. Looping films are not
    /// interrupted.
    private func followFilms() async {
        guard let supply else { return }
        var last = stock
        while (try? await Task.sleep(for: Self.arrivalPause)) != nil {
            guard visitors?.isNobodyThere != false, player.currentItem != nil else { continue }
            let found = await runBlocking { supply.stock() }
            defer { last = found }
            // A film that is still being copied grows.
            guard !Task.isCancelled, found.isSame(as: last), !found.isSame(as: stock), isForVisitors(found),
                visitors?.isNobodyThere != false, player.currentItem != nil
            else { continue }
            log.notice("there are other films than before")
            receiveVisitors(found)
        }
    }

    /// Starts visits with the attract loop.
    private func receiveVisitors(_ found: FilmStock) {
        // A client may have removed the loop from the list.
        let isSame = found.attractRevisions == stock.attractRevisions && !player.items.isEmpty
        let loop = isSame ? visitors?.attract : nil
        let attract = loop ?? found.attract.map { PlayerItem(Asset($0)) }
        visitTimer?.cancel()
        visitors?.close()
        stock = found
        if let filler { Task { await filler.follow(found.attract + found.films) } }
        let next = Visitors(plan, found, attract: attract, player: player, log: log)
        visitors = next
        player.repetition = .forever
        if loop == nil {
            player.replaceItems(with: attract)
            // The last film may stand at its end.
            if !plan.isPaused { player.play() }
        }
        next.begin()
    }
}
