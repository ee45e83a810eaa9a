internal import CGStreamer
internal import PlayerCore

/// Makes the `videobox` that places pictures in black ones as large as the display; `nil` where they are as large by themselves,
/// or the plane places them.
/// - Returns: a floating reference.
func makeBox(_ screen: FilmOutput.Screen) throws(MediaFailure) -> UnsafeMutablePointer<GstElement>? {
    guard screen.coversDisplay, screen.area != screen.whole else { return nil }
    let box = try makeElement("videobox", name: "film-box")
    // Before the plane's turn.
    let (width, height) = screen.planeTurn.size(width: screen.width, height: screen.height)
    let place = screen.planeTurn.inverse.place(screen.area, displayWidth: width, displayHeight: height)
    for (side, pixels) in [
        ("left", place.x), ("right", (width & ~1) - place.x - place.width),
        ("top", place.y), ("bottom", (height & ~1) - place.y - place.height),
    ] {
        // Above 0 it would crop.
        setProperty(box, side, to: -pixels)
    }
    return box
}
