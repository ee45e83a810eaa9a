/// A screenshot in memory.
public struct Picture: Hashable, Sendable {
    /// Pixels.
    public let width: Int
    /// Lines.
    public let height: Int
    /// Red, green, blue of each pixel, line by line from the top, no padding: `width * height * 3` bytes.
    public let bytes: [UInt8]

    /// A picture from its pixels. Traps unless there are `width * height * 3` bytes.
    public init(width: Int, height: Int, bytes: [UInt8]) {
        precondition(width >= 0 && height >= 0 && bytes.count == width * height * 3, "three bytes a pixel")
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// The colour of the pixel at `x`, `y`, which must be inside the picture.
    public subscript(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        precondition(x >= 0 && x < width && y >= 0 && y < height, "outside the picture")
        let start = (y * width + x) * 3
        return (bytes[start], bytes[start + 1], bytes[start + 2])
    }
}
