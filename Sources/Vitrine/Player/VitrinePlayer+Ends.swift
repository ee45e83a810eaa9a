internal import Control
internal import Media
internal import PlayerCore

/// What follows a film's end.
extension VitrinePlayer {
    func reachedEnd() {
        // A drag to the end does not end the film; lifting the finger there and playing on does.
        guard !scrubber.isSeeking else { return }
        // Backwards, this is its start.
        if rate.isReverse, leader == nil { return scrub(.setPlaying(false), at: .now) }
        tellEnd()
        if tellLeaderOfEnd() { return }
        if filmRepetition.takeOne() { return rewind() }
        if index + 1 < playlist.count { return goOn(to: index + 1) }
        if playlistRepetition.takeOne() { return playlist.count == 1 ? rewind() : goOn(to: 0) }
        hasEnded = true
        scrub(.setPlaying(false), at: .now)
        switch atEnd {
        case .pause, .loop: rewind()
        case .stop: break
        case .next:
            hub.send(.endFile(reason: .endOfFile, playlistEntry: index + 1))
            end(.ended(code: 0))
        }
    }

    /// A film was played to its end: told once for each (A5).
    func tellEnd() {
        journal?.prove()
        counters.ends += 1
        hub.changed([.ends, .loopFile, .loopPlaylist])
    }

    private func rewind() {
        // What cannot be sought in is opened anew, if it can.
        guard facts?.isSeekable == true else {
            if playlist[index].isRepeatable { open() } else { hasEnded = true }
            return
        }
        scrub(.jump(to: .zero, exact: true), at: .now)
        updateLooping()
    }

    private func goOn(to entry: Int) {
        hub.send(.endFile(reason: .endOfFile, playlistEntry: index + 1))
        index = entry
        open()
    }

    /// Whether the film that plays follows itself for ever.
    var isLooping: Bool { filmRepetition == .forever || (playlistRepetition == .forever && playlist.count == 1) }

    func updateLooping() {
        film?.setLooping(isLooping)
    }
}
