/// How a film of another shape than the display's is fitted into it: AV Foundation's names.
public enum VideoGravity: String, Hashable, Sendable, CaseIterable {
    /// All of the film, black beside it.
    case resizeAspect = "fit"
    /// All of the display; of the film, what juts out is not seen.
    case resizeAspectFill = "fill"
    /// All of both: the film is distorted.
    case resize = "stretch"
}
