/// The use of fingers on the screen.
public enum TouchUse: Hashable, Sendable {
    /// They operate the player's controls; if the film was chosen from a menu, a button leads back to it.
    case controls(hasMenu: Bool)
    /// They are only reported: a touch that wakes an exhibit presses nothing.
    case reports
    /// They choose a film in a menu over the current film.
    case menu(FilmMenu.Content)
}

/// A report of fingers, for a visit.
public enum TouchReport: Hashable, Sendable {
    case finger(FingerSign)
    /// A finger has moved the seek bar's thumb: reported once per finger.
    case dragged
    /// A finger touched a poster, and may choose it.
    case aims(film: Int)
    /// A poster was chosen, by the index of its film.
    case chose(film: Int)
    /// The button that leads back to the menu was touched.
    case askedMenu
    /// A language was chosen, by its index in the menu.
    case choseLanguage(Int)
    /// The visitor chose another audio or subtitle track with the controls; the language if known.
    case choseTrack(language: String?)
}
