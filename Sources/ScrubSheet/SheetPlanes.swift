public import PlayerCore

/// A picture's three planes, Y, Cb and Cr of 4:2:0, in the caller's memory: a mapped framebuffer's, or an array's. KMS
/// calls it YU12, GStreamer I420.
///
/// Borrows the memory, which must outlive the call that it is passed to.
public struct SheetPlanes {
    /// One plane.
    public struct Plane {
        public var start: UnsafeMutablePointer<UInt8>
        /// The distance from one line to the next, in bytes: at least the plane's width.
        public var stride: Int

        public init(start: UnsafeMutablePointer<UInt8>, stride: Int) {
            self.start = start
            self.stride = stride
        }
    }

    /// The size of Y; the others have half of it, rounded up.
    public var size: SheetSize
    public var y: Plane
    public var cb: Plane
    public var cr: Plane

    public init(size: SheetSize, y: Plane, cb: Plane, cr: Plane) {
        (self.size, self.y, self.cb, self.cr) = (size, y, cb, cr)
    }

    /// Planes one behind the other, without gaps.
    /// - Parameter memory: at least `byteCount(of: size)`.
    public init(size: SheetSize, packedIn memory: UnsafeMutablePointer<UInt8>) {
        let (across, down) = ((size.width + 1) / 2, (size.height + 1) / 2)
        let chroma = memory + size.width * size.height
        self.init(
            size: size, y: Plane(start: memory, stride: size.width), cb: Plane(start: chroma, stride: across),
            cr: Plane(start: chroma + across * down, stride: across))
    }

    /// The bytes of packed planes.
    public static func byteCount(of size: SheetSize) -> Int {
        size.width * size.height + 2 * ((size.width + 1) / 2) * ((size.height + 1) / 2)
    }
}
