public import PlayerCore

/// Processes a scrub sheet's pictures as the film's branch processes its frames: turned, cropped, scaled, in the
/// plane's format and at the same place, so that the change to the real frame changes sharpness and nothing else.
///
/// For one thread at a time.
public final class SheetPainter {
    /// The source pictures and the target.
    public struct Job: Hashable, Sendable {
        /// The width of the sheet's pictures: upright, square pixels, both sides even.
        public var width: Int
        public var height: Int
        /// The encoding of the film's YCbCr.
        public var color: FilmColor
        public var screen: FilmOutput.Screen
        /// The target, before the plane's turn.
        public var canvas: Canvas

        public init(width: Int, height: Int, color: FilmColor, screen: FilmOutput.Screen, canvas: Canvas) {
            self.width = width
            self.height = height
            self.color = color
            self.screen = screen
            self.canvas = canvas
        }
    }

    public struct Canvas: Hashable, Sendable {
        public var width: Int
        public var height: Int
        /// GStreamer's name.
        public var format: String
        /// Offset and line length of each of the format's planes, in bytes.
        public var components: [Component]

        public init(width: Int, height: Int, format: String, components: [Component]) {
            self.width = width
            self.height = height
            self.format = format
            self.components = components
        }
    }

    public struct Component: Hashable, Sendable {
        public var offset: Int
        public var pitch: Int

        public init(offset: Int, pitch: Int) {
            self.offset = offset
            self.pitch = pitch
        }
    }

    public let job: Job
    private let turn: PictureTurn?
    private let converter: VideoConverter

    /// The size of pictures on a plane that scales; `nil` on a plane that does not.
    public static func size(width: Int, height: Int, on screen: FilmOutput.Screen) -> (width: Int, height: Int)? {
        guard screen.canScale else { return nil }
        let turned = screen.turn.size(width: width, height: height)
        let seen = Self.seen(of: turned, on: screen)
        return (seen.width, seen.height)
    }

    /// - Returns: `nil` for a format that cannot be drawn.
    public init?(_ job: Job) {
        self.job = job
        var screen = job.screen
        // The film's black borders are limited range.
        if screen.coversDisplay, screen.area != screen.whole { screen.hasFullRange = false }
        let size = screen.turn.size(width: job.width, height: job.height)
        turn = screen.turn == .identity ? nil : PictureTurn(job.width, job.height, screen.turn)
        let canvas = job.canvas
        let isYCbCr = ["I420", "YV12", "NV12", "NV21"].contains(canvas.format)
        let target = VideoShape(
            width: canvas.width, height: canvas.height, format: canvas.format,
            color: isYCbCr ? screen.color(of: job.color) : nil,
            components: canvas.components.map { .init(offset: $0.offset, pitch: $0.pitch) })
        let source = VideoShape(packedWidth: size.width, height: size.height, color: job.color)
        guard
            let converter = VideoConverter(
                source, Self.seen(of: size, on: screen), to: target, Self.place(of: size, on: screen, in: canvas))
        else { return nil }
        self.converter = converter
    }

    /// Blends the OSD surface into the painted picture, on a display that has no plane for it.
    /// - Parameters:
    ///   - pixels: BGRA, multiplied by alpha, rows without gaps.
    ///   - place: the place on the canvas.
    public func blend(
        _ pixels: UnsafeRawBufferPointer, at place: OSDLayout.Rectangle, into bytes: UnsafeMutableRawBufferPointer
    ) {
        converter.blend(pixels, at: place, into: bytes)
    }

    /// - Parameters:
    ///   - picture: I420, its planes one after another: `width * height * 3 / 2` bytes.
    ///   - bytes: the canvas's bytes.
    /// - Returns: `false` if one of them is too short.
    public func paint(_ picture: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        guard picture.count >= job.width * job.height * 3 / 2 else { return false }
        guard let turn else { return converter.convert(picture, into: bytes) }
        return turn.turned(picture) { converter.convert($0, into: bytes) }
    }

    // MARK: Places

    /// The visible part of a turned picture.
    private static func seen(
        of size: (width: Int, height: Int), on screen: FilmOutput.Screen
    ) -> OSDLayout.Rectangle {
        guard screen.gravity == .resizeAspectFill else {
            return .init(x: 0, y: 0, width: size.width, height: size.height)
        }
        let area = screen.planeTurn.size(width: screen.area.width, height: screen.area.height)
        let crop = Crop(width: size.width, height: size.height, pixelAspect: (1, 1), filling: area)
        return .init(
            x: crop.left, y: crop.top, width: size.width - crop.left - crop.right,
            height: size.height - crop.top - crop.bottom)
    }

    /// Its place on the canvas.
    private static func place(
        of size: (width: Int, height: Int), on screen: FilmOutput.Screen, in canvas: Canvas
    ) -> OSDLayout.Rectangle {
        let whole = OSDLayout.Rectangle(x: 0, y: 0, width: canvas.width, height: canvas.height)
        guard !screen.canScale, screen.coversDisplay else { return whole }
        let (width, height) = screen.planeTurn.size(width: screen.width, height: screen.height)
        let area = screen.planeTurn.inverse.place(screen.area, displayWidth: width, displayHeight: height)
        guard screen.gravity == .resizeAspect else { return area }
        let fit = AspectFit(
            width: size.width, height: size.height, pixelAspect: (1, 1), within: (area.width, area.height))
        return .init(
            x: area.x + (area.width - fit.width) / 2 & ~1, y: area.y + (area.height - fit.height) / 2 & ~1,
            width: fit.width, height: fit.height)
    }
}

/// Turns a small picture in memory: GStreamer's own turn is an element, which would need a pipeline.
private final class PictureTurn {
    private let turn: DisplayTransform
    private let (width, height): (Int, Int)
    private let bytes: UnsafeMutableRawBufferPointer

    init(_ width: Int, _ height: Int, _ turn: DisplayTransform) {
        self.turn = turn
        self.width = width
        self.height = height
        bytes = .allocate(byteCount: width * height * 3 / 2, alignment: 64)
    }

    deinit { bytes.deallocate() }

    func turned(_ picture: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        var start = 0
        for divisor in [1, 2, 2] {
            let (across, down) = (width / divisor, height / divisor)
            copy(
                UnsafeRawBufferPointer(rebasing: picture[start..<start + across * down]), across, down,
                to: UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + across * down]))
            start += across * down
        }
        return body(UnsafeRawBufferPointer(bytes))
    }

    /// Copies pixels. A pixel's target is a sum of its column's and its line's offset.
    private func copy(
        _ plane: UnsafeRawBufferPointer, _ across: Int, _ down: Int, to target: UnsafeMutableRawBufferPointer
    ) {
        let pitch = turn.size(width: across, height: down).width
        func place(_ x: Int, _ y: Int) -> Int {
            let pixel = OSDLayout.Rectangle(x: x, y: y, width: 1, height: 1)
            let size = turn.size(width: across, height: down)
            let turned = turn.place(pixel, displayWidth: size.width, displayHeight: size.height)
            return turned.y * pitch + turned.x
        }
        let origin = place(0, 0)
        let (column, line) = (place(min(1, across - 1), 0) - origin, place(0, min(1, down - 1)) - origin)
        for y in 0..<down {
            var destination = origin + y * line
            for x in 0..<across {
                target[destination] = plane[y * across + x]
                destination += column
            }
        }
    }
}
