/// How a film is fitted into a display of another shape: AV Foundation's names.
public enum VideoGravity: String, Hashable, Sendable, CaseIterable {
    /// Shows the whole film, with black beside it.
    case resizeAspect = "fit"
    /// Fills the display and crops the film.
    case resizeAspectFill = "fill"
    /// Fills the display and distorts the film.
    case resize = "stretch"
}
