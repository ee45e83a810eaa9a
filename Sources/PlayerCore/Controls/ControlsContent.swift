/// How much a visitor can do with a finger: the setting `controls`, and `--controls`.
public enum ControlsMode: String, Hashable, Sendable, CaseIterable {
    /// All that the film and the machine have a use for.
    case full
    /// The seek bar, and the button that starts and stops the film.
    case bar
    /// Nothing is shown for a finger. A tap starts a film that stands.
    case off
}

/// What the time beside the bar counts: the setting `time`, and `--time`.
public enum TimeDisplay: String, Hashable, Sendable, CaseIterable {
    /// How long the film is.
    case total
    /// How long it still goes on.
    case remaining
}

/// The buttons that there are. All but `play` stand right of the bar, in this order.
public enum ControlButton: Hashable, Sendable, CaseIterable {
    /// Starts and stops the film.
    case play
    case languages, subtitles, volume, outputs, filmstrip
    /// Leads back to the menu that the film was chosen from. In the corner, where it is for every film.
    case menu
}

/// What the controls are about: the film that is open, what is chosen of it, and what the machine has.
public struct ControlsContent: Hashable, Sendable {
    public var mode: ControlsMode
    /// There is a film that can be started and stopped.
    public var hasFilm = false
    /// The film was chosen from a menu.
    public var hasMenu = false
    /// What the viewer wants, not what the pipeline does.
    public var isPlaying = false
    public var subtitles: [MediaOption] = []
    /// The number of the subtitles that are read; `nil`: none.
    public var subtitle: Int?
    public var languages: [MediaOption] = []
    /// The number of the sound that is heard.
    public var language: Int?
    /// What the viewer reads, as far as is known.
    public var viewerLanguage: LanguageTag?
    /// `nil` where there is no sound, or no card for it.
    public var loudness: Loudness?
    /// The loudest that a finger can ask for, in per cent.
    public var volumeLimit = 100.0
    /// Where sound can come out; empty where nobody is to choose.
    public var outputs: [SoundRoute] = []
    public var output: SoundRoute?
    /// Where the film is, as a part of its length.
    public var place = 0.0
    /// The film's frames from its start to its end; empty where there are none.
    public var pictures: [Picture] = []

    /// A picture of the filmstrip.
    public struct Picture: Hashable, Sendable {
        /// `nil` until its pixels are there.
        public var id: PictureID?
        /// Where a touch on it goes: a part of the film's length.
        public var place: Double
        /// Its time.
        public var caption: String
        /// A chapter begins there.
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

    /// The buttons that there is a use for.
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

    /// The picture that the film is at.
    var currentPicture: Int? { pictures.lastIndex { $0.place <= place } }

    /// Those that are chosen from where this content is arranged already: what is moved by a change of them waits until no
    /// finger is down.
    func keeping(_ arranged: ControlsContent) -> ControlsContent {
        var content = self
        (content.mode, content.hasFilm, content.hasMenu) = (arranged.mode, arranged.hasFilm, arranged.hasMenu)
        content.viewerLanguage = arranged.viewerLanguage
        (content.subtitles, content.languages, content.outputs) = (
            arranged.subtitles, arranged.languages, arranged.outputs
        )
        if arranged.pictures.count != pictures.count { content.pictures = arranged.pictures }
        content.loudness = arranged.loudness == nil ? nil : loudness ?? arranged.loudness
        return content
    }
}

/// What a finger has asked for.
public enum ControlsAction: Hashable, Sendable {
    case setPlaying(Bool)
    case openMenu
    /// By its number; `nil`: none.
    case select(MediaCharacteristic, Int?)
    case setLoudness(Loudness)
    /// By the route's id.
    case selectOutput(String)
}
