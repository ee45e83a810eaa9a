internal import KMS
internal import Logging
internal import Media
internal import PlayerCore
internal import Sound

/// Follows the routes of sound as they appear and vanish while films play.
extension PlayerLoop {
    /// The route of the sound; `nil` if it is not heard.
    var soundRoute: SoundRoute? {
        soundOutput.places.first.device.map { soundOutput.route(of: $0) }
    }

    /// Begins to list and follow the routes. Only the first film waits for the list.
    func startSound() {
        soundOutput.show(on: stage.display?.choice.connectorName)
        guard let list = soundOutput.list else { return }
        soundOutput.listing = Task {
            // Listens before listing, so that no change is missed.
            let monitor = SoundMonitor()
            soundOutput.monitor = monitor
            if monitor == nil {
                log.info("sound cards that are plugged in later are used from the next start on")
            }
            await listSound(list)
            // A sound server may have the wanted route, or ALSA's default: its sinks are worth a short wait.
            if soundOutput.needsServer, let finding = soundOutput.findingServer,
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

    /// Searches for a sound server in the background, because a server may accept connections without answering. A server that
    /// starts later is found at the next change of cards or displays, or within 10 s if one of its routes is wanted, or ALSA's
    /// default is the server's.
    private func findServer() {
        guard soundOutput.server == nil, soundOutput.findingServer == nil, isRunning else { return }
        soundOutput.search(
            Task { [weak self] in
                let found = await PipeWire.find()
                await self?.follow(found)
            })
    }

    private func follow(_ server: PipeWire?) {
        soundOutput.found(isRunning ? server : nil)
        guard isRunning else { return }
        guard let server else {
            logUnknownWords()
            expectServer()
            return
        }
        expectSound()
        // The task does not keep the server, which is freed once it is lost.
        let events = server.events
        Task { [weak self] in
            for await _ in events { await self?.expectSound() }
        }
    }

    /// Reopens the film with another route after the sound server has ended: a sink that plays into it never ends by itself.
    func leaveServer() {
        guard session.pipeline != nil else { return }
        log.warning("PipeWire has ended: \(session.name) is opened anew")
        counters.pipelineIsRebuilt()
        soundOutput.leave()
        open(at: losePipeline(), isStuck: true)
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

    /// Adapts the routes to a change of the display that shows the film.
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

    /// Lists the routes. If a list is being made, another one follows it. Returns after the last list.
    private func listSound(_ list: @escaping SoundOutput.ListRoutes) async {
        if case .running(let task, _) = soundOutput.listRun {
            soundOutput.listRun = .running(task, isAgain: true)
            return await task.value
        }
        let task = Task {
            await listOnce(list)
            while case .running(let task, isAgain: true) = soundOutput.listRun {
                soundOutput.listRun = .running(task, isAgain: false)
                await listOnce(list)
            }
            soundOutput.listRun = .idle
        }
        soundOutput.listRun = .running(task, isAgain: false)
        await task.value
    }

    private func listOnce(_ list: @escaping SoundOutput.ListRoutes) async {
        soundOutput.forgetLostServer()
        findServer()
        let server = soundOutput.server
        let routes = await runBlocking { PipeWire.complete(list(), with: server) }
        let isNew = soundOutput.take(routes)
        expectServer()
        if soundOutput.findingServer == nil { logUnknownWords() }
        applySoundRoute()
        if isNew, soundOutput.list != nil { embedding.hear?(.routes(routes)) }
        openWithSound()
    }

    /// Reopens a film that was opened without a card once there is one, because its pipeline has no branch for sound.
    func openWithSound() {
        guard soundOutput.hasNewRoute, isRunning, let mediaInfo = session.mediaInfo, mediaInfo.heardTrack == nil,
            mediaInfo.tracks.contains(where: { $0.kind == .audible }), soundOutput.places.first.device == nil,
            !soundOutput.devices.first.isEmpty
        else { return }
        log.notice("there is something that the sound can come out of: \(session.name) is opened anew with it")
        open(at: losePipeline())
    }

    /// Makes the film use the selected routes.
    private func applySoundRoute() {
        if soundOutput.list != nil { setSoundDevices() }
    }

    private func setSoundDevices() {
        session.pipeline?.setSoundDevices(soundOutput.devices, forbidden: soundOutput.forbidden)
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

    /// Sets the wanted routes. The film continues.
    func setSoundPreference(_ preference: SoundPreference) {
        let wasFollowed = soundOutput.list != nil
        soundOutput.prefer(preference)
        let isFollowed = soundOutput.list != nil
        // In a window the routes may be needed from now on, or no more.
        if isRunning, isFollowed != wasFollowed {
            embedding.hear?(.routes(isFollowed ? soundOutput.routes : []))
            if isFollowed { soundOutput.listing == nil ? startSound() : expectSound() }
        }
        logUnknownWords()
        expectServer()
        if wasFollowed || soundOutput.isListed { setSoundDevices() }
        openWithSound()
    }

    /// Notes the device of one of the film's places.
    func soundMoved(to device: String?, at place: SoundPlace) {
        soundOutput.places[place].device = device
        if let device { soundOutput.failures[device] = nil }
        expectServer()
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

    /// Avoids a card that hangs.
    /// - Returns: whether there is another one.
    func leaveSoundRoute(at now: MonotonicTime) -> Bool {
        guard soundOutput.list != nil,
            let device = soundOutput.places.first.device ?? soundOutput.devices.first.first
        else { return false }
        soundFailed(device, .hangs, nil, at: now)
        return !soundOutput.devices.first.isEmpty
    }

    /// - Parameter details: GStreamer's, with ALSA's words.
    func soundFailed(
        _ device: String, _ failure: SoundRouter.Failure, _ details: String?, at now: MonotonicTime
    ) {
        guard soundOutput.list != nil else { return }
        // Logged once, although a busy route is tried again and again.
        if soundOutput.failures.updateValue(failure, forKey: device) != failure {
            let metadata: Logger.Metadata? = details.map { ["details": "\($0)"] }
            log.notice("\(soundOutput.name(of: device)) is not used for sound: \(failure)", metadata: metadata)
        }
        soundOutput.fail(device, failure, at: now)
        soundOutput.expectServer(at: now)
        applySoundRoute()
    }
}
