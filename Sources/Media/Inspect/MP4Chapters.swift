internal import Glibc
internal import PlayerCore
internal import TextFiles

/// The chapters of an MP4, which GStreamer's demuxer ignores.
enum MP4Chapters {
    /// Reads some box headers and the list, 64 KB at most; any thread that may wait for the card.
    /// - Returns: an empty list for any other file.
    static func of(_ path: String) -> ChapterList {
        var status = stat()
        // A pipe must not be opened twice.
        guard FileAddress.withPath(path, { stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return ChapterList()
        }
        let descriptor = FileAddress.withPath(path) { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return ChapterList() }
        defer { close(descriptor) }
        var box = Box(start: 0, end: Int(status.st_size))
        for name in ["moov", "udta", "chpl"] {
            guard let inner = find(name, in: box, descriptor) else { return ChapterList() }
            box = inner
        }
        let size = min(box.end - box.start, 64 << 10)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, count in
            count = max(0, pread(descriptor, room.baseAddress, size, box.start))
        }
        return ChapterList(chpl: bytes)
    }

    /// The contents' place in the file.
    private struct Box {
        var start: Int
        var end: Int
    }

    /// The most boxes that are read, in damaged files, too.
    private static let mostBoxes = 1000

    private static func find(_ name: String, in outer: Box, _ descriptor: Int32) -> Box? {
        var place = outer.start
        for _ in 0..<mostBoxes {
            var head = [UInt8](repeating: 0, count: 16)
            let count = pread(descriptor, &head, head.count, place)
            guard count >= 8 else { return nil }
            func number(_ bytes: ArraySlice<UInt8>) -> UInt { bytes.reduce(0) { $0 << 8 | UInt($1) } }
            // 1: a size of eight bytes follows the name; 0: the box reaches to the file's end.
            let short = number(head[0..<4])
            let isLong = short == 1 && count == 16
            let size = short == 0 ? outer.end - place : Int(clamping: isLong ? number(head[8..<16]) : short)
            let (body, room) = (place + (isLong ? 16 : 8), outer.end - place)
            guard size >= body - place, size <= room else { return nil }
            if head[4..<8].elementsEqual(name.utf8) { return Box(start: body, end: place + size) }
            place += size
            guard place < outer.end else { return nil }
        }
        return nil
    }
}
