internal import PlayerCore

/// The stamp of a picture, in a comment of its JPEG: its film, its frame, and the encoding of its YCbCr.
///
/// With it, a picture of another film is never shown for this one, whatever happened to the file around it, and a
/// damaged picture is recognised before it is decoded. Other programs skip comments.
///
///     offset  bytes
///          0      4  FF D8, FF E0: where a JPEG and its JFIF header begin
///          4     16  the rest of that header, 16 bytes in length
///         20      4  FF FE, 0 54: a comment of 52 bytes and its length
///         24     16  "Vitrine sheet 1" and a zero
///         40      8  the film's size in bytes
///         48      8  the film's hash
///         56      8  the frame's presentation time, ns
///         64      4  how long a frame is shown, µs; 0 where it is unknown
///         68      1  0 unknown, 1 BT.601, 2 BT.709, 3 BT.2020
///         69      1  1: full range
///         70      2  0
///         72      4  CRC-32 of all other bytes of the JPEG
struct SheetStamp: Hashable {
    var film: FilmIdentity
    var time: MediaTime
    /// The duration of a frame; `nil` if unknown.
    var frame: MediaTime?
    /// `nil` if unknown.
    var color: FilmColor?

    private static let start = 20, sum = 72, end = 76
    private static let words = Array("Vitrine sheet 1\0".utf8)
    private static let matrices: [ColorMatrix?] = [nil, .bt601, .bt709, .bt2020]

    /// Inserts the stamp into a JPEG of libjpeg-turbo's.
    /// - Returns: `nil` if it does not start with a JFIF header.
    func stamped(_ jpeg: UnsafeRawBufferPointer) -> [UInt8]? {
        guard jpeg.count > Self.start, Self.beginsAsJFIF(jpeg) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(jpeg.count + Self.end - Self.start)
        bytes += jpeg[..<Self.start]
        bytes += [0xFF, 0xFE, 0, UInt8(Self.end - Self.start - 2)]
        bytes += Self.words
        bytes.append(number: film.size)
        bytes.append(number: film.hash)
        bytes.append(number: time.nanoseconds)
        bytes.append(number: UInt32(clamping: (frame?.nanoseconds ?? 0) / 1000))
        bytes.append(UInt8(Self.matrices.firstIndex { $0 == color?.matrix } ?? 0))
        bytes += [color?.isFullRange == true ? 1 : 0, 0, 0, 0, 0, 0, 0]
        bytes += jpeg[Self.start...]
        bytes.set(bytes.withUnsafeBytes(Self.checksum), at: Self.sum)
        return bytes
    }

    /// Reads a picture's stamp.
    /// - Returns: `nil` if it has none, or if any byte has changed.
    init?(of jpeg: UnsafeRawBufferPointer) {
        guard jpeg.count > Self.end, Self.beginsAsJFIF(jpeg), jpeg[Self.start] == 0xFF, jpeg[Self.start + 1] == 0xFE,
            jpeg[Self.start + 2] == 0, jpeg[Self.start + 3] == UInt8(Self.end - Self.start - 2),
            jpeg[24..<40].elementsEqual(Self.words), Int(jpeg[68]) < Self.matrices.count, jpeg[69] <= 1,
            jpeg.number(at: Self.sum, UInt32.self) == Self.checksum(jpeg)
        else { return nil }
        film = FilmIdentity(size: jpeg.number(at: 40), hash: jpeg.number(at: 48), modified: 0)
        time = MediaTime(nanoseconds: jpeg.number(at: 56))
        guard (MediaTime.zero...MediaTime.farthest).contains(time) else { return nil }
        let length = jpeg.number(at: 64, UInt32.self)
        frame = length > 0 ? MediaTime(nanoseconds: Int64(length) * 1000) : nil
        color = Self.matrices[Int(jpeg[68])].map { FilmColor(matrix: $0, isFullRange: jpeg[69] == 1) }
    }

    init(film: FilmIdentity, time: MediaTime, frame: MediaTime?, color: FilmColor?) {
        (self.film, self.time, self.frame, self.color) = (film, time, frame, color)
    }

    private static func beginsAsJFIF(_ jpeg: UnsafeRawBufferPointer) -> Bool {
        jpeg[..<6].elementsEqual([0xFF, 0xD8, 0xFF, 0xE0, 0, 16])
    }

    private static func checksum(_ jpeg: UnsafeRawBufferPointer) -> UInt32 {
        var sum = CRC32()
        sum.add(UnsafeRawBufferPointer(rebasing: jpeg[..<Self.sum]))
        sum.add(UnsafeRawBufferPointer(rebasing: jpeg[Self.end...]))
        return sum.value
    }
}
