/// A colour multiplied by its own opacity, as planes blend it: DRM's ARGB8888, GStreamer's BGRA; on little-endian
/// machines its bytes in memory are blue, green, red, alpha. No channel is above alpha.
struct PremultipliedColor: Hashable, Sendable {
    var alpha: UInt32
    var red: UInt32
    var green: UInt32
    var blue: UInt32

    /// - Parameters:
    ///   - rgb: `0xRRGGBB`, not multiplied.
    ///   - opacity: 0...1.
    init(rgb: UInt32, opacity: Double = 1) {
        alpha = UInt32((opacity * 255).rounded())
        red = Self.scaled(rgb >> 16 & 255, by: alpha)
        green = Self.scaled(rgb >> 8 & 255, by: alpha)
        blue = Self.scaled(rgb & 255, by: alpha)
    }

    init(pixel: UInt32) {
        alpha = pixel >> 24
        red = pixel >> 16 & 255
        green = pixel >> 8 & 255
        blue = pixel & 255
    }

    var pixel: UInt32 { alpha << 24 | red << 16 | green << 8 | blue }

    /// This colour blended over another one, covering `coverage`/255 of the pixel.
    func over(_ below: PremultipliedColor, coverage: UInt32 = 255) -> PremultipliedColor {
        var result = self
        let rest = 255 - Self.scaled(alpha, by: coverage)
        // Each term rounds alpha and the channels alike and is monotonic, so a channel stays at or below alpha.
        result.alpha = Self.scaled(alpha, by: coverage) + Self.scaled(below.alpha, by: rest)
        result.red = Self.scaled(red, by: coverage) + Self.scaled(below.red, by: rest)
        result.green = Self.scaled(green, by: coverage) + Self.scaled(below.green, by: rest)
        result.blue = Self.scaled(blue, by: coverage) + Self.scaled(below.blue, by: rest)
        return result
    }

    /// `value * factor / 255`, rounded to the nearest.
    private static func scaled(_ value: UInt32, by factor: UInt32) -> UInt32 {
        (value * factor + 127) / 255
    }
}
