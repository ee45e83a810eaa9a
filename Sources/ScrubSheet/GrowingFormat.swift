internal import PlayerCore

/// The file of a growing sheet: a header of 64 bytes, then one record after another. Numbers are little-endian. A power
/// cut loses only the data that was written last.
///
///     header: 0  8  "VITSHEET"                    record: 0  4  "VPIC"
///             8  4  version: 1                            4  4  the JPEG's length in bytes
///            12  4  number of places                      8  8  presentation time, ns
///            16  8  the film's size in bytes             16  4  CRC-32 of the 16 bytes before
///            24  8  the film's hash                      20     the JPEG, which has its own (`SheetStamp`)
///            32  8  when the film was changed, s
///            40  8  the film's duration, ns
///            48  4  how long a frame is shown, µs
///            52  2  width
///            54  2  height
///            56  4  0
///            60  4  CRC-32 of the 60 bytes before
enum GrowingFormat {
    static let headerSize = 64, recordHeadSize = 20
    /// The longest picture of a sheet, in bytes.
    static let longest = 1 << 20

    struct Header: Hashable {
        var film: FilmIdentity
        var plan: SheetPlan
        var frame: MediaTime?
        var size: SheetSize

        var bytes: [UInt8] {
            var bytes = Array("VITSHEET".utf8)
            bytes.append(number: UInt32(1))
            bytes.append(number: UInt32(plan.count))
            bytes.append(number: film.size)
            bytes.append(number: film.hash)
            bytes.append(number: film.modified)
            bytes.append(number: plan.duration.nanoseconds)
            bytes.append(number: UInt32(clamping: (frame?.nanoseconds ?? 0) / 1000))
            bytes.append(number: UInt16(clamping: size.width))
            bytes.append(number: UInt16(clamping: size.height))
            bytes.append(number: UInt32(0))
            bytes.append(number: bytes.withUnsafeBytes(checksum))
            return bytes
        }

        init(film: FilmIdentity, plan: SheetPlan, frame: MediaTime?, size: SheetSize) {
            (self.film, self.plan, self.frame, self.size) = (film, plan, frame, size)
        }

        init?(_ bytes: UnsafeRawBufferPointer) {
            guard bytes.count >= headerSize, bytes[..<8].elementsEqual("VITSHEET".utf8),
                bytes.number(at: 8, UInt32.self) == 1,
                bytes.number(at: 60, UInt32.self) == checksum(UnsafeRawBufferPointer(rebasing: bytes[..<60])),
                let plan = SheetPlan(
                    duration: MediaTime(nanoseconds: bytes.number(at: 40)),
                    count: Int(bytes.number(at: 12, UInt32.self)))
            else { return nil }
            film = FilmIdentity(size: bytes.number(at: 16), hash: bytes.number(at: 24), modified: bytes.number(at: 32))
            self.plan = plan
            let frame = Int64(bytes.number(at: 48, UInt32.self)) * 1000
            self.frame = frame > 0 ? MediaTime(nanoseconds: frame) : nil
            size = SheetSize(
                width: Int(bytes.number(at: 52, UInt16.self)), height: Int(bytes.number(at: 54, UInt16.self)))
            // The same limits as for a JPEG of a BIF.
            guard (2...4096).contains(size.width), (2...4096).contains(size.height), size.width % 2 == 0,
                size.height % 2 == 0
            else { return nil }
        }
    }

    static func recordHead(_ time: MediaTime, _ length: Int) -> [UInt8] {
        var bytes = Array("VPIC".utf8)
        bytes.append(number: UInt32(length))
        bytes.append(number: time.nanoseconds)
        bytes.append(number: bytes.withUnsafeBytes(checksum))
        return bytes
    }

    /// Reads the record headers from `end` on, the end of the known ones.
    /// - Parameter size: the file's size; a record that reaches beyond it is incomplete.
    /// - Returns: where the last complete record ends.
    static func scan(
        _ file: borrowing SheetFile, from end: Int64, size: Int64, _ found: (SheetEntry) -> Void
    ) throws(SheetError) -> Int64 {
        var (end, head, count) = (end, [UInt8](repeating: 0, count: recordHeadSize), 0)
        while count < SheetPlan.mostPlaces, end + Int64(recordHeadSize) <= size {
            guard try file.read(&head, at: end) == recordHeadSize,
                let (time, length) = head.withUnsafeBytes(parseRecordHead)
            else { break }
            let start = end + Int64(recordHeadSize)
            guard start + Int64(length) <= size else { break }
            found(SheetEntry(time: time, offset: start, length: length))
            end = start + Int64(length)
            count += 1
        }
        return end
    }

    private static func parseRecordHead(_ bytes: UnsafeRawBufferPointer) -> (time: MediaTime, length: Int)? {
        let length = Int(bytes.number(at: 4, UInt32.self))
        let time = MediaTime(nanoseconds: bytes.number(at: 8))
        guard bytes[..<4].elementsEqual("VPIC".utf8), (1...longest).contains(length),
            (MediaTime.zero...MediaTime.farthest).contains(time),
            bytes.number(at: 16, UInt32.self) == checksum(UnsafeRawBufferPointer(rebasing: bytes[..<16]))
        else { return nil }
        return (time, length)
    }

    private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var sum = CRC32()
        sum.add(bytes)
        return sum.value
    }
}
