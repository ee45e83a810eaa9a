/// The content of one plane: a framebuffer's bytes with the plane's geometry. A value, so that composing needs no
/// device.
struct PlaneLayer: Sendable {
    /// One of the format's memory planes.
    struct Component: Sendable {
        var bytes: [UInt8]
        /// Bytes from one line to the next.
        var pitch: Int
    }

    enum Blend: Sendable {
        case none, preMultiplied, coverage
    }

    /// In pixels of the framebuffer, with fractions as the plane has them.
    struct Source: Sendable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// In pixels of the display; may reach beyond it.
    struct Destination: Sendable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
    }

    var format: PixelFormat
    /// The framebuffer's size.
    var width: Int
    var height: Int
    var components: [Component]
    var source: Source
    var destination: Destination
    var rotation: PlaneRotation = .rotate0
    var blend: Blend = .preMultiplied
    /// The whole plane's alpha, 0...65535.
    var alpha: UInt16 = .max
    /// Used for YCbCr formats only.
    var encoding: ColorEncoding = .bt709
    var range: ColorRange = .limited
}
