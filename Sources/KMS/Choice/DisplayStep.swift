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

/// Where the OSD is to be: what `--osd` asks for.
public enum OSDRequest: String, Codable, Sendable, CaseIterable {
    /// On a plane of its own where the display has one, else in the film's frames.
    case automatic
    /// On a plane of its own; an error where there is none.
    case plane
    /// In the film's frames.
    case composited
    /// Nowhere.
    case off
}
