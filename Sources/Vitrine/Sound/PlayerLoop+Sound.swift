internal import KMS
internal import Logging
internal import Media
internal import PlayerCore
internal import Sound

/// Sound comes out where people hear it: routes are followed as they appear and vanish, while films play.
extension PlayerLoop {
    /// Where the sound comes out now; `nil`: it is not heard.
    var soundRoute: SoundRoute? {
        guard let device = soundOutput.device else { return nil }
        // Where nothing is listed it is ALSA's default; one that was unplugged is not listed any more.
        return soundOutput.routes.first { $0.device == device }
            ?? (device == SoundRoute.configured.device
                ? .configured : SoundRoute(device: device, name: device, kind: .other))
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
            guard let events = monitor?.events else { return }
            Task { [weak self] in
                for await _ in events { await self?.expectSound() }
            }
        }
    }

    /// One that is started later is found with the next change of cards or displays, or, where something of it was asked for, some
    /// seconds later.
    private func follow(_ server: PipeWire) {
        soundOutput.server = server
        Task { [weak self] in
            for await _ in server.events { await self?.expectSound() }
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
        if soundOutput.wake(at: now), let list = soundOutput.list {
            Task { await listSound(list) }
        } else {
            applySoundRoute()
        }
    }

    private func listSound(_ list: @escaping SoundOutput.ListRoutes) async {
        if soundOutput.server?.isLost == true {
            soundOutput.server = nil
            leaveServer()
        }
        if soundOutput.server == nil, isRunning, let server = await offLoop({ PipeWire() }) { follow(server) }
        let server = soundOutput.server
        let routes = await offLoop { list() + (server?.routes ?? []) }
        soundOutput.take(routes)
        soundOutput.expectServer(at: clock.now)
        logUnknownWords()
        applySoundRoute()
        embedding.hear?(.routes(routes))
        openWithSound()
    }

    /// Opens a film anew that began without a card, once there is one: it has no way for its sound.
    func openWithSound() {
        guard soundOutput.hasNewRoute, isRunning, let facts = session.facts, facts.heardTrack == nil,
            facts.tracks.contains(where: { $0.kind == .audible }), soundOutput.device == nil,
            !soundOutput.devices.isEmpty
        else { return }
        log.notice("there is something that the sound can come out of: \(session.name) is opened anew with it")
        updatePosition()
        for case .rebuild(let time) in session.scrubber.handle(.lost, at: clock.now) { open(at: time) }
    }

    /// Has the films use what is to be used now.
    private func applySoundRoute() {
        guard soundOutput.list != nil else { return }
        session.pipeline?.setSoundDevices(soundOutput.devices, second: soundOutput.secondDevices)
        reschedule()
    }

    private func logUnknownWords() {
        let words = soundOutput.router.selection.unknownWords
        guard words != soundOutput.loggedWords else { return }
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
        applySoundRoute()
    }

    /// The film's sound comes out there now.
    func soundMoved(to device: String?) {
        soundOutput.device = device
        if let device { soundOutput.loggedFailures[device] = nil }
        embedding.hear?(.route(soundRoute))
        openWithSound()
        guard let route = soundRoute, route.name != soundOutput.loggedRoute else { return }
        let isFirst = soundOutput.loggedRoute == nil
        soundOutput.loggedRoute = route.name
        log.log(level: isFirst ? .info : .notice, "sound comes out of \(route.name)")
    }

    /// The film's sound comes out there, too, now.
    func secondSoundMoved(to device: String?) {
        soundOutput.secondDevice = device
        if let device { soundOutput.loggedFailures[device] = nil }
        let name = device.map { soundOutput.name(of: $0) }
        let isNews = name != soundOutput.loggedSecond
        soundOutput.loggedSecond = name
        if let name, isNews { log.notice("sound comes out of \(name), too") }
    }

    /// The card hangs: it is left alone.
    /// - Returns: whether there is another one.
    func leaveSoundRoute(at now: MonotonicTime) -> Bool {
        guard soundOutput.list != nil, let device = soundOutput.device ?? soundOutput.devices.first else {
            return false
        }
        soundFailed(device, .hangs, at: now)
        return !soundOutput.devices.isEmpty
    }

    func soundFailed(_ device: String, _ failure: SoundRouter.Failure, at now: MonotonicTime) {
        guard soundOutput.list != nil else { return }
        // A busy one is tried again and again.
        if soundOutput.loggedFailures.updateValue(failure, forKey: device) != failure {
            log.notice("\(soundOutput.name(of: device)) is not used for sound: \(failure)")
        }
        soundOutput.fail(SoundRoute.id(of: device), failure, at: now)
        applySoundRoute()
    }
}
