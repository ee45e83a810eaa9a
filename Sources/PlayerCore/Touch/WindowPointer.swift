/// A window's report of the mouse or of a touch screen. Places are fractions of the frame, which they may lie beside:
/// below 0 or above 1.
public enum WindowPointer: Hashable, Sendable {
    public struct Place: Hashable, Sendable {
        public var x: Double
        public var y: Double

        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// Buttons by X11's numbers: 1 is the left one.
    case buttonPressed(Int, Place)
    case buttonReleased(Int, Place)
    case mouseMoved(Place)
    case touchDown(id: UInt32, Place)
    case touchMoved(id: UInt32, Place)
    case touchUp(id: UInt32, Place)
    /// The desktop took all touches for itself.
    case touchCancelled
}
