/// Converts text that `textoverlay` blended onto the surface to the plane's alpha.
///
/// `gst_video_blend` treats BGRA as straight alpha (caps cannot say otherwise) and writes straight colour: over black
/// of opacity b, ink of coverage s gives alpha a = s + b(1 - s) and the colour s / a. The plane blends pre-multiplied
/// alpha and needs s. Unconverted, edges shine (s / a > s) and over a transparent surface colour exceeds alpha. The
/// surface below the text is black, the same in both forms, so multiplying the text's own rectangle afterwards is
/// exact.
struct BlendedText {
    /// The text's rectangle in the surface; any part may be outside it.
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    /// Multiplies the rectangle's colour by alpha, once, in the surface's pixels: BGRA, `stride` bytes from one row to
    /// the next. `rows` are those that are black below the text, each of one opacity; others are not touched. Over the
    /// columns of `fade` the text fades out to the right, and it is removed beyond.
    func premultiply(
        _ base: UnsafeMutableRawPointer, stride: Int, columns: Range<Int>, rows: Range<Int>, fade: Range<Int>? = nil
    ) {
        guard width > 0, height > 0 else { return }
        let columns = columns.clamped(to: x..<x + width)
        for row in rows.clamped(to: y..<y + height) {
            let pixels = (base + row * stride).assumingMemoryBound(to: UInt32.self)
            // Left of the margin there is only the bare surface.
            let bare = pixels[0] >> 24
            for column in columns {
                let pixel = pixels[column]
                guard pixel & 0xFF_FFFF != 0 else { continue }
                var alpha = pixel >> 24
                var part = alpha
                if let fade, column >= fade.lowerBound {
                    let left = UInt32(max(fade.upperBound - column, 0) * 255 / (fade.count + 1))
                    part = alpha * left / 255
                    alpha = bare + (max(alpha, bare) - bare) * left / 255
                }
                pixels[column] =
                    alpha << 24 | Self.multiplied(pixel >> 16 & 255, by: part) << 16
                    | Self.multiplied(pixel >> 8 & 255, by: part) << 8 | Self.multiplied(pixel & 255, by: part)
            }
        }
    }

    /// Rounded up, because the blending rounded down: restores the ink's own value.
    private static func multiplied(_ channel: UInt32, by alpha: UInt32) -> UInt32 {
        (channel * alpha + 254) / 255
    }
}
