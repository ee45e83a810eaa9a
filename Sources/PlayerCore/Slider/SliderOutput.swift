/// What comes of one touch event.
public enum SliderOutput: Hashable, Sendable {
    /// A finger came down or left: the on-screen display appears and its time to hide starts again. Told before
    /// what that finger does. While `Slider.isTouched` the display does not hide at all.
    case touched(at: MonotonicTime)
    /// The bar is dragged, or tapped (`touchDown` and `touchUp` at one place: it jumps).
    case slider(SliderEvent)
    /// A contact has not left its place for 60 s: it counts as cancelled, and until its lift nothing comes of it. Told before
    /// the end of its drag.
    case void(Finger)
    /// A single finger tapped the film, not the bar; others may rest. `place` is where and when it was lifted.
    ///
    /// `barWasVisible` is the display's state as the finger came down, because `touched` has shown it since: where
    /// true, the tap hides it.
    case tap(place: Finger, barWasVisible: Bool)
}
