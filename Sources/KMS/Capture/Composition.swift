extension Picture {
    /// Composes planes over a black display in their order, the lowest first, with nearest-neighbour scaling.
    ///
    /// - Precondition: each layer's format is one that `PixelFormat` names, and its components contain the whole
    ///   framebuffer. A layer that breaks this is left out.
    static func composed(width: Int, height: Int, layers: [PlaneLayer]) -> Picture {
        let bytes = [UInt8](unsafeUninitializedCapacity: width * height * 3) { canvas, count in
            canvas.initialize(repeating: 0)
            count = canvas.count
            for layer in layers where layer.isWhole {
                layer.draw(on: canvas, width: width, height: height)
            }
        }
        return Picture(width: width, height: height, bytes: bytes)
    }
}

extension PlaneLayer {
    /// Whether the components contain all pixels of the framebuffer.
    fileprivate var isWhole: Bool {
        guard let layout = format.layout, width > 0, height > 0, destination.width > 0, destination.height > 0 else {
            return false
        }
        let chroma = ((width + 1) / 2, (height + 1) / 2)
        let needed: [(line: Int, lines: Int)] =
            switch layout {
            case .packed(let bytes): [(width * bytes, height)]
            case .twoPlanes420: [(width, height), (chroma.0 * 2, chroma.1)]
            case .threePlanes420: [(width, height), (chroma.0, chroma.1), (chroma.0, chroma.1)]
            }
        return components.count == needed.count
            && zip(components, needed).allSatisfy { component, size in
                component.pitch >= size.line && component.bytes.count >= component.pitch * (size.lines - 1) + size.line
            }
    }

    fileprivate func draw(
        on canvas: UnsafeMutableBufferPointer<UInt8>, width displayWidth: Int, height displayHeight: Int
    ) {
        let columns =
            max(destination.x, 0)..<max(min(destination.x + destination.width, displayWidth), max(destination.x, 0))
        let lines =
            max(destination.y, 0)..<max(min(destination.y + destination.height, displayHeight), max(destination.y, 0))
        // With a quarter turn the source's columns are the display's lines.
        let isTurned = !rotation.isDisjoint(with: [.rotate90, .rotate270])
        let sourceX = positions(
            along: isTurned ? destination.height : destination.width, from: source.x, length: source.width,
            limit: width,
            isReversed: rotation.contains(.reflectX) != !rotation.isDisjoint(with: [.rotate90, .rotate180]))
        let sourceY = positions(
            along: isTurned ? destination.width : destination.height, from: source.y, length: source.height,
            limit: height,
            isReversed: rotation.contains(.reflectY) != !rotation.isDisjoint(with: [.rotate180, .rotate270]))
        if isOpaqueCopy {
            copy(to: canvas, columns: columns, lines: lines, displayWidth: displayWidth)
            return
        }
        let painter = PixelReader(self)
        withComponentPointers { first, second, third in
            for y in lines {
                var target = (y * displayWidth + columns.lowerBound) * 3
                let alongY = y - destination.y
                for x in columns {
                    let alongX = x - destination.x
                    let pixel = painter.pixel(
                        x: sourceX[isTurned ? alongY : alongX], y: sourceY[isTurned ? alongX : alongY], first, second,
                        third)
                    let below = 65535 - pixel.cover
                    canvas[target] = Self.mixed(pixel.red, canvas[target], below)
                    canvas[target + 1] = Self.mixed(pixel.green, canvas[target + 1], below)
                    canvas[target + 2] = Self.mixed(pixel.blue, canvas[target + 2], below)
                    target += 3
                }
            }
        }
    }

    /// Whether the layer covers those below with its own pixels, one to one, as every picture of a writeback connector
    /// does.
    private var isOpaqueCopy: Bool {
        let isOpaque = format == .xrgb8888 || (format == .argb8888 && blend == .none)
        return isOpaque && alpha == .max && rotation == .rotate0 && source.x >= 0 && source.y >= 0
            && source.x == source.x.rounded() && source.y == source.y.rounded()
            && source.width == Double(destination.width) && source.height == Double(destination.height)
            && source.x + source.width <= Double(width) && source.y + source.height <= Double(height)
    }

    private func copy(
        to canvas: UnsafeMutableBufferPointer<UInt8>, columns: Range<Int>, lines: Range<Int>, displayWidth: Int
    ) {
        guard let canvas = canvas.baseAddress else { return }
        components[0].bytes.withUnsafeBytes { bytes in
            guard let bytes = bytes.baseAddress else { return }
            for y in lines {
                var target = canvas + (y * displayWidth + columns.lowerBound) * 3
                let line = bytes + (y - destination.y + Int(source.y)) * components[0].pitch
                var pixel = line + (columns.lowerBound - destination.x + Int(source.x)) * 4
                var left = columns.count
                while left > 0 {
                    let color = pixel.loadUnaligned(as: UInt32.self)
                    target[0] = UInt8(truncatingIfNeeded: color >> 16)
                    target[1] = UInt8(truncatingIfNeeded: color >> 8)
                    target[2] = UInt8(truncatingIfNeeded: color)
                    target += 3
                    pixel += 4
                    left -= 1
                }
            }
        }
    }

    /// The source's index for each step along the destination.
    private func positions(along count: Int, from start: Double, length: Double, limit: Int, isReversed: Bool) -> [Int]
    {
        (0..<count).map { step in
            let place = isReversed ? count - 1 - step : step
            let position = start + (Double(place) + 0.5) * length / Double(count)
            return min(max(Int(position.rounded(.down)), 0), limit - 1)
        }
    }

    /// Blends a colour over another. `above`: 0...255 * 65535, multiplied by its alpha already; `share`: the visible
    /// share of `below`, 0...65535.
    private static func mixed(_ above: Int, _ below: UInt8, _ share: Int) -> UInt8 {
        UInt8(clamping: (above + Int(below) * share + 32767) / 65535)
    }

    private func withComponentPointers(
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        func pointer(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
            if index < components.count {
                components[index].bytes.withUnsafeBufferPointer(body)
            } else {
                body(UnsafeBufferPointer(start: nil, count: 0))
            }
        }
        pointer(0) { first in pointer(1) { second in pointer(2) { third in body(first, second, third) } } }
    }
}

/// Reads single pixels of a layer as colour and coverage, in integers: debug builds take screenshots too, and must be
/// fast enough.
private struct PixelReader {
    /// Colours 0...255 * 65535, multiplied by their alpha; `cover` 0...65535.
    typealias Light = (red: Int, green: Int, blue: Int, cover: Int)

    private let kind: Kind
    private let pitches: [Int]
    private let planeAlpha: Int
    private let blend: PlaneLayer.Blend
    private let matrix: YCbCrMatrix

    private enum Kind {
        case packed(red: Int, blue: Int, hasAlpha: Bool = false, size: Int = 4)
        case threePlanes(isCrFirst: Bool)
        case twoPlanes(isCrFirst: Bool)
    }

    init(_ layer: PlaneLayer) {
        kind =
            switch layer.format {
            case .xrgb8888: .packed(red: 2, blue: 0)
            case .argb8888: .packed(red: 2, blue: 0, hasAlpha: true)
            case .xbgr8888: .packed(red: 0, blue: 2)
            case .abgr8888: .packed(red: 0, blue: 2, hasAlpha: true)
            case .rgb888: .packed(red: 2, blue: 0, size: 3)
            case .bgr888: .packed(red: 0, blue: 2, size: 3)
            case .yuv420: .threePlanes(isCrFirst: false)
            case .yvu420: .threePlanes(isCrFirst: true)
            case .nv21: .twoPlanes(isCrFirst: true)
            default: .twoPlanes(isCrFirst: false)
            }
        pitches = layer.components.map(\.pitch)
        planeAlpha = Int(layer.alpha)
        blend = layer.blend
        matrix = YCbCrMatrix(layer.encoding, layer.range)
    }

    func pixel(
        x: Int, y: Int, _ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>,
        _ third: UnsafeBufferPointer<UInt8>
    ) -> Light {
        switch kind {
        case .packed(let red, let blue, let hasAlpha, let size):
            let start = y * pitches[0] + x * size
            let color = (Int(first[start + red]), Int(first[start + 1]), Int(first[start + blue]))
            let alpha = hasAlpha && blend != .none ? Int(first[start + 3]) * 257 : 65535
            let cover = (alpha * planeAlpha + 32767) / 65535
            let scale = blend == .coverage ? cover : planeAlpha
            return (color.0 * scale, color.1 * scale, color.2 * scale, cover)
        case .threePlanes(let isCrFirst):
            let one = Int(second[y / 2 * pitches[1] + x / 2])
            let other = Int(third[y / 2 * pitches[2] + x / 2])
            return light(Int(first[y * pitches[0] + x]), isCrFirst ? other : one, isCrFirst ? one : other)
        case .twoPlanes(let isCrFirst):
            let start = y / 2 * pitches[1] + x / 2 * 2
            let one = Int(second[start])
            let other = Int(second[start + 1])
            return light(Int(first[y * pitches[0] + x]), isCrFirst ? other : one, isCrFirst ? one : other)
        }
    }

    private func light(_ luma: Int, _ cb: Int, _ cr: Int) -> Light {
        let color = matrix.rgb(luma, cb, cr)
        return (color.red * planeAlpha, color.green * planeAlpha, color.blue * planeAlpha, planeAlpha)
    }
}

/// YCbCr to RGB with 16 bits of fraction.
private struct YCbCrMatrix {
    private let lumaScale: Int
    private let lumaOffset: Int
    private let redOfCr: Int
    private let greenOfCb: Int
    private let greenOfCr: Int
    private let blueOfCb: Int

    init(_ encoding: ColorEncoding, _ range: ColorRange) {
        // The weights of red and blue in luma: ITU-R BT.601, BT.709, BT.2020.
        let (red, blue) =
            switch encoding {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            }
        let green = 1 - red - blue
        let luma = range == .limited ? 255.0 / 219 : 1
        let chroma = range == .limited ? 255.0 / 224 : 1
        func fixed(_ value: Double) -> Int { Int((value * 65536).rounded()) }
        lumaScale = fixed(luma)
        lumaOffset = range == .limited ? 16 : 0
        redOfCr = fixed(2 * (1 - red) * chroma)
        greenOfCb = fixed(2 * (1 - blue) * blue / green * chroma)
        greenOfCr = fixed(2 * (1 - red) * red / green * chroma)
        blueOfCb = fixed(2 * (1 - blue) * chroma)
    }

    func rgb(_ luma: Int, _ cb: Int, _ cr: Int) -> (red: Int, green: Int, blue: Int) {
        let light = (luma - lumaOffset) * lumaScale + 32768
        let cb = cb - 128
        let cr = cr - 128
        return (
            Self.clamped((light + redOfCr * cr) >> 16),
            Self.clamped((light - greenOfCb * cb - greenOfCr * cr) >> 16),
            Self.clamped((light + blueOfCb * cb) >> 16)
        )
    }

    private static func clamped(_ value: Int) -> Int { min(max(value, 0), 255) }
}
