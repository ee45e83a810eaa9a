import OSDDrawing
import PlayerCore

struct Pixel: Hashable {
    var alpha: UInt8
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    static let white = Pixel(alpha: 255, red: 255, green: 255, blue: 255)
}

/// A painted surface.
struct Picture {
    let layout: OSDLayout
    let stride: Int
    private(set) var bytes: [UInt8]

    static func layout(size: (Int, Int)) -> OSDLayout {
        OSDLayout(displayWidth: size.0, displayHeight: size.1, millimetres: nil)
    }

    /// Paints over bytes of `fill`, with `padding` bytes between rows.
    init(_ model: OSDModel, size: (Int, Int), padding: Int = 0, fill: UInt8 = 0x5A) {
        layout = Self.layout(size: size)
        stride = layout.surface.width * 4 + padding
        bytes = Array(repeating: fill, count: stride * layout.surface.height)
        let painter = OSDPainter(layout: layout)
        let stride = stride
        bytes.withUnsafeMutableBytes { painter.paint(model, into: $0, stride: stride) }
    }

    var width: Int { layout.surface.width }
    var height: Int { layout.surface.height }

    /// The row below the track's middle line, in surface coordinates.
    var trackCentre: Int { layout.track.y - layout.surface.y + layout.track.height / 2 }

    subscript(x: Int, y: Int) -> Pixel {
        let at = y * stride + x * 4
        return Pixel(alpha: bytes[at + 3], red: bytes[at + 2], green: bytes[at + 1], blue: bytes[at])
    }

    /// The first pixel of some rows, row by row, that satisfies the condition; with its place.
    func first(inRows rows: Range<Int>? = nil, where holds: (Pixel) -> Bool) -> (x: Int, y: Int, pixel: Pixel)? {
        for y in rows ?? 0..<height {
            for x in 0..<width where holds(self[x, y]) { return (x, y, self[x, y]) }
        }
        return nil
    }
}
