public import KMS
internal import Logging
public import Media
internal import PlayerCore

extension FilmOutput.Screen {
    /// The film's side of an open display.
    init(_ display: Display, planeScales: Bool = true) {
        let plane = display.filmPlane
        self.init(
            .init(
                fileDescriptor: display.fileDescriptor, connectorID: display.connectorID, planeID: plane.id,
                properties: plane.planeProperties),
            of: (display.width, display.height), canScale: plane.canScale && planeScales,
            isComposited: display.choice.step == .composited,
            mustCover: plane.mustCover || plane.kind == .primary,
            turn: display.transform, turns: plane.turns, formats: plane.formats)
        setColors(plane.colorEncodings, hasRanges: plane.hasColorRanges)
    }

    fileprivate init(
        _ plane: FilmOutput.Plane, of display: (width: Int, height: Int), canScale: Bool, isComposited: Bool,
        mustCover: Bool, turn: DisplayTransform, turns: Bool, formats: [PixelFormat]
    ) {
        // Drivers with one plane usually refuse a primary plane that does not cover the display.
        let covers = isComposited || mustCover
        // By a plane, unscaled.
        let isQuarter = turns && turn.swapsSides
        self.init(
            sink: .plane(plane), width: display.width, height: display.height,
            canScale: canScale && !covers && !isQuarter, coversDisplay: covers, composesOSD: isComposited,
            turn: turns ? .identity : turn, formats: formats.filter(\.hasWholeBuffers).compactMap(\.gstreamerName))
        planeTurn = turns ? turn : .identity
    }

    fileprivate mutating func setColors(_ encodings: [ColorEncoding], hasRanges: Bool) {
        matrices = encodings.map(\.matrix)
        hasFullRange = hasRanges
    }

    /// The film's side of a window: frames of its size, with black around the film for the OSD surface.
    init(_ window: PlayerWindow) {
        self.init(
            sink: .window(window.system), width: window.width, height: window.height, canScale: false,
            coversDisplay: true, composesOSD: true, turn: window.transform,
            // The formats of X11's screens, by their depth, and the one that Wayland requires: "BGRx".
            formats: ["BGRx", "RGBx", "xRGB", "xBGR", "BGR", "RGB", "RGB16", "RGB15"])
    }
}

extension PlaneOffer {
    /// The plane's capabilities for films, as far as they are known without opening the display.
    /// - Parameters:
    ///   - choice: the display's choice, which contains the film's plane.
    ///   - inventory: the inventory that the choice was made from.
    public init(_ choice: DisplayChoice, from inventory: DisplayInventory) {
        let plane = choice.filmPlane
        let listed = inventory.cards.first { $0.path == choice.card }?.planes.first { $0.id == plane.id }
        let ids = FilmOutput.Plane(fileDescriptor: -1, connectorID: choice.connectorID, planeID: plane.id)
        var screen = FilmOutput.Screen(
            ids, of: (choice.mode.width, choice.mode.height), canScale: plane.scales != false,
            isComposited: choice.step == .composited, mustCover: plane.mustCover == true || plane.kind == .primary,
            turn: choice.transform, turns: choice.transform == .identity || plane.rotation != nil,
            formats: plane.formats)
        screen.setColors(listed?.colorEncodings ?? [], hasRanges: listed?.hasColorRanges == true)
        let layouts = listed?.layouts ?? []
        self.init(
            screen: screen,
            deviceFormats: layouts.isEmpty
                ? plane.formats.map(\.description)
                : layouts.flatMap { layout in
                    layout.modifiers.map {
                        $0 == .linear ? "\(layout.format)" : "\(layout.format):\($0.hexadecimal)"
                    }
                },
            knowsScaling: plane.scales != nil)
    }
}

extension FilmDisplay {
    init(_ display: Display, _ log: Logger) {
        self.init { color in
            do throws(KMSError) {
                try display.setFilmColor(ColorEncoding(color.matrix), range: color.isFullRange ? .full : .limited)
            } catch {
                log.warning("the film's colours are not set: \(error)")
            }
        }
        guard display.filmPlane.kind == .primary else { return }
        uncover = {
            do throws(KMSError) { try display.showBackground() } catch { log.warning("\(error)") }
        }
    }
}

extension ColorEncoding {
    fileprivate init(_ matrix: ColorMatrix) {
        self =
            switch matrix {
            case .bt601: .bt601
            case .bt709: .bt709
            case .bt2020: .bt2020
            }
    }

    fileprivate var matrix: ColorMatrix {
        switch self {
        case .bt601: .bt601
        case .bt709: .bt709
        case .bt2020: .bt2020
        }
    }
}

extension PixelFormat {
    /// GStreamer's name for a DRM format; the table is kmssink's own. YCbCr needs no precedence here: the pipeline
    /// keeps the decoder's format if the plane accepts it.
    var gstreamerName: String? {
        switch description {
        case "YU12": "I420"
        case "YV12": "YV12"
        case "YU16": "Y42B"
        case "NV12": "NV12"
        case "NV21": "NV21"
        case "NV16": "NV16"
        case "NV61": "NV61"
        case "NV24": "NV24"
        case "YUYV": "YUY2"
        case "YVYU": "YVYU"
        case "UYVY": "UYVY"
        case "P010": "P010_10LE"
        case "XR24": "BGRx"
        case "AR24": "BGRA"
        case "XB24": "RGBx"
        case "AB24": "RGBA"
        case "RG24": "BGR"
        case "BG24": "RGB"
        case "RG16": "RGB16"
        case "BG16": "BGR16"
        default: nil
        }
    }
}
