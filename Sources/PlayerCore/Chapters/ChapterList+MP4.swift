extension ChapterList {
    /// Reads the contents of an MP4's box `chpl` (Nero's, which most programs write): version, flags, four more bytes
    /// in version 1, the count; then for each chapter its start in tenths of a microsecond, its title's length in
    /// bytes, and the title in UTF-8. A truncated box gives the chapters before the cut.
    public init(chpl bytes: [UInt8]) {
        var rest = bytes[...]
        func number(_ count: Int) -> UInt64? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
        }
        var chapters: [Chapter] = []
        let version = number(1) ?? 0
        rest = rest.dropFirst(version == 0 ? 3 : 7)
        for _ in 0..<(number(1) ?? 0) {
            guard let ticks = number(8), let length = number(1), rest.count >= Int(length) else { break }
            let title = String(decoding: rest.prefix(Int(length)), as: UTF8.self)
            rest = rest.dropFirst(Int(length))
            guard ticks < UInt64(Self.latest.nanoseconds / 100) else { continue }
            chapters.append(
                Chapter(start: MediaTime(nanoseconds: Int64(ticks) * 100), title: title.isEmpty ? nil : title))
        }
        self.init(chapters)
    }
}
