internal import Media
internal import OSDDrawing
internal import PlayerCore
internal import ScrubSheet

/// Reads a sheet's pictures into memory, one call after another: for a filmstrip, a poster, a still image.
///
/// `@unchecked Sendable` because its calls follow one another; they may be on different threads.
final class SheetReader: @unchecked Sendable {
    let sheet: ScrubSheet
    private var decoder: SheetDecoder?
    private var planes: [UInt8]

    init(_ sheet: ScrubSheet) {
        self.sheet = sheet
        planes = [UInt8](repeating: 0, count: SheetPlanes.byteCount(of: sheet.size))
    }

    /// Reads one picture. Blocks for the disk and the decoder.
    /// - Parameter body: gets the picture, I420 without gaps, of the sheet's size.
    /// - Returns: `nil` if it cannot be read.
    func read<Result>(_ entry: SheetEntry, _ body: (UnsafeRawBufferPointer, FilmColor) -> Result?) -> Result? {
        if decoder == nil { decoder = try? SheetDecoder() }
        guard let decoder else { return nil }
        return planes.withUnsafeMutableBufferPointer { memory in
            guard let start = memory.baseAddress,
                let picture = try? decoder.decode(
                    entry, of: sheet, into: SheetPlanes(size: sheet.size, packedIn: start))
            else { return nil }
            return body(UnsafeRawBufferPointer(memory), picture.color ?? FilmColor(matrix: .bt709))
        }
    }

    /// Reads one picture for the on-screen display, cropped to a shape.
    func pixels(_ entry: SheetEntry, _ thumbnail: SheetThumbnail) -> PicturePixels? {
        read(entry) { thumbnail.pixels(of: $0, $1) }
            .map { PicturePixels(width: thumbnail.width, height: thumbnail.height, pixels: $0) }
    }
}

extension SheetThumbnail {
    convenience init(of sheet: ScrubSheet, width: Int, height: Int) {
        self.init(sheetWidth: sheet.size.width, sheetHeight: sheet.size.height, width: width, height: height)
    }
}
