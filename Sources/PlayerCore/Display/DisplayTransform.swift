/// The rotation and reflection between viewer and display, for film and bar and, inverted, for touch.
///
/// There are two spaces: in the viewer's the film is upright; in the display's the mode has its width and height.
public struct DisplayTransform: Codable, Hashable, Sendable {
    /// Degrees, clockwise as the viewer of the unturned display sees it.
    public enum Rotation: Int, Codable, Hashable, Sendable, CaseIterable {
        /// Upright.
        case none = 0
        /// A quarter turn to the right.
        case quarter = 90
        /// Upside down.
        case half = 180
        /// A quarter turn to the left.
        case threeQuarters = 270
    }

    /// Applied after the reflection.
    public var rotation: Rotation
    /// Whether the image is mirrored left to right, before it is turned.
    public var isReflected: Bool

    /// Neither turned nor mirrored.
    public static let identity = DisplayTransform()

    /// A transform that mirrors in place, then turns.
    public init(rotation: Rotation = .none, isReflected: Bool = false) {
        self.rotation = rotation
        self.isReflected = isReflected
    }

    /// All eight transforms.
    public static var all: [DisplayTransform] {
        [false, true].flatMap { reflected in
            Rotation.allCases.map { DisplayTransform(rotation: $0, isReflected: reflected) }
        }
    }

    /// Whether the viewer's width is the display's height.
    public var swapsSides: Bool { rotation == .quarter || rotation == .threeQuarters }

    /// This transform followed by `next`.
    public func then(_ next: DisplayTransform) -> DisplayTransform {
        // A mirror image turns the other way.
        let turned = next.isReflected ? 360 - rotation.rawValue : rotation.rawValue
        let sum = (next.rotation.rawValue + turned) % 360
        return DisplayTransform(
            rotation: Rotation(rawValue: sum) ?? .none, isReflected: isReflected != next.isReflected)
    }

    /// The transform that undoes this one.
    public var inverse: DisplayTransform {
        isReflected ? self : DisplayTransform(rotation: Rotation(rawValue: (360 - rotation.rawValue) % 360) ?? .none)
    }

    /// The point on the display for a point in the viewer's space. Both are fractions from the left and top edge.
    public func place(x: Double, y: Double) -> (x: Double, y: Double) {
        let x = isReflected ? 1 - x : x
        return switch rotation {
        case .none: (x, y)
        case .quarter: (1 - y, x)
        case .half: (1 - x, 1 - y)
        case .threeQuarters: (y, 1 - x)
        }
    }

    /// A size in the other space: sides swapped or not.
    public func size(width: Int, height: Int) -> (width: Int, height: Int) {
        swapsSides ? (height, width) : (width, height)
    }

    /// The rectangle on a display of this width and height for one in the viewer's space. Pixels.
    public func place(
        _ rectangle: OSDLayout.Rectangle, displayWidth: Int, displayHeight: Int
    ) -> OSDLayout.Rectangle {
        let (across, down) = size(width: displayWidth, height: displayHeight)
        let x = isReflected ? across - rectangle.x - rectangle.width : rectangle.x
        let (y, width, height) = (rectangle.y, rectangle.width, rectangle.height)
        return switch rotation {
        case .none: .init(x: x, y: y, width: width, height: height)
        case .quarter: .init(x: down - y - height, y: x, width: height, height: width)
        case .half: .init(x: across - x - width, y: down - y - height, width: width, height: height)
        case .threeQuarters: .init(x: y, y: across - x - width, width: height, height: width)
        }
    }
}

extension DisplayTransform: CustomStringConvertible {
    /// `90`, `180 reflected`; `0` for the identity.
    public var description: String { "\(rotation.rawValue)" + (isReflected ? " reflected" : "") }
}
