/// Shapes by their signed distance: below 0 inside, in pixels. The edge is antialiased over one pixel.
///
/// The icons of buttons consist of them: small areas, painted when something changes.
indirect enum Shape {
    case disc(x: Double, y: Double, radius: Double)
    /// - Parameter radius: of its corners.
    case box(x: Double, y: Double, width: Double, height: Double, radius: Double)
    /// A convex polygon, its corners clockwise on the screen.
    case polygon([(x: Double, y: Double)])
    /// The line along a shape's edge.
    case outline(Shape, width: Double)
    /// The part of a shape right of a leaning line: it cuts rings to arcs.
    case rightOf(Shape, x: Double, y: Double, slope: Double)
    /// A line with round ends.
    case line(x0: Double, y0: Double, x1: Double, y1: Double, width: Double)

    func distance(_ x: Double, _ y: Double) -> Double {
        switch self {
        case .disc(let centreX, let centreY, let radius):
            return Self.length(x - centreX, y - centreY) - radius
        case .box(let left, let top, let width, let height, let radius):
            let dx = abs(x - left - width / 2) - width / 2 + radius
            let dy = abs(y - top - height / 2) - height / 2 + radius
            return Self.length(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - radius
        case .polygon(let corners):
            // The largest distance from its edges: exact inside, and near enough outside the corners.
            var distance = -Double.infinity
            for place in corners.indices {
                let (from, to) = (corners[place], corners[(place + 1) % corners.count])
                let (ax, ay) = (to.x - from.x, to.y - from.y)
                let length = Self.length(ax, ay)
                distance = max(distance, ((x - from.x) * ay - (y - from.y) * ax) / length)
            }
            return distance
        case .outline(let shape, let width): return abs(shape.distance(x, y)) - width / 2
        case .rightOf(let shape, let lineX, let lineY, let slope):
            return max(shape.distance(x, y), abs(y - lineY) * slope - (x - lineX))
        case .line(let x0, let y0, let x1, let y1, let width):
            let (ax, ay) = (x1 - x0, y1 - y0)
            let part = min(max(((x - x0) * ax + (y - y0) * ay) / max(ax * ax + ay * ay, 1e-9), 0), 1)
            return Self.length(x - x0 - part * ax, y - y0 - part * ay) - width / 2
        }
    }

    private static func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
}

extension PixelCanvas {
    /// Blends a shape over the pixels of `box`; the part outside is not painted.
    func fill(_ shape: Shape, within box: Box, with color: PremultipliedColor) {
        for y in box.rows.clamped(to: 0..<height) {
            let row = row(y)
            for x in box.columns.clamped(to: 0..<width) {
                let distance = shape.distance(Double(x) + 0.5, Double(y) + 0.5)
                guard distance < 0.5 else { continue }
                let below = PremultipliedColor(pixel: row[x])
                row[x] =
                    distance <= -0.5
                    ? color.over(below).pixel
                    : color.over(below, coverage: UInt32(((0.5 - distance) * 255).rounded())).pixel
            }
        }
    }

    /// Columns and rows.
    struct Box {
        var columns: Range<Int>
        var rows: Range<Int>
    }

    /// Blends a colour by coverage, 0...255 for each pixel, over the pixels from a corner on: a mask of letters.
    /// - Parameter columns: clips the mask.
    func fill(
        _ mask: TextMask, x left: Int, y top: Int, columns: Range<Int>, with color: PremultipliedColor
    ) {
        let columns = columns.clamped(to: max(left, 0)..<max(min(left + mask.width, width), max(left, 0)))
        for y in max(top, 0)..<max(min(top + mask.height, height), max(top, 0)) {
            let row = row(y)
            let line = (y - top) * mask.width - left
            for x in columns {
                let coverage = UInt32(mask.coverage[line + x])
                if coverage > 0 { row[x] = color.over(PremultipliedColor(pixel: row[x]), coverage: coverage).pixel }
            }
        }
    }

    /// Blends a picture over the pixels of a rectangle of its own size, with rounded corners.
    func fill(_ picture: PicturePixels, x left: Int, y top: Int, radius: Double) {
        let shape = Shape.box(
            x: Double(left), y: Double(top), width: Double(picture.width), height: Double(picture.height),
            radius: radius)
        for y in max(top, 0)..<max(min(top + picture.height, height), max(top, 0)) {
            let row = row(y)
            let line = (y - top) * picture.width - left
            // Only the rows near its corners are clipped.
            let isEdge = Double(y - top) < radius || Double(top + picture.height - 1 - y) < radius
            for x in max(left, 0)..<max(min(left + picture.width, width), max(left, 0)) {
                let color = PremultipliedColor(pixel: picture.pixels[line + x])
                guard isEdge else {
                    row[x] = color.pixel
                    continue
                }
                let distance = shape.distance(Double(x) + 0.5, Double(y) + 0.5)
                guard distance < 0.5 else { continue }
                let coverage = UInt32((min(0.5 - distance, 1) * 255).rounded())
                row[x] = color.over(PremultipliedColor(pixel: row[x]), coverage: coverage).pixel
            }
        }
    }
}

/// The coverage mask of a line of text.
public struct TextMask: Sendable {
    public var width: Int
    public var height: Int
    /// 0...255 for each pixel, rows without gaps.
    public var coverage: [UInt8]

    public init(width: Int, height: Int, coverage: [UInt8]) {
        precondition(coverage.count >= width * height, "\(coverage.count) of \(width * height) pixels")
        self.width = width
        self.height = height
        self.coverage = coverage
    }
}

/// A picture's pixels: ARGB8888, multiplied by alpha, rows without gaps.
public struct PicturePixels: Sendable {
    public var width: Int
    public var height: Int
    public var pixels: [UInt32]

    public init(width: Int, height: Int, pixels: [UInt32]) {
        precondition(pixels.count >= width * height, "\(pixels.count) of \(width * height) pixels")
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}
