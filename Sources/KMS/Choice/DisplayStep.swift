/// A step of the ladder from the best use of a display's planes to the plainest.
public enum DisplayStep: String, Codable, Sendable, CaseIterable {
    /// Film and OSD on overlays of their own, the film scaled by its plane.
    case planesScaling = "own-planes-scaling"
    /// Film and OSD on overlays of their own, the film scaled in the pipeline.
    case planes = "own-planes"
    /// The film on the primary plane, the OSD on an overlay.
    case filmOnPrimary = "film-on-primary"
    /// One plane: the OSD is drawn into the film's frames.
    case composited = "composited"
}

/// The place of the OSD: the option `--osd`.
public enum OSDRequest: String, Codable, Sendable, CaseIterable {
    /// A plane of its own if the display has one, else the film's frames.
    case automatic
    /// A plane of its own; an error if there is none.
    case plane
    /// The film's frames.
    case composited
    /// No OSD.
    case off
}
