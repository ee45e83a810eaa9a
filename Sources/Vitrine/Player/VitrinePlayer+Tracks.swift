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

    /// Subtitles of files beside the film, numbered after the film's own.
    var beside: [MediaOption] = []
    /// By the number of their track.
    var texts: [Int: CueList] = [:]
    /// When the text changes.
    var deadline: MonotonicTime?

    /// Another film.
    mutating func forget() {
        chosen = [:]
        beside = []
        texts = [:]
        deadline = nil
    }

    func selected(_ kind: MediaCharacteristic, among tracks: [MediaOption]) -> Int? {
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
        if let wish { if kind == .audible { choice.audio = wish } else { choice.subtitle = wish } }
        applyTracks(isNews: kind == .audible)
        return true
    }

    /// What is wanted of this film and those that follow.
    public func setWish(_ kind: MediaCharacteristic, _ wish: TrackWish) {
        if kind == .audible { choice.audio = wish } else { choice.subtitle = wish }
        choice.chosen[kind] = nil
        applyTracks(isNews: kind == .audible)
    }

    /// Per cent of the films' own loudness, as ears measure it.
    public func setVolume(_ volume: Double) {
        choice.sound.volume = min(max(volume, 0), 100)
        applySound()
    }

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
    func applyTracks(isNews: Bool = false) {
        if isNews, let number = selectedTrack(.audible) {
            film?.selectAudio(number)
            // What was decoded of the track before is thrown away.
            seekAgain()
        }
        applySound()
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
            let found = await offLoop { () -> [(SubtitleFile, CueList)] in
                SubtitleFile.beside(location).compactMap { file in
                    guard let cues = try? file.cues(), !cues.cues.isEmpty else { return nil }
                    return (file, cues)
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

    /// What is to be read at the picture that is seen.
    var subtitle: String {
        guard hasOSD, facts != nil, let texts = selectedTexts else { return "" }
        return texts.text(at: pictureTime)
    }

    private var selectedTexts: CueList? { selectedTrack(.legible).flatMap { choice.texts[$0] } }

    private var pictureTime: MediaTime {
        facts?.hasVideo == true ? film?.pictures.time ?? scrubber.displayedTime : scrubber.displayedTime
    }

    /// When there is something else to read, if the film goes on as it does.
    func scheduleSubtitles(at now: MonotonicTime) {
        choice.deadline = nil
        guard hasOSD, pipelineState == .playing, !scrubber.isSeeking, let texts = selectedTexts,
            let next = texts.nextChange(after: pictureTime)
        else { return }
        let shownAt = facts?.hasVideo == true ? film?.pictures.shownAt ?? now : now
        let wait = rate.clockTime(for: next - pictureTime) ?? .milliseconds(100)
        // The picture may be a little late.
        choice.deadline = rate.isReverse ? now + .milliseconds(100) : max(shownAt + wait, now + .milliseconds(10))
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
