internal import Media
internal import PlayerCore

/// What holds for one entry of the playlist, whenever it plays, and for no other.
struct FileOptions: Hashable, Sendable {
    var start: StartPlace?
    var isPaused: Bool?
    var repetition: Repetition?
    var volume: Double?
    var isMuted: Bool?
    var rate: PlaybackRate?
    /// The number of a track, or `nil` for none.
    var tracks: [MediaCharacteristic: Int?] = [:]
}

/// The options of the entry that plays, and what held before.
struct FileOptionsInForce: Sendable {
    /// The entry; `nil` once it has ended.
    var entry: ItemID?
    var before: FileOptions
}

extension VitrinePlayer {
    /// Called when an entry is opened: what held before the last one holds again, then the entry's own options. A film that is
    /// opened once more for its repetition keeps what was set meanwhile.
    func applyOptions(of entry: ItemID) {
        let options = queue.options(of: entry)
        guard queue.optionsInForce?.entry != entry else { return }
        endOptions()
        guard let options else { return }
        var before = FileOptions()
        if options.isPaused != nil { before.isPaused = !isPlaying }
        if options.repetition != nil { before.repetition = queue.list.itemRepetition }
        if options.volume != nil { before.volume = preferences.sound.volume }
        if options.isMuted != nil { before.isMuted = preferences.sound.isMuted }
        if options.rate != nil { before.rate = session.wantedRate }
        queue.optionsInForce = FileOptionsInForce(entry: entry, before: before)
        set(options)
    }

    /// What held before the entry's options holds again.
    func endOptions() {
        guard let before = queue.optionsInForce?.before else { return }
        queue.optionsInForce = nil
        set(before)
    }

    private func set(_ options: FileOptions) {
        if let isPaused = options.isPaused { setPlaying(!isPaused) }
        if let repetition = options.repetition { setFilmRepetition(repetition) }
        if let volume = options.volume { setVolume(volume) }
        if let isMuted = options.isMuted { setMuted(isMuted) }
        if let rate = options.rate { _ = setRate(rate) }
    }
}
