internal import CTurboJPEG
public import PlayerCore

/// Decodes a sheet's pictures directly into planes of YCbCr: 0.4 ms for 640x360 on a PC, 2.6 to 3.8 ms on a Raspberry
/// Pi 4.
///
/// For one thread at a time. It keeps one JPEG's bytes and libjpeg-turbo's tables, less than 200 KB.
public final class SheetDecoder {
    private let handle: tjhandle
    private var bytes: [UInt8] = []

    public init() throws(SheetError) {
        guard let handle = tjInitDecompress() else {
            throw SheetError(path: "", reason: .jpeg(String(cString: tjGetErrorStr2(nil))))
        }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// Reads a picture and decodes it.
    /// - Parameter planes: of the sheet's size, or of one of `sizes(for:)`, to which the decoder's transform scales.
    /// - Throws: as `ScrubSheet.read`, and if it cannot be decoded; the planes may contain a part of it then.
    @discardableResult
    public func decode(
        _ entry: SheetEntry, of sheet: ScrubSheet, into planes: SheetPlanes
    ) throws(SheetError) -> SheetPicture {
        let picture = try sheet.read(entry, into: &bytes)
        try decode(bytes, of: sheet, into: planes)
        return picture
    }

    /// Decodes bytes that `ScrubSheet.read` read.
    public func decode(_ jpeg: [UInt8], of sheet: ScrubSheet, into planes: SheetPlanes) throws(SheetError) {
        func failure(_ message: String) -> SheetError { SheetError(path: sheet.path, reason: .jpeg(message)) }
        var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard tjDecompressHeader3(handle, jpeg, UInt(jpeg.count), &width, &height, &sampling, &space) == 0 else {
            throw failure(message)
        }
        guard SheetSize(width: Int(width), height: Int(height)) == sheet.size else {
            throw failure("the picture is of \(width)x\(height)")
        }
        guard sampling == TJSAMP_420.rawValue, space == TJCS_YCbCr.rawValue else { throw failure("it is not of 4:2:0") }
        // The library uses the largest of its sizes that fits, which would leave a border.
        guard Self.sizes(for: sheet.size).contains(planes.size) else {
            throw failure("it cannot be scaled to \(planes.size.width)x\(planes.size.height)")
        }
        let parts = [planes.y, planes.cb, planes.cr]
        var starts: [UnsafeMutablePointer<UInt8>?] = parts.map(\.start)
        var strides = parts.map { Int32($0.stride) }
        let status = tjDecompressToYUVPlanes(
            handle, jpeg, UInt(jpeg.count), &starts, Int32(planes.size.width), &strides, Int32(planes.size.height), 0)
        // A warning means damage, too.
        guard status == 0 else { throw failure(message) }
    }

    /// The sizes that pictures of a sheet can be decoded to, in eighths of its own, from the smallest to twice as
    /// large. Half and a quarter cost less than the full size, and larger ones more: a plane that scales costs nothing.
    public static func sizes(for size: SheetSize) -> [SheetSize] {
        var count: Int32 = 0
        guard let factors = tjGetScalingFactors(&count) else { return [size] }
        let all = (0..<Int(count)).map { place in
            let (numerator, denominator) = (Int(factors[place].num), Int(factors[place].denom))
            return SheetSize(
                width: (size.width * numerator + denominator - 1) / denominator,
                height: (size.height * numerator + denominator - 1) / denominator)
        }
        return all.sorted { $0.width < $1.width }
    }

    /// The size of a JPEG.
    static func size(of jpeg: [UInt8], _ path: String) throws(SheetError) -> SheetSize {
        let decoder = try SheetDecoder()
        var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard
            tjDecompressHeader3(decoder.handle, jpeg, UInt(jpeg.count), &width, &height, &sampling, &space) == 0,
            (1...4096).contains(width), (1...4096).contains(height)
        else { throw SheetError(path: path, reason: .jpeg(decoder.message)) }
        return SheetSize(width: Int(width), height: Int(height))
    }

    private var message: String { String(cString: tjGetErrorStr2(handle)) }
}
