internal import CGStreamer
internal import PlayerCore

/// Makes the `videoflip` that turns pictures; `nil` for the identity.
/// - Returns: a floating reference.
func makeFlip(_ turn: DisplayTransform, name: String) throws(MediaFailure) -> UnsafeMutablePointer<GstElement>? {
    guard turn != .identity else { return nil }
    let flip = try makeElement("videoflip", name: name)
    setProperty(flip, "video-direction", serialized: turn.direction)
    return flip
}

extension DisplayTransform {
    /// GStreamer's name for it (`GstVideoOrientationMethod`). Reflected and turned by a quarter, it is a mirror on a
    /// diagonal.
    fileprivate var direction: String {
        switch (rotation, isReflected) {
        case (.none, false): "identity"
        case (.quarter, false): "90r"
        case (.half, false): "180"
        case (.threeQuarters, false): "90l"
        case (.none, true): "horiz"
        case (.quarter, true): "ur-ll"
        case (.half, true): "vert"
        case (.threeQuarters, true): "ul-lr"
        }
    }
}
