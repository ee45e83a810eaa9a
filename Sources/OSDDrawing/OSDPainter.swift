public import PlayerCore
internal import Synchronization

/// Paints the OSD surface, except its text, which `textoverlay` adds.
///
/// The pixels are DRM's ARGB8888, GStreamer's BGRA, multiplied by alpha, for a plane with the pre-multiplied blend
/// mode. The rows of the text contain only black (and the live mark left of it): black is the same in straight and
/// multiplied form, so that `textoverlay` can blend onto them.
///
/// A value: may be used on any thread; concurrent calls must not share pixels. Painting allocates nothing while the
/// widgets stay the same. Copies share their cache.
public struct OSDPainter: Sendable {
    public let layout: OSDLayout
    /// The background, one colour for each row: the surface fades in from its upper edge to the text and below.
    private let backgroundRows: [UInt32]
    private let material: (any WidgetMaterial)?
    /// The surface with its widgets and without its bar, as last painted: it stays the same while the thumb moves.
    private let ground = Ground()

    private final class Ground: Sendable {
        struct Painted {
            var widgets: [Widget] = []
            var pixels: [UInt32] = []
        }

        let painted = Mutex(Painted())
    }

    /// - Parameter material: letters and pictures of widgets; `nil` paints widgets without them.
    public init(layout: OSDLayout, material: (any WidgetMaterial)? = nil) {
        self.layout = layout
        self.material = material
        let middle = Double(max(layout.textTop + layout.textHeight / 2 - layout.fadeTop, 1))
        let below = Double(max(layout.surface.height - layout.fadeTop, 1)) - middle
        backgroundRows = (0..<layout.surface.height).map { row in
            let y = Double(row - layout.fadeTop) + 0.5
            guard y > 0 else { return 0 }
            let opacity: Double
            if y < middle {
                // Starts softly and meets the lower part without a visible kink.
                let part = y / middle
                opacity = OSDPalette.textOpacity * part * part * (3 - 2 * part)
            } else {
                let part = min((y - middle) / below, 1)
                opacity =
                    OSDPalette.textOpacity
                    + (OSDPalette.lowestOpacity - OSDPalette.textOpacity) * part * part * (3 - 2 * part)
            }
            return PremultipliedColor(rgb: 0, opacity: opacity).pixel
        }
    }

    /// Paints every pixel of the surface into `pixels`: at least `stride * (layout.surface.height - 1) + layout.surface.width * 4`
    /// bytes, aligned to 4. `stride`, the bytes from one row to the next, is a multiple of 4.
    public func paint(_ model: OSDModel, into pixels: UnsafeMutableRawBufferPointer, stride: Int) {
        let surface = layout.surface
        precondition(
            stride % 4 == 0 && stride >= surface.width * 4, "a stride of \(stride) for \(surface.width) pixels")
        guard let base = pixels.baseAddress, pixels.count >= stride * (surface.height - 1) + surface.width * 4 else {
            preconditionFailure("\(pixels.count) bytes for a surface of \(surface.width)x\(surface.height)")
        }
        let canvas = PixelCanvas(base: base, width: surface.width, height: surface.height, stride: stride)
        guard model.isVisible else {
            for y in 0..<surface.height { canvas.fillRow(y, with: 0) }
            return
        }
        if model.widgets.isEmpty {
            for y in 0..<surface.height { canvas.fillRow(y, with: backgroundRows[y]) }
        } else {
            paintGround(model.widgets, on: canvas)
        }
        if model.isLive {
            paintLiveMark(on: canvas)
        } else if let bar = model.bar {
            paint(bar, on: canvas)
        }
        if let preview = model.preview {
            WidgetPainter(canvas: canvas, top: layout.surface.y, material: material).paint(preview)
        }
    }

    /// Paints the background and all widgets: once, and copies them from then on.
    private func paintGround(_ widgets: [Widget], on canvas: PixelCanvas) {
        let (width, height) = (canvas.width, canvas.height)
        ground.painted.withLock { painted in
            if painted.widgets != widgets || painted.pixels.count != width * height {
                if painted.pixels.count != width * height {
                    painted.pixels = [UInt32](repeating: 0, count: width * height)
                }
                painted.widgets = widgets
                painted.pixels.withUnsafeMutableBytes { pixels in
                    guard let base = pixels.baseAddress else { return }
                    let own = PixelCanvas(base: base, width: width, height: height, stride: width * 4)
                    for y in 0..<height { own.fillRow(y, with: backgroundRows[y]) }
                    let painter = WidgetPainter(canvas: own, top: layout.surface.y, material: material)
                    for widget in widgets { painter.paint(widget) }
                }
            }
            painted.pixels.withUnsafeBufferPointer { pixels in
                guard let base = pixels.baseAddress else { return }
                for y in 0..<height { canvas.row(y).update(from: base + y * width, count: width) }
            }
        }
    }

    private func paintLiveMark(on canvas: PixelCanvas) {
        let radius = Double(layout.liveMarkRadius)
        canvas.fillDisc(
            x: Double(layout.track.x) + radius, y: Double(layout.textTop) + Double(layout.textHeight) / 2,
            radius: radius, with: OSDPalette.live)
    }

    private func paint(_ bar: OSDModel.Bar, on canvas: PixelCanvas) {
        let left = Double(layout.track.x)
        let right = left + Double(layout.track.width)
        let thumbX = layout.thumbX(at: bar.thumb)
        let centreY = Double(layout.track.y - layout.surface.y) + Double(layout.track.height) / 2

        paintTrack(from: left, to: thumbX, roundedLeft: true, roundedRight: false, OSDPalette.played, on: canvas)
        let bufferedX = max(bar.buffered.map(layout.thumbX(at:)) ?? thumbX, thumbX)
        // The rounded end belongs to the part that reaches it.
        paintTrack(
            from: thumbX, to: bufferedX, roundedLeft: thumbX <= left, roundedRight: bufferedX >= right,
            OSDPalette.buffered, on: canvas)
        paintTrack(
            from: bufferedX, to: right, roundedLeft: bufferedX <= left, roundedRight: true, OSDPalette.unplayed,
            on: canvas)

        // A gap, which is visible on each of the track's colours.
        for mark in bar.marks {
            let columns = layout.markColumns(at: mark)
            for y in (layout.track.y - layout.surface.y)..<(layout.track.y - layout.surface.y + layout.track.height) {
                (canvas.row(y) + columns.lowerBound).update(repeating: backgroundRows[y], count: columns.count)
            }
        }

        let radius = Double(bar.isHeld ? layout.heldThumbRadius : layout.thumbRadius)
        canvas.fillDisc(x: thumbX, y: centreY, radius: radius + 1.25, with: OSDPalette.thumbOutline)
        canvas.fillDisc(x: thumbX, y: centreY, radius: radius, with: OSDPalette.thumb)
    }

    /// A part of the track between two x; rounded ends reach half the track's height further out.
    private func paintTrack(
        from left: Double, to right: Double, roundedLeft: Bool, roundedRight: Bool, _ color: PremultipliedColor,
        on canvas: PixelCanvas
    ) {
        guard left < right else { return }
        let top = layout.track.y - layout.surface.y
        let radius = Double(layout.track.height) / 2
        let centreY = Double(top) + radius
        canvas.fill(from: left, to: right, rows: top..<top + layout.track.height, with: color)
        // The track's own ends are on whole pixels, so the caps meet the straight part at a pixel's edge.
        if roundedLeft {
            canvas.fillDisc(
                x: left, y: centreY, radius: radius, with: color, columns: Int(left - radius)..<Int(left))
        }
        if roundedRight {
            canvas.fillDisc(
                x: right, y: centreY, radius: radius, with: color, columns: Int(right)..<Int(right + radius) + 1)
        }
    }
}
