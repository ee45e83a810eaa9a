internal import Logging
internal import Media
internal import PlayerCore

/// Films over a network: the loaded part, and lost connections.
extension PlayerLoop {
    private static let noConnection = "No connection to the film. Trying again …"

    /// Whether the film waits for the network, not for its frame.
    var isConnectionLost: Bool { session.run.laterConnection != nil || reconnection.isTrying }

    // MARK: Connection

    /// Reopens a film that was open and lost its connection at its position, behind its last frame; a live one at its
    /// current place. It tries for ever, or, if another film could be played, for a minute.
    /// - Returns: whether it tries again.
    func reconnects(after failure: MediaFailure) -> Bool {
        guard let mediaInfo = session.mediaInfo, session.location?.isRepeatable == true else { return false }
        let now = clock.now
        guard failure.isPassing,
            let due = reconnection.failed(at: now, isBounded: session.film?.isAlone != true || link.next != nil)
        else {
            reconnection = Reconnection()
            return false
        }
        let time = losePipeline()
        waitForNetwork(until: due, after: failure, isRebuild: true)
        session.run.laterConnection = LaterConnection(due: due, time: mediaInfo.isLive ? nil : time)
        return true
    }

    private func waitForNetwork(until due: MonotonicTime, after failure: MediaFailure, isRebuild: Bool) {
        // Blended frames are removed together with their film.
        if let before = retire(isRebuild: isRebuild) { stage.compositor == nil ? leave(before) : close(before) }
        let seconds = (due - clock.now).components.seconds + 1
        log.warning(
            "\(failure.message): tried again in \(seconds) s",
            metadata: failure.details.map { ["details": "\($0)"] })
        setMessage(Self.noConnection)
        notifyMachine(of: .buffering(percent: 0))
        refreshOSD()
    }

    /// Resets the reconnection, because another film is requested.
    func forgetConnection() { reconnection = Reconnection() }

    func connectAgain() {
        guard let later = session.run.laterConnection else { return }
        session.run.laterConnection = nil
        open(at: later.time)
    }

    /// The film is open again.
    func connected(_ mediaInfo: MediaInfo) {
        if isConnectionLost || mediaInfo.isLive { notifyMachine(of: .buffering(percent: 100)) }
        reconnection.opened(at: clock.now)
        // Buffering from before the film was known to be live.
        if mediaInfo.isLive, session.run.buffering != nil { buffer(100) }
        if osd.message != osd.toast?.userMessage { setMessage(nil) }
    }

    // MARK: Live

    func fellSilent() {
        let text =
            "\(session.name): nothing has arrived for \(FilmSession.silence.components.seconds) s"
        var failure = MediaFailure(reason: .network, message: text)
        failure.decoder = stuckDecoder
        failed(failure)
    }

    // MARK: Messages

    /// The time in which a person reads a line.
    private static let reading = Duration.seconds(6)

    /// The message for viewers; the log has the full one, with GStreamer's text.
    func userMessage(of failure: MediaFailure) -> String {
        failure.userMessage(about: session.location?.title ?? "", isLocal: isLocal)
    }

    /// Shows a message for a while, whatever plays then; if nothing plays, until the next event.
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

    /// Handles the buffer's level: below 100 % the film waits, at 100 % the requested state returns.
    func buffer(_ percent: Int) {
        let isWaiting = percent < 100
        let wasWaiting = session.run.buffering != nil
        session.run.buffering = isWaiting ? percent : nil
        settle()
        if session.run.loadDeadline != nil {
            session.run.loadDeadline = clock.now + loadPatience
            // Slow, not stuck.
            liveness.progress(at: clock.now)
        }
        show(.messageChanged(isShown: shownMessage != nil), at: clock.now)
        guard isWaiting != wasWaiting, !session.scrubber.isSeeking else { return }
        applyPlaying()
    }
}
