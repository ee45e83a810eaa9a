internal import Control
internal import PlayerCore
internal import Vitrine

/// The entry whose start clients were notified of.
struct AnnouncedEntry {
    var item: PlayerItem
    var number: Int
    /// Whether it is open.
    var isLoaded = false
}

/// Converts the player's reports to mpv's events.
extension MPVAdapter {
    func handle(_ news: PlayerNews) {
        switch news {
        case .opens(let item, let isNextItem):
            // A repetition that opens the item anew is another start as well.
            if isNextItem { endEntry(.endOfFile) } else if announced?.item !== item { endEntry(.stop) }
            startEntry(item)
            // Otherwise a client has requested another item meanwhile.
            if player.currentItem === item { applyOptions(of: item) }
        case .ready(let item):
            guard announced?.item === item else { break }
            announced?.isLoaded = true
            eventListeners.send(.fileLoaded)
            eventListeners.send(.playbackRestart)
        // A seek before the film is open is part of its start.
        case .seeking(let isSeeking):
            if announced?.isLoaded == true { eventListeners.send(isSeeking ? .seek : .playbackRestart) }
        case .failed(let failure):
            if announced?.item === failure.item { endEntry(.error, .loadingFailed) }
        case .finished: endEntry(.endOfFile)
        case .item(nil):
            endEntry(.stop)
            eventListeners.send(.idle)
            if player.currentItem == nil { restoreOptions() }
        default: break
        }
        changed(MPVProperty.changed(by: news))
        followTime()
    }

    private func startEntry(_ item: PlayerItem) {
        guard announced == nil else { return }
        let entry = AnnouncedEntry(item: item, number: number(of: item))
        announced = entry
        eventListeners.send(.startFile(playlistEntry: entry.number))
    }

    /// Ends the entry, once for each start.
    func endEntry(_ reason: MPVEndReason, _ error: MPVError? = nil) {
        guard let entry = announced else { return }
        announced = nil
        eventListeners.send(.endFile(reason: reason, playlistEntry: entry.number, error: error))
    }

    /// Ends the entry right after a client requested another one, or none, before the player reports that.
    ///
    /// The next entry's options follow at once. Set earlier, they would apply to the item that played.
    func endedByClient() {
        endEntry(.stop)
        endOptions()
        if let item = player.currentItem { applyOptions(of: item) } else { restoreOptions() }
    }
}

extension MPVProperty {
    /// The properties that may change with a report. Too many do no harm.
    fileprivate static func changed(by news: PlayerNews) -> Set<MPVProperty> {
        switch news {
        case .item, .opens, .mediaInfo, .ready, .shows, .failed, .finished: ofFilm
        case .seeking, .pipelineState: ofSeek
        case .ended: ofSeek.union(ofQueue)
        case .time: ofPosition
        case .status, .rate: [.pause, .coreIdle, .speed, .playDirection, .playtimeRemaining]
        case .loudness: [.volume, .mute]
        case .settings: ofSettings
        case .queue: ofQueue
        case .message: [.message]
        case .screen: readFromScreen.union([.osdVisible, .osdUpdates, .osdShown])
        case .selection: ofTracks
        case .buffered: [.demuxerCacheTime]
        case .buffering: ofBuffering
        case .routes: [.audioDeviceList]
        case .route: [.soundRoute]
        case .hasEnded: [.eofReached]
        case .warning, .touch: []
        }
    }
}
