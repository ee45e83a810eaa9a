internal import Media
internal import PlayerCore

/// The choice of one film's tracks, and the texts of its subtitles. Belongs to the loop.
final class FilmTracks {
    /// The numbers of tracks that a visitor or a client chose; `nil` for none.
    private(set) var chosen: [MediaCharacteristic: Int?] = [:]
    /// The number of the audible track; `nil` if unknown, or if nothing is heard.
    var heard: Int?
    /// By the number of their track.
    private(set) var texts: [Int: CueList] = [:]
    /// The subtitles of files beside the film, and closed captions by channel. Each is numbered after the tracks that were known when it was
    /// found.
    private(set) var beside: [MediaOption] = []
    private(set) var captions: [Int: MediaOption] = [:]
    /// When the text changes.
    var deadline: MonotonicTime?

    /// Chooses a track by its number; `nil` for none.
    func choose(_ number: Int?, of kind: MediaCharacteristic) { chosen[kind] = .some(number) }

    /// Lets the player's preferences choose again.
    func chooseAutomatically(_ kind: MediaCharacteristic) { chosen[kind] = nil }

    /// The tracks outside the film's container, by their number.
    private var added: [MediaOption] { (beside + captions.values).sorted { $0.number < $1.number } }

    /// The number of one of the film's own subtitle tracks. A track that is found after others is numbered behind them, so
    /// that no number ever changes its meaning.
    private func number(ofOwn number: Int) -> Int {
        added.reduce(number) { number, other in other.number <= number ? number + 1 : number }
    }

    private func last(with own: [MediaOption]) -> Int {
        options(with: own).filter { $0.kind == .legible }.map(\.number).max() ?? 0
    }

    /// All tracks.
    /// - Parameter own: the film's tracks, in the container's order.
    func options(with own: [MediaOption]) -> [MediaOption] {
        let added = added
        guard !added.isEmpty else { return own }
        let numbered = own.map { track in
            var track = track
            if track.kind == .legible { track.number = number(ofOwn: track.number) }
            return track
        }
        return numbered + added
    }

    /// Adds the subtitles of files beside the film: once for each film.
    func add(_ found: [(file: SubtitleFile, texts: CueList)], own: [MediaOption]) {
        let last = last(with: own)
        for (place, (file, cues)) in found.enumerated() {
            let track = MediaOption(
                kind: .legible, number: last + place + 1, language: file.language, title: file.title, file: file.path)
            beside.append(track)
            texts[track.number] = cues
        }
    }

    /// Adds a text of one of the film's own tracks.
    /// - Returns: the track's number.
    func add(_ cue: Cue, ofOwn track: Int) -> Int {
        let number = number(ofOwn: track)
        texts[number, default: CueList()].add(cue)
        return number
    }

    /// Adds a text of closed captions. The first text of a channel makes the channel selectable.
    /// - Returns: the track's number; `nil` if the channel has had no text yet.
    func show(_ change: CaptionReader.Change, own: [MediaOption]) -> Int? {
        if captions[change.channel] == nil {
            guard !change.text.isEmpty else { return nil }
            captions[change.channel] = MediaOption(
                closedCaptions: change.channel, number: last(with: own) + 1, own: own)
        }
        guard let number = captions[change.channel]?.number else { return nil }
        texts[number, default: CueList()].show(change.text, from: change.time)
        return number
    }

    /// The audible or visible track. If a late language tag changes the choice of sound, the new track is selected once
    /// it is heard.
    func selected(
        _ kind: MediaCharacteristic, among tracks: [MediaOption], preferring preferences: TrackPreferences
    ) -> Int? {
        let wanted = wanted(kind, among: tracks, preferring: preferences)
        return kind == .audible && wanted != nil ? heard ?? wanted : wanted
    }

    func wanted(
        _ kind: MediaCharacteristic, among tracks: [MediaOption], preferring preferences: TrackPreferences
    ) -> Int? {
        let tracks = tracks.filter { $0.kind == kind }
        if let chosen = chosen[kind] {
            return chosen.flatMap { number in tracks.first { $0.number == number }?.number }
        }
        return preferences[kind].choose(among: tracks)
    }
}

extension MediaOption {
    /// The captions of a channel or service, counted from 1. The first one's are in the language of the film's sound.
    fileprivate init(closedCaptions channel: Int, number: Int, own: [MediaOption]) {
        self.init(
            kind: .legible, number: number,
            language: channel == 1 ? own.first { $0.kind == .audible }?.language : nil,
            title: channel == 1 ? "Closed captions" : "Closed captions \(channel)", codec: "Closed captions")
        isClosedCaptions = true
    }
}

/// The choice of tracks in films without a choice of their own, and the volume.
struct TrackPreferences: Sendable {
    var audio: TrackPreference
    var subtitle: TrackPreference
    var sound: FilmOutput.Sound
    /// Whether the chosen subtitles are shown.
    var areSubtitlesShown = true

    init(audio: TrackPreference, subtitle: TrackPreference, sound: FilmOutput.Sound) {
        self.audio = audio
        self.subtitle = subtitle
        self.sound = sound
    }

    subscript(kind: MediaCharacteristic) -> TrackPreference {
        get { kind == .audible ? audio : subtitle }
        set { if kind == .audible { audio = newValue } else { subtitle = newValue } }
    }
}
