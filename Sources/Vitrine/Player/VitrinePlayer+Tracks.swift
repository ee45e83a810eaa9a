internal import Control
internal import Logging
internal import Media
public import PlayerCore

/// Which sound is heard and which subtitles are read (A11), how loud (A14).
struct TrackSelection: Sendable {
    /// Of this film and those that follow.
    var audio: TrackWish
    var subtitle: TrackWish
    /// Of this film alone: somebody chose the track with this number, or `nil` none.
    var chosen: [MediaCharacteristic: Int?] = [:]
    var sound: FilmOutput.Sound
    /// What was wished for, by languages, before somebody chose a track.
    var stated: [MediaCharacteristic: TrackWish] = [:]
    /// The track of sound that is heard; `nil` where that is not known, or nothing is.
    var heard: Int?

    /// Subtitles of files beside the film, numbered after the film's own.
    var beside: [MediaOption] = []
    /// By the number of their track.
    var texts: [Int: CueList] = [:]
    /// When the text changes.
    var deadline: MonotonicTime?
    /// Where the film is while one picture stands, or none does.
    var clock = Self.stoppedClock
    /// When the picture came that the clock goes by.
    var pictureAt: MonotonicTime?

    /// Another film.
    mutating func forget() {
        chosen = [:]
        heard = nil
        beside = []
        texts = [:]
        deadline = nil
        stopClock()
    }

    /// A picture may stand for minutes.
    private static let stoppedClock = Timeline(patience: .seconds(3600))

    /// Another pipeline.
    mutating func stopClock() {
        clock = Self.stoppedClock
        pictureAt = nil
    }

    /// What is heard or read. A language that a film tells late may make another sound the wanted one: until that is heard,
    /// it is not the selected one.
    func selected(_ kind: MediaCharacteristic, among tracks: [MediaOption]) -> Int? {
        let wanted = wanted(kind, among: tracks)
        return kind == .audible && wanted != nil ? heard ?? wanted : wanted
    }

    mutating func setWish(_ wish: TrackWish, of kind: MediaCharacteristic) {
        if kind == .audible { audio = wish } else { subtitle = wish }
    }

    func wanted(_ kind: MediaCharacteristic, among tracks: [MediaOption]) -> Int? {
        let tracks = tracks.filter { $0.kind == kind }
        if let chosen = chosen[kind] {
            return chosen.flatMap { number in tracks.first { $0.number == number }?.number }
        }
        return (kind == .audible ? audio : subtitle).choose(among: tracks)
    }
}

extension VitrinePlayer {
    /// The film's sounds and subtitles; those beside it too.
    public var tracks: [MediaOption] { (facts?.tracks ?? []) + choice.beside }

    /// The number of the track that is heard, or read; `nil` for none.
    public func selectedTrack(_ kind: MediaCharacteristic) -> Int? { choice.selected(kind, among: tracks) }

    /// Chooses a track by its number, or none; one in the same language will be chosen of the films that follow.
    /// - Returns: `false` where there is no such track.
    public func select(_ kind: MediaCharacteristic, _ number: Int?) -> Bool {
        let track = tracks.first { $0.kind == kind && $0.number == number }
        guard number == nil || track != nil else { return false }
        choice.chosen[kind] = .some(number)
        let wish: TrackWish? = number == nil ? TrackWish.none : track?.language.map { .languages([$0]) }
        if let wish { choice.setWish(wish, of: kind) }
        applyTracks()
        return true
    }

    /// What is wanted of this film and those that follow.
    public func setWish(_ kind: MediaCharacteristic, _ wish: TrackWish) {
        choice.stated[kind] = wish
        selectAutomatically(kind)
    }

    /// The track that was wished for, in place of one that was chosen by its number.
    public func selectAutomatically(_ kind: MediaCharacteristic) {
        if let wish = choice.stated[kind] { choice.setWish(wish, of: kind) }
        choice.chosen[kind] = nil
        applyTracks()
    }

    /// Whether the subtitles that are chosen are shown; they stay chosen where they are not.
    func setSubtitlesShown(_ areShown: Bool) {
        areSubtitlesShown = areShown
        hub.changed([.subVisibility])
        refreshOSD()
    }

    /// Per cent of the films' own loudness, as ears measure it.
    public func setVolume(_ volume: Double) {
        choice.sound.volume = min(max(volume, 0), 100)
        applySound()
    }

    /// Silent or not, however loud it is.
    public func setMuted(_ muted: Bool) {
        choice.sound.isMuted = muted
        applySound()
    }

    /// What is to be heard now.
    var sound: FilmOutput.Sound {
        var sound = choice.sound
        if let facts, facts.hasAudio, selectedTrack(.audible) == nil { sound.isMuted = true }
        return sound
    }

    func applySound() {
        film?.setSound(sound)
        hub.changed([.volume, .mute])
    }

    /// Called whenever tracks or wishes are others.
    func applyTracks() {
        if let heard = choice.heard, let wanted = choice.wanted(.audible, among: tracks), wanted != heard {
            choice.heard = wanted
            film?.selectAudio(wanted)
            // What was decoded of the track before is thrown away.
            seekAgain()
        }
        applySound()
        tellLeaderOfTracks()
        layOutSubtitles()
        hub.changed(RemoteProperty.ofTracks)
        refreshOSD()
    }

    // MARK: Subtitles

    /// A text of the film's own.
    func learn(_ cue: Cue, of track: Int) {
        choice.texts[track, default: CueList()].add(cue)
        if selectedTrack(.legible) == track { hub.changed([.subText]) }
    }

    /// Looks for files beside a film that has just been opened.
    func loadSubtitles(of location: MediaLocation) {
        guard location.isLocal else { return }
        let number = filmNumber
        Task {
            let found = await offLoop { [log] () -> [(SubtitleFile, CueList)] in
                SubtitleFile.beside(location).compactMap { file in
                    do throws(MediaFailure) {
                        let cues = try file.cues()
                        if !cues.cues.isEmpty { return (file, cues) }
                        log.warning("\(file.path): no text is found in it")
                    } catch {
                        log.warning("\(error.message): its texts are not shown")
                    }
                    return nil
                }
            }
            guard number == filmNumber, !found.isEmpty else { return }
            let own = tracks.filter { $0.kind == .legible }.count
            for (place, (file, cues)) in found.enumerated() {
                let track = MediaOption(
                    kind: .legible, number: own + place + 1, language: file.language, title: file.title, file: file.path
                )
                choice.beside.append(track)
                choice.texts[track.number] = cues
            }
            applyTracks()
        }
    }

    /// What is to be read now.
    var subtitle: String {
        guard hasOSD, facts != nil, let texts = selectedTexts else { return "" }
        return texts.text(at: filmTime(at: .now))
    }

    private var selectedTexts: CueList? { selectedTrack(.legible).flatMap { choice.texts[$0] } }

    /// Where the film is: at the picture that is seen, or behind it for as long as that has stood.
    func filmTime(at now: MonotonicTime) -> MediaTime {
        if facts?.hasVideo == true, let pictures = film?.pictures, let time = pictures.filmTime,
            pictures.shownAt != choice.pictureAt
        {
            choice.pictureAt = pictures.shownAt
            choice.clock.place(at: time, pictures.shownAt)
        }
        let rate = pipelineState == .playing && !scrubber.isSeeking ? filmRate : .paused
        if rate != choice.clock.rate { choice.clock.run(at: rate, now) }
        return choice.clock.time(at: now)
    }

    /// A seek is done: from here on, also where it led behind the last picture.
    func placeClock(at now: MonotonicTime) {
        choice.pictureAt = film?.pictures.shownAt
        choice.clock.place(at: scrubber.displayedTime, now)
    }

    /// Sound has no pictures to go by: its place was told, or asked for.
    func placeSound(at now: MonotonicTime) {
        if facts?.hasVideo == false { choice.clock.place(at: scrubber.displayedTime, now) }
    }

    /// When there is something else to read, if the film goes on as it does.
    func scheduleSubtitles(at now: MonotonicTime) {
        choice.deadline = nil
        guard hasOSD, pipelineState == .playing, !scrubber.isSeeking, let texts = selectedTexts else { return }
        let time = filmTime(at: now)
        if filmRate.isReverse {
            choice.deadline = now + .milliseconds(100)
        } else {
            choice.deadline = texts.nextChange(after: time).flatMap { choice.clock.moment(of: $0) }
        }
    }

    /// The strip has room for subtitles while there are some to be read.
    func layOutSubtitles() {
        let wants = selectedTrack(.legible) != nil
        guard hasOSD, wants != layout.hasSubtitles else { return }
        setLayout(hasSubtitles: wants)
        guard let before = forgetOverlay() else { return ensureOverlay() }
        // One after the other: what the one before takes off the screen is none of the next one's.
        isOverlayComing = true
        Task {
            _ = await before.stop()
            isOverlayComing = false
            ensureOverlay()
        }
    }
}
