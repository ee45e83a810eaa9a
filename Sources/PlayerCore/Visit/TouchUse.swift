/// What fingers on the screen do.
public enum TouchUse: Hashable, Sendable {
    /// They reach the player's controls; where the film was chosen from a menu, a button leads back to it.
    case controls(hasMenu: Bool)
    /// They are only reported: a touch that wakes an exhibit presses nothing.
    case reports
    /// They choose among films, on a menu that lies over what plays.
    case menu(FilmMenu.Content)
}

/// What fingers have done, for whoever follows a visit.
public enum TouchReport: Hashable, Sendable {
    case finger(FingerSign)
    /// A finger has moved the seek bar's thumb: reported once for each.
    case dragged
    /// A finger came down on a poster, and may choose it.
    case aims(film: Int)
    /// A poster was touched, by its film's place in the menu.
    case chose(film: Int)
    /// The button that leads back to the menu was touched.
    case askedMenu
    /// A language was touched, by its place in the menu.
    case choseLanguage(Int)
    /// The visitor chose another of the film's sounds or subtitles, by the controls; the language where it is known.
    case choseTrack(language: String?)
}
