internal import Logging
internal import Media
internal import PlayerCore

/// Films that come over a network: what is loaded, and what happens when the connection breaks off.
extension VitrinePlayer {
    /// A film that is opened anew once the network may be back.
    struct LaterConnection {
        var due: MonotonicTime
        /// `nil`: from its start, or live.
        var time: MediaTime?
        /// It was open, and goes on where it was.
        var isRebuild: Bool
    }

    private static let noConnection = "No connection to the film. Trying again …"

    /// Whether the film waits for the network, and not for its picture.
    var isConnectionLost: Bool { laterConnection != nil || reconnection.isTrying }

    // MARK: Connection

    /// A film that was open and whose connection broke off goes on where it was, behind its last picture; a live one where it
    /// is by then. For ever, or, where something else could be played, for a minute.
    /// - Returns: whether it is tried again.
    func reconnects(after failure: MediaFailure) -> Bool {
        guard let facts, playlist[index].isRepeatable else { return false }
        let now = MonotonicTime.now
        guard failure.isPassing,
            let due = reconnection.failed(at: now, isBounded: leader != nil || playlist.count > 1)
        else {
            reconnection = Reconnection()
            return false
        }
        updatePosition()
        var time: MediaTime?
        for case .rebuild(let place) in scrubber.handle(.lost, at: now) { time = place }
        wait(for: LaterConnection(due: due, time: facts.isLive ? nil : time, isRebuild: true), after: failure)
        return true
    }

    /// No film is left to go on with, and the last one failed because of the network: once something was seen, the player waits
    /// for more of it.
    /// - Parameter entry: the film that is tried then.
    /// - Returns: whether the playlist is tried again.
    func retriesPlaylist(after failure: MediaFailure, from entry: Int) -> Bool {
        guard failure.isPassing, leader == nil, counters.shownBefore > 0,
            let due = reconnection.failed(at: .now, isBounded: false)
        else { return false }
        failures.ended()
        index = entry
        wait(for: LaterConnection(due: due, isRebuild: false), after: failure)
        return true
    }

    private func wait(for later: LaterConnection, after failure: MediaFailure) {
        // Blended pictures are gone with their film.
        if let before = retire(isRebuild: later.isRebuild) { compositor == nil ? leave(before) : close(before) }
        laterConnection = later
        let seconds = (later.due - .now).components.seconds + 1
        log.warning(
            "\(failure.message): tried again in \(seconds) s",
            metadata: failure.details.map { ["details": "\($0)"] })
        setMessage(Self.noConnection)
        tellStatus(Self.noConnection)
        tellLeader(of: .buffering(percent: 0))
        hub.changed(RemoteProperty.ofBuffering)
        refreshOSD()
    }

    func connectAgain() {
        guard let later = laterConnection else { return }
        laterConnection = nil
        open(at: later.time, isRebuild: later.isRebuild)
        hub.changed(RemoteProperty.ofBuffering)
    }

    /// The film is open.
    func connected(_ facts: MediaFacts) {
        if isConnectionLost || facts.isLive { tellLeader(of: .buffering(percent: 100)) }
        reconnection.opened(at: .now)
        // What came before it was known to be live (M10).
        if facts.isLive, buffering != nil { buffer(100) }
        hub.changed(RemoteProperty.ofBuffering)
        if message != farewell?.words { setMessage(nil) }
    }

    // MARK: Live

    /// How long something live may show nothing new.
    private static let silence = Duration.seconds(20)

    /// Not every sender that goes says so.
    var silenceDeadline: MonotonicTime? {
        guard let film, let facts, facts.isLive, facts.hasVideo, pipelineState == .playing else { return nil }
        return max(film.pictures.shownAt, playingSince) + Self.silence
    }

    func fellSilent() {
        let text = "\(playlist[index].name): nothing has come for \(Self.silence.components.seconds) s"
        failed(MediaFailure(reason: .network, message: text))
    }

    // MARK: Words

    /// How long a person takes to read a line.
    private static let reading = Duration.seconds(6)

    /// For whoever stands before the screen: the log has the message, with what GStreamer says.
    func words(of failure: MediaFailure) -> String {
        let location = playlist[index]
        return failure.words(about: location.title, isLocal: location.isLocal)
    }

    /// Why a film cannot be played; of a remote one for a while, also when the next film is there at once.
    func tell(_ failure: MediaFailure) {
        let words = words(of: failure)
        playlist[index].isLocal ? setMessage(words) : say(words)
    }

    /// To be read for a while, whatever plays then; where nothing does, until something else happens.
    func say(_ words: String) {
        farewell = (words, .now + Self.reading)
        setMessage(words)
    }

    func farewellEnded() {
        let words = farewell?.words
        farewell = nil
        if message == words, facts != nil { setMessage(nil) }
    }

    // MARK: Loaded

    /// Below 100 % the film waits, at 100 % the wanted state returns (M10).
    func buffer(_ percent: Int) {
        let isWaiting = percent < 100
        let wasWaiting = buffering != nil
        buffering = isWaiting ? percent : nil
        settle()
        if openingDeadline != nil {
            openingDeadline = .now + Self.openingPatience(of: playlist[index])
            // Slow, not stuck.
            liveness.progress(at: .now)
        }
        hub.changed(RemoteProperty.ofBuffering)
        show(visibility.handle(.messageChanged(isStanding: shownMessage != nil), at: .now))
        guard isWaiting != wasWaiting, !scrubber.isSeeking else { return }
        applyPlaying()
    }

    /// How far the film is loaded, where its source tells.
    var bufferedTime: MediaTime? {
        loaded.map { max($0.times.upperBound, scrubber.displayedTime) }
    }
}
