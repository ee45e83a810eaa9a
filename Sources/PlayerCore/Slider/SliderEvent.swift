/// A finger's effect on the seek bar. Values are fractions 0...1 of the bar's track.
///
/// Every `touchDown` is followed by any number of `valueChanged` and then by exactly one `touchUp` or `cancel`, before
/// the next `touchDown`. A `cancel` right after a `touchUp` takes that back.
public enum SliderEvent: Hashable, Sendable {
    /// A finger took the thumb, which moves to this value: a finger grabs the place it touches, not an offset from the
    /// thumb.
    case touchDown(Double, at: MonotonicTime)
    /// The finger moved the thumb; never reported twice in a row for one value.
    case valueChanged(Double, at: MonotonicTime)
    /// The finger left the panel; the value is the last one reported.
    case touchUp(Double, at: MonotonicTime)
    /// The touch is void, or its lift was not real: the state before `touchDown` holds again.
    case cancel(at: MonotonicTime)

    /// `nil` for a void touch.
    public var value: Double? {
        switch self {
        case .touchDown(let value, _), .valueChanged(let value, _), .touchUp(let value, _): value
        case .cancel: nil
        }
    }

    public var time: MonotonicTime {
        switch self {
        case .touchDown(_, let time), .valueChanged(_, let time), .touchUp(_, let time), .cancel(let time): time
        }
    }
}
