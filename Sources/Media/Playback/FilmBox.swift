internal import PlayerCore

/// Makes the `videobox` that places frames in black ones of the display's size; `nil` if the frames have that size
/// already, or the plane places them.
func makeBox(_ screen: FilmOutput.Screen) throws(MediaFailure) -> Element? {
    guard screen.coversDisplay, screen.area != screen.whole else { return nil }
    let box = try Element("videobox", name: "film-box")
    // The box has the size before the plane's turn.
    let (width, height) = screen.planeTurn.size(width: screen.width, height: screen.height)
    let place = screen.planeTurn.inverse.place(screen.area, displayWidth: width, displayHeight: height)
    for (side, pixels) in [
        ("left", place.x), ("right", (width & ~1) - place.x - place.width),
        ("top", place.y), ("bottom", (height & ~1) - place.y - place.height),
    ] {
        // A value above 0 would crop.
        box.set(side, to: -pixels)
    }
    return box
}
