internal import PlayerCore

/// Roku's Base Index Frames (developer.roku.com, "Trick mode"): the file of a complete sheet. A header of 64 bytes, a
/// table of times and offsets, whose last line has the time FF FF FF FF and the end of the last picture, then the
/// JPEGs. Numbers are little-endian.
enum BIFFormat {
    static let headSize = 64
    static let magic: [UInt8] = [0x89, 0x42, 0x49, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The header and the table.
    /// - Parameter pictures: time and length in bytes, in rising order of time.
    /// - Returns: `nil` if it does not fit the format's 32-bit numbers.
    static func head(_ pictures: [(time: MediaTime, length: Int)]) -> [UInt8]? {
        var bytes = magic
        bytes.append(number: UInt32(0))
        bytes.append(number: UInt32(pictures.count))
        // The unit of times in milliseconds.
        bytes.append(number: UInt32(1))
        bytes += [UInt8](repeating: 0, count: headSize - bytes.count)
        var offset = headSize + 8 * (pictures.count + 1)
        for picture in pictures {
            guard let time = UInt32(exactly: milliseconds(picture.time)), time < .max,
                let place = UInt32(exactly: offset)
            else { return nil }
            bytes.append(number: time)
            bytes.append(number: place)
            offset += picture.length
        }
        guard let end = UInt32(exactly: offset) else { return nil }
        bytes.append(number: UInt32.max)
        bytes.append(number: end)
        return bytes
    }

    /// The table has whole milliseconds, truncated: a picture's stamp has its exact time.
    static func milliseconds(_ time: MediaTime) -> Int64 { time.nanoseconds / 1_000_000 }

    static func isBIF(_ head: UnsafeRawBufferPointer) -> Bool { head.count >= 8 && head[..<8].elementsEqual(magic) }

    /// Reads the header and the table, 16 KB for a track of 1,000 pixels.
    /// - Parameter size: the file's size in bytes.
    static func entries(_ file: borrowing SheetFile, size: Int64) throws(SheetError) -> [SheetEntry] {
        func damaged(_ rule: String) -> SheetError { SheetError(path: file.path, reason: .damaged(rule)) }
        var head = [UInt8](repeating: 0, count: headSize)
        guard try file.read(&head, at: 0) == headSize, head.withUnsafeBytes(isBIF) else {
            throw damaged("it does not begin as a BIF")
        }
        let (version, count, multiplier) = head.withUnsafeBytes {
            ($0.number(at: 8, UInt32.self), Int($0.number(at: 12, UInt32.self)), Int64($0.number(at: 16, UInt32.self)))
        }
        guard version == 0 else { throw damaged("BIF of version \(version)") }
        guard (1...SheetPlan.mostPlaces).contains(count) else { throw damaged("\(count) pictures") }
        var table = [UInt8](repeating: 0, count: 8 * (count + 1))
        guard try file.read(&table, at: Int64(headSize)) == table.count else { throw damaged("the table is cut off") }
        let lines = table.withUnsafeBytes { bytes in
            (0...count).map {
                (bytes.number(at: 8 * $0, UInt32.self), Int64(bytes.number(at: 8 * $0 + 4, UInt32.self)))
            }
        }
        guard lines[count].0 == .max else { throw damaged("the table has no end") }
        var entries: [SheetEntry] = []
        entries.reserveCapacity(count)
        for (line, next) in zip(lines, lines.dropFirst()) {
            let (start, end) = (line.1, next.1)
            // 0 stands for seconds.
            let length = Int128(line.0) * Int128(multiplier == 0 ? 1000 : multiplier) * 1_000_000
            let time = MediaTime(nanoseconds: Int64(clamping: length))
            guard start >= headSize + table.count, end > start, end <= size, end - start <= GrowingFormat.longest,
                time <= .farthest, entries.last.map({ $0.time < time }) ?? true
            else { throw damaged("line \(entries.count + 1) of the table") }
            entries.append(SheetEntry(time: time, offset: start, length: Int(end - start)))
        }
        return entries
    }
}
