import PlayerCore

/// The bar as geometry: the colour at a point, averaged over samples of each pixel.
struct SampledReference {
    /// Channels 0...255, multiplied by alpha.
    struct Color {
        var red = 0.0
        var green = 0.0
        var blue = 0.0
        var alpha = 0.0

        func over(_ below: Color, opacity: Double) -> Color {
            Color(
                red: red * opacity + below.red * (1 - opacity), green: green * opacity + below.green * (1 - opacity),
                blue: blue * opacity + below.blue * (1 - opacity), alpha: 255 * opacity + below.alpha * (1 - opacity))
        }
    }

    private let samples = 8
    private let left: Double
    private let right: Double
    private let centreY: Double
    private let trackRadius: Double
    private let thumbX: Double
    private let bufferedX: Double
    private let thumbRadius: Double

    init(bar: OSDModel.Bar, layout: OSDLayout) {
        left = Double(layout.track.x)
        right = left + Double(layout.track.width)
        trackRadius = Double(layout.track.height) / 2
        centreY = Double(layout.track.y - layout.surface.y) + trackRadius
        thumbX = layout.thumbX(at: bar.thumb)
        bufferedX = max(layout.thumbX(at: bar.buffered ?? bar.thumb), thumbX)
        thumbRadius = Double(bar.isHeld ? layout.heldThumbRadius : layout.thumbRadius)
    }

    /// The pixel's colour over a black surface of an opacity of 0...1.
    func color(x: Int, y: Int, background: Double) -> Color {
        var sum = Color()
        for row in 0..<samples {
            for column in 0..<samples {
                let color = color(
                    atX: Double(x) + (Double(column) + 0.5) / Double(samples),
                    y: Double(y) + (Double(row) + 0.5) / Double(samples), background: background)
                sum.red += color.red
                sum.green += color.green
                sum.blue += color.blue
                sum.alpha += color.alpha
            }
        }
        let count = Double(samples * samples)
        return Color(
            red: sum.red / count, green: sum.green / count, blue: sum.blue / count, alpha: sum.alpha / count)
    }

    private func color(atX x: Double, y: Double, background: Double) -> Color {
        func isWithin(_ radius: Double, ofX centreX: Double) -> Bool {
            (x - centreX) * (x - centreX) + (y - centreY) * (y - centreY) <= radius * radius
        }
        let white = Color(red: 255, green: 255, blue: 255, alpha: 255)
        var color = Color(alpha: 255 * background)
        // The track is a line drawn with a round pen.
        if isWithin(trackRadius, ofX: min(max(x, left), right)) {
            if x < thumbX, thumbX > left {
                color = Color(red: 0x5A, green: 0xB4, blue: 0xFF, alpha: 255)
            } else {
                color = white.over(color, opacity: x < bufferedX ? 0.5 : 0.28)
            }
        }
        if isWithin(thumbRadius + 1.25, ofX: thumbX) { color = Color(alpha: 255).over(color, opacity: 0.45) }
        if isWithin(thumbRadius, ofX: thumbX) { color = white }
        return color
    }
}
