internal import CGStreamer
public import PlayerCore

/// Scales a scrub sheet's pictures down to thumbnails for the on-screen display, and crops them at the sides.
///
/// For one thread at a time.
public final class SheetThumbnail {
    /// The size of the thumbnails, in pixels.
    public let (width, height): (Int, Int)
    private let (sheetWidth, sheetHeight): (Int, Int)
    private var converter: (color: FilmColor, converter: VideoConverter)?

    /// - Parameters:
    ///   - sheetWidth: the width of the sheet's pictures; like `sheetHeight` even.
    ///   - width: the width of the thumbnails, as `height` is their height.
    public init(sheetWidth: Int, sheetHeight: Int, width: Int, height: Int) {
        (self.sheetWidth, self.sheetHeight) = (sheetWidth, sheetHeight)
        (self.width, self.height) = (width, height)
    }

    /// - Parameters:
    ///   - picture: I420, its planes one after another without gaps.
    ///   - color: the encoding of its YCbCr.
    /// - Returns: BGRA in native words, opaque, rows without gaps; `nil` if the picture is too short.
    public func pixels(of picture: UnsafeRawBufferPointer, _ color: FilmColor) -> [UInt32]? {
        guard picture.count >= sheetWidth * sheetHeight * 3 / 2, let converter = converter(for: color) else {
            return nil
        }
        var pixels = [UInt32](repeating: 0, count: width * height)
        let isDone = pixels.withUnsafeMutableBytes { converter.convert(picture, into: $0) }
        guard isDone else { return nil }
        for place in pixels.indices { pixels[place] |= 0xFF00_0000 }
        return pixels
    }

    private func converter(for color: FilmColor) -> VideoConverter? {
        if let converter, converter.color == color { return converter.converter }
        let source = VideoShape(packedWidth: sheetWidth, height: sheetHeight, color: color)
        let crop = Crop(width: sheetWidth, height: sheetHeight, pixelAspect: (1, 1), filling: (width, height))
        let seen = OSDLayout.Rectangle(
            x: crop.left, y: crop.top, width: sheetWidth - crop.left - crop.right,
            height: sheetHeight - crop.top - crop.bottom)
        let target = VideoShape(
            width: width, height: height, format: "BGRx", color: nil, components: [.init(offset: 0, pitch: width * 4)])
        guard
            let made = VideoConverter(source, seen, to: target, .init(x: 0, y: 0, width: width, height: height))
        else { return nil }
        converter = (color, made)
        return made
    }
}
