internal import KMS
internal import Logging
internal import Media
internal import PlayerCore
internal import Sound

/// Sound comes out where people hear it: routes are followed as they appear and vanish, while films play.
extension PlayerLoop {
    /// Where the sound comes out now; `nil`: it is not heard.
    var soundRoute: SoundRoute? {
        soundOutput.places.first.device.map { soundOutput.route(of: $0) }
    }

    /// The first film waits for the list, and nothing else does.
    func startSound() {
        soundOutput.show(on: stage.display?.choice.connectorName)
        guard let list = soundOutput.list else { return }
        soundOutput.listing = Task {
            // Listens first: what happens after the list was made is not missed.
            let monitor = SoundMonitor()
            soundOutput.monitor = monitor
            if monitor == nil {
                log.info("sound cards that are plugged in later are used from the next start on")
            }
            await listSound(list)
            // Only a server may have what was asked for: its sinks are worth a moment.
            if !soundOutput.router.selection.unknownWords.isEmpty, let finding = soundOutput.findingServer,
                await finding.isOver(within: Self.serverPatience)
            {
                await listSound(list)
            }
            logUnknownWords()
            guard let events = monitor?.events else { return }
            Task { [weak self] in
                for await _ in events { await self?.expectSound() }
            }
        }
    }

    private static let serverPatience = Duration.seconds(2)

    /// Beside all else: a sound server may take connections and not answer. One that is started later is found with the next change of
    /// cards or displays, or, where something of it was asked for, some seconds later.
    private func findServer() {
        guard soundOutput.server == nil, soundOutput.findingServer == nil, isRunning else { return }
        soundOutput.serverSearch = .running(
            Task { [weak self] in
                let found = await offLoop { PipeWire() }
                await self?.follow(found)
            })
    }

    private func follow(_ server: PipeWire?) {
        soundOutput.serverSearch = .none
        guard isRunning else { return }
        guard let server else {
            logUnknownWords()
            expectServer()
            return
        }
        soundOutput.serverSearch = .found(server)
        expectSound()
        // It is freed when it is lost.
        let events = server.events
        Task { [weak self] in
            for await _ in events { await self?.expectSound() }
        }
    }

    /// The sound server has ended: what plays into it never ends by itself. The film is opened anew, with another way for its sound.
    private func leaveServer() {
        guard soundOutput.isAtServer, session.pipeline != nil else { return }
        log.warning("PipeWire has ended: \(session.name) is opened anew")
        counters.counted.rebuilds += 1
        soundOutput.leave()
        updatePosition()
        for case .rebuild(let time) in session.scrubber.handle(.lost, at: clock.now) { open(at: time, isStuck: true) }
    }

    private func expectServer() {
        soundOutput.expectServer(at: clock.now)
        reschedule()
    }

    private func expectSound() {
        guard isRunning else { return }
        soundOutput.expectChanges(at: clock.now)
        reschedule()
    }

    /// Another display shows the film.
    func followSound(at now: MonotonicTime) {
        soundOutput.show(on: stage.display?.choice.connectorName)
        guard isRunning, soundOutput.list != nil else { return }
        soundOutput.expectChanges(at: now)
        applySoundRoute()
    }

    func wakeSound(at now: MonotonicTime) {
        let due = soundOutput.wake(at: now)
        if due.contains(.findServer) { findServer() }
        if due.contains(.list), let list = soundOutput.list {
            Task { await listSound(list) }
        } else if due.contains(.tryAgain) {
            applySoundRoute()
        }
    }

    /// Lists the routes; while that is being done, once more after it. Returns after the last list.
    private func listSound(_ list: @escaping SoundOutput.ListRoutes) async {
        if case .running(let task, _) = soundOutput.pass {
            soundOutput.pass = .running(task, isAgain: true)
            return await task.value
        }
        let task = Task {
            await listOnce(list)
            while case .running(let task, isAgain: true) = soundOutput.pass {
                soundOutput.pass = .running(task, isAgain: false)
                await listOnce(list)
            }
            soundOutput.pass = .idle
        }
        soundOutput.pass = .running(task, isAgain: false)
        await task.value
    }

    private func listOnce(_ list: @escaping SoundOutput.ListRoutes) async {
        if soundOutput.server?.isLost == true {
            soundOutput.serverSearch = .none
            leaveServer()
        }
        findServer()
        let server = soundOutput.server
        let routes = await offLoop { list() + (server?.routes ?? []) }
        let isNew = soundOutput.take(routes)
        expectServer()
        if soundOutput.findingServer == nil { logUnknownWords() }
        applySoundRoute()
        if isNew { embedding.hear?(.routes(routes)) }
        openWithSound()
    }

    /// Opens a film anew that began without a card, once there is one: it has no way for its sound.
    func openWithSound() {
        guard soundOutput.hasNewRoute, isRunning, let mediaInfo = session.mediaInfo, mediaInfo.heardTrack == nil,
            mediaInfo.tracks.contains(where: { $0.kind == .audible }), soundOutput.places.first.device == nil,
            !soundOutput.devices.first.isEmpty
        else { return }
        log.notice("there is something that the sound can come out of: \(session.name) is opened anew with it")
        updatePosition()
        for case .rebuild(let time) in session.scrubber.handle(.lost, at: clock.now) { open(at: time) }
    }

    /// Has the films use what is to be used now.
    private func applySoundRoute() {
        guard soundOutput.list != nil else { return }
        session.pipeline?.setSoundDevices(soundOutput.devices)
        reschedule()
    }

    private func logUnknownWords() {
        let words = soundOutput.router.selection.unknownWords
        guard soundOutput.isListed, words != soundOutput.loggedWords else { return }
        soundOutput.loggedWords = words
        guard !words.isEmpty else { return }
        let names = soundOutput.routes.map { "\"\($0.name)\"" }
        log.warning(
            """
            sound cannot come out of \(words.map { "\"\($0)\"" }.joined(separator: ", ")), which is not there; \
            there is \(names.isEmpty ? "no sound card" : names.joined(separator: ", "))
            """)
    }

    /// Sets where the sound is to come out from now on; the film goes on.
    func setSoundPreference(_ preference: SoundPreference) {
        soundOutput.prefer(preference)
        logUnknownWords()
        expectServer()
        applySoundRoute()
    }

    /// The film's sound comes out there now, at one of its places.
    func soundMoved(to device: String?, at place: SoundPlace) {
        soundOutput.places[place].device = device
        if let device { soundOutput.loggedFailures[device] = nil }
        // It may have ended while the card was opened.
        if soundOutput.isAtServer, soundOutput.server?.isLost != false { return leaveServer() }
        let name = device.map { soundOutput.name(of: $0) }
        let before = soundOutput.places[place].loggedName
        switch place {
        case .first:
            embedding.hear?(.route(soundRoute))
            openWithSound()
            guard let name, name != before else { return }
            soundOutput.places.first.loggedName = name
            log.log(level: before == nil ? .info : .notice, "sound comes out of \(name)")
        case .second:
            soundOutput.places.second.loggedName = name
            if let name, name != before { log.notice("sound comes out of \(name), too") }
        }
    }

    /// The card hangs: it is left alone.
    /// - Returns: whether there is another one.
    func leaveSoundRoute(at now: MonotonicTime) -> Bool {
        guard soundOutput.list != nil,
            let device = soundOutput.places.first.device ?? soundOutput.devices.first.first
        else { return false }
        soundFailed(device, .hangs, at: now)
        return !soundOutput.devices.first.isEmpty
    }

    func soundFailed(_ device: String, _ failure: SoundRouter.Failure, at now: MonotonicTime) {
        guard soundOutput.list != nil else { return }
        // A busy one is tried again and again.
        if soundOutput.loggedFailures.updateValue(failure, forKey: device) != failure {
            log.notice("\(soundOutput.name(of: device)) is not used for sound: \(failure)")
        }
        soundOutput.fail(device, failure, at: now)
        applySoundRoute()
    }
}
