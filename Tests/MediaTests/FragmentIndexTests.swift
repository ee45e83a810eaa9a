import Testing

@testable import Media

/// The index of an MP4's fragments, corrected for GStreamer's demuxer.
struct FragmentIndexTests {
    private func box(_ name: String, _ contents: [UInt8], size: Int? = nil) -> [UInt8] {
        bytes(UInt64(size ?? contents.count + 8), 4) + Array(name.utf8) + contents
    }

    private func bytes(_ number: UInt64, _ width: Int) -> [UInt8] {
        (1...width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (width - $0))) }
    }

    /// A track's table: times, and the places of their fragments.
    private func table(_ entries: [(UInt64, UInt64)], version: UInt8, lengths: UInt8 = 0, count: Int? = nil) -> [UInt8]
    {
        let width = version == 1 ? 8 : 4
        let rest = [UInt8](repeating: 1, count: Int(lengths >> 4 & 3) + Int(lengths >> 2 & 3) + Int(lengths & 3) + 3)
        let list = entries.flatMap { bytes($0, width) + bytes($1, width) + rest }
        return box(
            "tfra",
            [version, 0, 0, 0] + bytes(1, 4) + [0, 0, 0, lengths] + bytes(UInt64(count ?? entries.count), 4) + list)
    }

    private func mended(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes.withUnsafeMutableBytes { FragmentIndex.mend($0) }
        return bytes
    }

    private func emptied(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes.withUnsafeMutableBytes { FragmentIndex.empty($0) }
        return bytes
    }

    @Test(arguments: [(0, 0), (1, 0), (1, 0b01_10_11)] as [(UInt8, UInt8)])
    func `key frames of the first fragment begin at 0, in each track's table`(version: UInt8, lengths: UInt8) {
        let end = box("mfro", bytes(16, 4) + bytes(16, 4))
        func index(_ first: UInt64, _ second: UInt64, sound: UInt64) -> [UInt8] {
            box(
                "mfra",
                table([(first, 1000), (second, 1000), (25_600, 9000)], version: version, lengths: lengths)
                    + table([(48_000, 9000), (sound, 1000)], version: version, lengths: lengths) + end)
        }
        #expect(mended(index(1024, 6144, sound: 7)) == index(0, 0, sound: 0))
    }

    /// Times and places, before and after: of frames and of sound.
    static let apart: [([[(UInt64, UInt64)]], [[UInt64]])] = [
        ([[(1024, 1000), (26_624, 5000)], [(7, 3000), (96_000, 7000)]], [[0, 26_624], [0, 96_000]]),
        ([[(1024, 3000), (26_624, 7000)], [(7, 1000), (96_000, 5000)]], [[0, 26_624], [0, 96_000]]),
        // Three of sound before the first of video, which contains two key frames.
        (
            [
                [(1024, 4000), (13_824, 4000), (26_624, 8000)],
                [(7, 1000), (48_000, 2000), (96_000, 3000), (144_000, 7000)],
            ],
            [[0, 0, 26_624], [0, 48_000, 96_000, 144_000]]
        ),
        // Texts that start later: in many fragments, in one.
        (
            [[(1024, 1000), (26_624, 5000)], [(3000, 6000), (5000, 7000)], [(3000, 6500)]],
            [[0, 26_624], [3000, 5000], [3000]]
        ),
        // In another order than in the file; and a track without any.
        ([[(26_624, 9000), (1024, 4000)], [(7, 1000)], []], [[26_624, 0], [0], []]),
    ]

    @Test(arguments: apart, [0, 1] as [UInt8])
    func `each track's first fragment begins at 0 where each has its own`(
        film: (tables: [[(UInt64, UInt64)]], times: [[UInt64]]), version: UInt8
    ) {
        func index(_ tables: [[(UInt64, UInt64)]]) -> [UInt8] {
            box("mfra", tables.flatMap { table($0, version: version) } + box("mfro", bytes(0, 8)))
        }
        let after: [[(UInt64, UInt64)]] = zip(film.tables, film.times).map { table, times in
            zip(times, table).map { ($0, $1.1) }
        }
        #expect(mended(index(film.tables)) == index(after))
    }

    @Test func `behind the last fragment there is an empty one`() {
        let index = box("mfra", table([(1024, 1000)], version: 1) + box("mfro", bytes(0, 8)))
        let rest = [UInt8](index.dropFirst(32).dropLast(8))
        let fragment = box("moof", box("mfhd", bytes(1, 8)) + box("free", rest))
        #expect(emptied(Array(index.prefix(16))) == Array(fragment.prefix(16)))
        #expect(emptied(index.dropLast(8)) == fragment)
    }

    @Test func `what cannot be one stays as it is`() {
        let index = box("mfra", table([(1024, 1000)], version: 1))
        let (zeros, head) = ([UInt8](repeating: 0, count: 8), Array(box("mdat", index).prefix(16)))
        let parts: [[UInt8]] = [
            index, index.dropLast(), Array(index.prefix(15)), Array(index.prefix(17)), head, [], box("mfra", []),
            box("mfra", zeros, size: 39), box("mfra", zeros, size: 0), box("mfra", zeros, size: 1),
        ]
        for part in parts {
            #expect(emptied(part) == part)
        }
        let most = emptied(box("mfra", zeros, size: 0xFFFF_FFFF))
        #expect(most == box("moof", bytes(16, 4) + Array("mfhd".utf8), size: 0xFFFF_FFF7))
        let least = emptied(box("mfra", [UInt8](repeating: 7, count: 24), size: 40))
        #expect(least == box("moof", box("mfhd", bytes(1, 8)) + box("free", [])))
    }

    @Test func `another box, a part of one, and damaged ones stay as they are`() {
        let table = table([(1024, 1000)], version: 0)
        for whole in [
            box("mdat", table), Array(box("mfra", table).dropLast()),
            box("mfra", box("free", Array(table.dropFirst(8)))),
            box("mfra", []), box("mfra", box("tfra", [0, 0, 0, 0])), box("mfra", box("tfra", [], size: 7)),
            box("mfra", box("tfra", Array(table.dropFirst(8)), size: 4000)), [], [0, 0, 0],
        ] {
            #expect(mended(whole) == whole)
        }
        // As many as fit.
        let many = box("mfra", self.table([(1024, 1000)], version: 0, count: 0xFFFF_FFFF))
        #expect(mended(many) == box("mfra", self.table([(0, 1000)], version: 0, count: 0xFFFF_FFFF)))
    }
}
