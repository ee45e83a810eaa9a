// Bug: `qtdemux` takes the times of an MP4's index of fragments (mfra), when a key frame is shown, for those of decoding; and ends a
// track that it is sought in before the track's last fragment if no other fragment follows. Not reported.
// Versions: GStreamer 1.22 and 1.26.
// May go when test_fragments_are_sought_in_exactly of Tests/Rig/test_formats.py passes without it.

internal import CGStreamer
internal import Synchronization

/// An MP4's index of its fragments (`mfra`), as the demuxer is to read it.
///
/// It tells when key frames are shown. GStreamer's demuxer takes the time of a track's first fragment for the one where decoding
/// begins: what is sought in there would come later by the time that its first frame waits to be shown.
///
/// Where each track has fragments of its own, the demuxer, sought to before a track's last one, takes the track for ended there if
/// no other fragment follows: so one does, an empty one in the index's place.
enum FragmentIndex {
    /// Has the first fragment of each track that begins with the film begin at 0 for whoever reads this file, and a fragment
    /// with nothing in it follow the last one. Any thread, before it is read.
    static func mend(_ source: Element) {
        guard source.factory == "filesrc" else { return }
        let index = Place()
        source.pad("src")?.probe([GST_PAD_PROBE_TYPE_PULL, GST_PAD_PROBE_TYPE_BUFFER]) { _, info in
            let isIndex = info.buffer?.withBytes(GST_MAP_READ) { $0.count >= 8 && number($0, 4, 4) == name("mfra") }
            guard let buffer = info.buffer, isIndex == true else { return GST_PAD_PROBE_OK }
            _ = buffer.withBytes([GST_MAP_READ, GST_MAP_WRITE]) { bytes in
                if isWhole(bytes) {
                    mend(bytes)
                    index.offset.store(buffer.offset, ordering: .relaxed)
                } else if index.offset.load(ordering: .relaxed) == buffer.offset {
                    empty(bytes)
                }
            }
            return GST_PAD_PROBE_OK
        }
    }

    /// Where in the file the index is, in bytes, once the demuxer has read it.
    private final class Place: Sendable {
        let offset = Atomic<UInt64>(.max)
    }

    private static func isWhole(_ box: UnsafeMutableRawBufferPointer) -> Bool {
        box.count >= 8 && number(box, 0, 4) == box.count && number(box, 4, 4) == name("mfra")
    }

    /// Makes it a fragment (`moof`) of no track.
    ///
    /// Eight bytes shorter than the index, so that it is known again when it is read in whole, and no box fits in behind it.
    /// - Parameter part: what is looked at of `mfra` to find a fragment, 16 bytes, or that fragment; anything else stays as it is.
    static func empty(_ part: UnsafeMutableRawBufferPointer) {
        guard part.count >= 16, number(part, 4, 4) == name("mfra") else { return }
        let size = number(part, 0, 4)
        guard size >= 40, part.count == 16 || part.count == size - 8 else { return }
        let words = [size - 8, name("moof"), 16, name("mfhd"), 0, 1, size - 32, name("free")]
        for (at, word) in words.prefix(part.count / 4).enumerated() {
            part.storeBytes(of: UInt32(word).bigEndian, toByteOffset: 4 * at, as: UInt32.self)
        }
    }

    /// - Parameter box: `mfra` in whole; anything else stays as it is.
    static func mend(_ box: UnsafeMutableRawBufferPointer) {
        guard isWhole(box) else { return }
        let tracks = tables(of: box).map { Track(entries(of: box, $0)) }
        let second = tracks.compactMap(\.second?.fragment).min()
        for track in tracks where !track.isLate(second) {
            // Each track's own, as its fragments may be apart from the other ones'.
            for entry in track.entries where entry.fragment == track.first?.fragment {
                for byte in entry.bytes { box[byte] = 0 }
            }
        }
    }

    private struct Track {
        let entries: [Entry]
        /// The earliest of its first fragment, and of what follows that.
        let first: Entry?
        let second: Entry?

        init(_ entries: [Entry]) {
            self.entries = entries
            let start = entries.map(\.fragment).min()
            first = entries.filter { $0.fragment == start }.min { $0.time < $1.time }
            second = entries.filter { $0.fragment != start }.min { $0.fragment < $1.fragment }
        }

        /// Whether it begins later than the film, texts for example: the wait for a first frame is short beside a fragment.
        /// - Parameter fragment: the first of the film's fragments that is not the first one of its track.
        func isLate(_ fragment: UInt64?) -> Bool {
            guard let first else { return true }
            if let second { return second.time <= first.time || first.time > (second.time - first.time) / 2 }
            return fragment.map { first.fragment > $0 } ?? false
        }
    }

    private struct Entry {
        var time: UInt64
        /// Those of its time.
        var bytes: Range<Int>
        /// Where its fragment is in the file.
        var fragment: UInt64
    }

    /// Where the tables of the tracks (`tfra`) are.
    private static func tables(of box: UnsafeMutableRawBufferPointer) -> [Range<Int>] {
        var (tables, place) = ([Range<Int>](), 8)
        while place + 8 <= box.count {
            let size = number(box, place, 4)
            guard size >= 8, size <= box.count - place else { break }
            if number(box, place + 4, 4) == name("tfra") { tables.append(place..<place + Int(size)) }
            place += Int(size)
        }
        return tables
    }

    private static func entries(of box: UnsafeMutableRawBufferPointer, _ table: Range<Int>) -> [Entry] {
        let list = table.lowerBound + 24
        guard list <= table.upperBound else { return [] }
        // Of times and places; behind them the numbers of run, track and sample, whose lengths are told less one.
        let width = box[table.lowerBound + 8] == 1 ? 8 : 4
        let lengths = Int(box[table.lowerBound + 19])
        let size = 2 * width + (lengths >> 4 & 3) + (lengths >> 2 & 3) + (lengths & 3) + 3
        let count = min(Int(number(box, table.lowerBound + 20, 4)), (table.upperBound - list) / size)
        return (0..<count).map { entry in
            let place = list + entry * size
            return Entry(
                time: number(box, place, width), bytes: place..<place + width,
                fragment: number(box, place + width, width))
        }
    }

    private static func number(_ box: UnsafeMutableRawBufferPointer, _ place: Int, _ width: Int) -> UInt64 {
        box[place..<place + width].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func name(_ text: StaticString) -> UInt64 {
        UnsafeBufferPointer(start: text.utf8Start, count: 4).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
