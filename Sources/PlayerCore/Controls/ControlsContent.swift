/// How much a visitor can do with a finger: the setting `controls`, and `--controls`.
public enum ControlsMode: String, Hashable, Sendable, CaseIterable {
    /// All controls that the film and the machine need.
    case full
    /// The seek bar, and the button that starts and stops the film.
    case bar
    /// No controls are shown. A tap starts a paused film.
    case off
}

/// The time beside the bar: the setting `time`, and `--time`.
public enum TimeDisplay: String, Hashable, Sendable, CaseIterable {
    /// The film's duration.
    case total
    /// The remaining time.
    case remaining
}

/// The buttons. All but `play` are right of the bar, in this order.
public enum ControlButton: Hashable, Sendable, CaseIterable {
    /// Starts and stops the film.
    case play
    case languages, subtitles, volume, outputs, filmstrip
    /// Leads back to the menu that the film was chosen from. It is in the corner, at the same place for every film.
    case menu
}

/// The input of the controls: the open film, its chosen tracks, and the machine's outputs.
public struct ControlsContent: Hashable, Sendable {
    public var mode: ControlsMode
    /// Whether there is a film that can be started and stopped.
    public var hasFilm = false
    /// Whether the film was chosen from a menu.
    public var hasMenu = false
    /// The viewer's intent, not the pipeline's state.
    public var isPlaying = false
    public var subtitles: [MediaOption] = []
    /// The number of the chosen subtitle track; `nil` for none.
    public var subtitle: Int?
    public var languages: [MediaOption] = []
    /// The number of the audible track.
    public var language: Int?
    /// The viewer's language, if known.
    public var viewerLanguage: LanguageTag?
    /// `nil` if the film has no sound, or the machine no card.
    public var loudness: Loudness?
    /// The highest volume that a finger can set, in per cent.
    public var volumeLimit = 100.0
    /// The sound outputs to choose from; empty if the viewer may not choose.
    public var outputs: [SoundRoute] = []
    public var output: SoundRoute?
    /// The film's position as a fraction of its duration.
    public var place = 0.0
    /// The film's frames from start to end; empty if there is no filmstrip.
    public var pictures: [Picture] = []
    /// Whether the film's own frame is under a finger on the bar. If not, the nearest picture stands above the thumb.
    public var isFollowing = true

    /// A picture of the filmstrip.
    public struct Picture: Hashable, Sendable {
        /// `nil` until the pixels are available.
        public var id: PictureID?
        /// The target of a touch, as a fraction of the film's duration.
        public var place: Double
        /// The frame's time.
        public var caption: String
        /// Whether a chapter starts there.
        public var isChapter: Bool

        public init(id: PictureID?, place: Double, caption: String, isChapter: Bool = false) {
            self.id = id
            self.place = place
            self.caption = caption
            self.isChapter = isChapter
        }
    }

    public init(mode: ControlsMode = .full) {
        self.mode = mode
    }

    /// The buttons to show.
    public var buttons: [ControlButton] {
        guard hasFilm, mode != .off else { return [] }
        let back = hasMenu ? [ControlButton.menu] : []
        guard mode == .full else { return [.play] + back }
        var buttons = [ControlButton.play]
        if languages.count > 1 { buttons.append(.languages) }
        if !subtitles.isEmpty { buttons.append(.subtitles) }
        if loudness != nil { buttons.append(.volume) }
        if outputs.count > 1 { buttons.append(.outputs) }
        if !pictures.isEmpty { buttons.append(.filmstrip) }
        return buttons + back
    }

    /// The index of the picture at the film's position.
    var currentPicture: Int? { pictures.lastIndex { $0.place <= place } }

    /// The picture that is nearest to a fraction of the film's duration, of those whose pixels are available.
    func nearestPicture(to place: Double) -> PictureID? {
        pictures.lazy.filter { $0.id != nil }.min { abs($0.place - place) < abs($1.place - place) }?.id
    }

    /// This content with the buttons and choices of `arranged`. Changes that would move a widget wait until no finger
    /// is down.
    func keeping(_ arranged: ControlsContent) -> ControlsContent {
        var content = self
        (content.mode, content.hasFilm, content.hasMenu) = (arranged.mode, arranged.hasFilm, arranged.hasMenu)
        content.viewerLanguage = arranged.viewerLanguage
        (content.subtitles, content.languages, content.outputs) = (
            arranged.subtitles, arranged.languages, arranged.outputs
        )
        if arranged.pictures.count != pictures.count { content.pictures = arranged.pictures }
        content.isFollowing = arranged.isFollowing
        content.loudness = arranged.loudness == nil ? nil : loudness ?? arranged.loudness
        return content
    }
}

/// An action that a finger asked for.
public enum ControlsAction: Hashable, Sendable {
    case setPlaying(Bool)
    case openMenu
    /// Selects a track by its number; `nil` selects none.
    case select(MediaCharacteristic, Int?)
    case setLoudness(Loudness)
    /// Selects an output by the route's id.
    case selectOutput(String)
}
