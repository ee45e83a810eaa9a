internal import Media
internal import OSDDrawing
internal import PlayerCore
internal import Synchronization

/// The painter's resources for the on-screen display: letters, pictures, and the painter of the current layout.
///
/// The overlay's worker paints; pictures come from the loop.
final class OSDMaterial: WidgetMaterial {
    private let lettering = Lettering()
    private let painter = Mutex<OSDPainter?>(nil)
    private let pictures = Mutex(Pictures())

    private struct Pictures {
        var pixels: [PictureID: PicturePixels] = [:]
        /// Names are used once: other pixels have another name.
        var last: UInt64 = 0
    }

    /// Stores a picture's pixels, in their displayed size.
    func add(_ pixels: PicturePixels) -> PictureID {
        pictures.withLock { pictures in
            pictures.last += 1
            let id = PictureID(number: pictures.last)
            pictures.pixels[id] = pixels
            return id
        }
    }

    func remove(_ id: PictureID) {
        pictures.withLock { $0.pixels[id] = nil }
    }

    var paint: OverlayPipeline.Paint {
        { model, layout, pixels, stride in
            let painter = self.painter.withLock { known in
                if let known, known.layout == layout { return known }
                let made = OSDPainter(layout: layout, material: self)
                known = made
                return made
            }
            painter.paint(model, into: pixels, stride: stride)
        }
    }

    func letters(of text: String, fontSize: Int, isBold: Bool) -> TextMask? {
        lettering.mask(of: text, fontSize: fontSize, isBold: isBold).map {
            TextMask(width: $0.width, height: $0.height, coverage: $0.coverage)
        }
    }

    func picture(_ id: PictureID, width: Int, height: Int) -> PicturePixels? {
        let picture = pictures.withLock { $0.pixels[id] }
        return picture.flatMap { ($0.width, $0.height) == (width, height) ? $0 : nil }
    }
}
