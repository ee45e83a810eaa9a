/// The result of one touch event.
public enum SliderOutput: Hashable, Sendable {
    /// A finger touched or was lifted: the on-screen display appears, and its time to hide starts again. Reported
    /// before the finger's own effect. While `Slider.isTouched` the display does not hide at all.
    case touched(at: MonotonicTime)
    /// The bar is dragged, or tapped (`touchDown` and `touchUp` at one place: it jumps).
    case slider(SliderEvent)
    /// A contact has not left its place for 60 s: it counts as cancelled, and has no effect until its lift. Reported
    /// before the end of its drag.
    case void(Finger)
    /// A single finger tapped the film, not the bar; other contacts may rest. `place` is where and when it was lifted.
    ///
    /// `barWasVisible` is the display's state at the finger's touch-down, because `touched` has shown the display
    /// since: if true, the tap hides it.
    case tap(place: Finger, barWasVisible: Bool)
}
