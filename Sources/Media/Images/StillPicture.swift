public import PlayerCore

/// A picture in memory, in a form that programs can draw.
public struct StillPicture: Hashable, Sendable {
    /// In pixels, above 0.
    public var width: Int
    /// In pixels, above 0.
    public var height: Int
    /// Red, green, blue of each pixel, line by line, no padding.
    public var bytes: [UInt8]

    /// - Parameter bytes: `width * height * 3` of them.
    public init(width: Int, height: Int, bytes: [UInt8]) {
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    /// Creates a picture from a frame: scaled to fit, never enlarged, with the frame's aspect.
    /// - Parameters:
    ///   - planes: I420, one plane behind the other without gaps; both sides even.
    ///   - color: the encoding of its YCbCr.
    ///   - limit: the most pixels across and down; `nil` for the frame's own size.
    /// - Returns: `nil` if the planes are too short, or there is no GStreamer.
    public init?(
        _ planes: UnsafeRawBufferPointer, width: Int, height: Int, color: FilmColor?,
        fitting limit: (width: Int, height: Int)? = nil
    ) {
        guard planes.count >= width * height * 3 / 2, (try? GStreamer.start()) != nil else { return nil }
        let scale = limit.map { min(Double($0.width) / Double(width), Double($0.height) / Double(height), 1) } ?? 1
        let size = (
            width: max(Int((Double(width) * scale).rounded()), 1),
            height: max(Int((Double(height) * scale).rounded()), 1)
        )
        let source = VideoShape(packedWidth: width, height: height, color: color ?? FilmColor(matrix: .bt709))
        let target = VideoShape(
            width: size.width, height: size.height, format: "RGB", color: nil,
            components: [.init(offset: 0, pitch: size.width * 3)])
        guard
            let converter = VideoConverter(
                source, .init(x: 0, y: 0, width: width, height: height), to: target,
                .init(x: 0, y: 0, width: size.width, height: size.height))
        else { return nil }
        var pixels = [UInt8](repeating: 0, count: size.width * size.height * 3)
        let isDone = pixels.withUnsafeMutableBytes { converter.convert(planes, into: $0) }
        guard isDone else { return nil }
        self.init(width: size.width, height: size.height, bytes: pixels)
    }
}
