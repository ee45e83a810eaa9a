internal import Logging
internal import Media
internal import PlayerCore

/// Films that come over a network: what is loaded, and what happens when the connection breaks off.
extension PlayerLoop {
    private static let noConnection = "No connection to the film. Trying again …"

    /// Whether the film waits for the network, and not for its frame.
    var isConnectionLost: Bool { session.run.laterConnection != nil || reconnection.isTrying }

    // MARK: Connection

    /// A film that was open and whose connection broke off goes on where it was, behind its last frame; a live one where it
    /// is by then. For ever, or, where something else could be played, for a minute.
    /// - Returns: whether it is tried again.
    func reconnects(after failure: MediaFailure) -> Bool {
        guard let mediaInfo = session.mediaInfo, session.location?.isRepeatable == true else { return false }
        let now = clock.now
        guard failure.isPassing,
            let due = reconnection.failed(at: now, isBounded: session.film?.isAlone != true || link.next != nil)
        else {
            reconnection = Reconnection()
            return false
        }
        updatePosition()
        var time: MediaTime?
        for case .rebuild(let place) in session.scrubber.handle(.lost, at: now) { time = place }
        waitForNetwork(until: due, after: failure, isRebuild: true)
        session.run.laterConnection = LaterConnection(due: due, time: mediaInfo.isLive ? nil : time)
        return true
    }

    private func waitForNetwork(until due: MonotonicTime, after failure: MediaFailure, isRebuild: Bool) {
        // Blended frames are gone with their film.
        if let before = retire(isRebuild: isRebuild) { stage.compositor == nil ? leave(before) : close(before) }
        let seconds = (due - clock.now).components.seconds + 1
        log.warning(
            "\(failure.message): tried again in \(seconds) s",
            metadata: failure.details.map { ["details": "\($0)"] })
        setMessage(Self.noConnection)
        notifyMachine(of: .buffering(percent: 0))
        refreshOSD()
    }

    /// Another film is asked for.
    func forgetConnection() { reconnection = Reconnection() }

    func connectAgain() {
        guard let later = session.run.laterConnection else { return }
        session.run.laterConnection = nil
        open(at: later.time)
    }

    /// The film is open.
    func connected(_ mediaInfo: MediaInfo) {
        if isConnectionLost || mediaInfo.isLive { notifyMachine(of: .buffering(percent: 100)) }
        reconnection.opened(at: clock.now)
        // What came before it was known to be live.
        if mediaInfo.isLive, session.run.buffering != nil { buffer(100) }
        if osd.message != osd.toast?.userMessage { setMessage(nil) }
    }

    // MARK: Live

    func fellSilent() {
        let text =
            "\(session.name): nothing has come for \(FilmSession.silence.components.seconds) s"
        failed(MediaFailure(reason: .network, message: text))
    }

    // MARK: Words

    /// How long a person takes to read a line.
    private static let reading = Duration.seconds(6)

    /// For whoever stands before the screen: the log has the message, with what GStreamer says.
    func userMessage(of failure: MediaFailure) -> String {
        failure.userMessage(about: session.location?.title ?? "", isLocal: isLocal)
    }

    /// To be read for a while, whatever plays then; where nothing does, until something else happens.
    func say(_ userMessage: String) {
        osd.toast = (userMessage, clock.now + Self.reading)
        setMessage(userMessage)
    }

    func toastEnded() {
        let userMessage = osd.toast?.userMessage
        osd.toast = nil
        if osd.message == userMessage, session.mediaInfo != nil { setMessage(nil) }
    }

    // MARK: Loaded

    /// Below 100 % the film waits, at 100 % the wanted state returns.
    func buffer(_ percent: Int) {
        let isWaiting = percent < 100
        let wasWaiting = session.run.buffering != nil
        session.run.buffering = isWaiting ? percent : nil
        settle()
        if session.run.openingDeadline != nil {
            session.run.openingDeadline = clock.now + openingPatience
            // Slow, not stuck.
            liveness.progress(at: clock.now)
        }
        show(.messageChanged(isStanding: shownMessage != nil), at: clock.now)
        guard isWaiting != wasWaiting, !session.scrubber.isSeeking else { return }
        applyPlaying()
    }
}
