// Bug: `qtdemux` takes the times in an MP4's fragment index (mfra), which are presentation times, for decoding times.
// After a seek to before a track's last fragment it also ends the track, unless another fragment follows. Not reported.
// Versions: GStreamer 1.22 and 1.26.
// May go when test_fragments_are_sought_in_exactly of Tests/Rig/test_formats.py passes without it.

internal import CGStreamer
internal import Synchronization

/// An MP4's fragment index (`mfra`), corrected for the demuxer.
///
/// The index gives the presentation times of key frames. GStreamer's demuxer takes the time of a track's first fragment
/// for the start of decoding, so that seeks there would be late by the presentation delay of its first frame.
///
/// If each track has fragments of its own, the demuxer takes a track for ended after a seek before its last one, unless
/// another fragment follows. So an empty one is put in the index's place.
enum FragmentIndex {
    /// Makes the first fragment of each track that starts with the film start at 0, and an empty fragment follow the
    /// last one, for the reader of this file. Any thread, before the file is read.
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

    /// The offset of the index in the file, in bytes, once the demuxer has read it.
    private final class Place: Sendable {
        let offset = Atomic<UInt64>(.max)
    }

    private static func isWhole(_ box: UnsafeMutableRawBufferPointer) -> Bool {
        box.count >= 8 && number(box, 0, 4) == box.count && number(box, 4, 4) == name("mfra")
    }

    /// Turns the index into a fragment (`moof`) of no track.
    ///
    /// It is eight bytes shorter than the index, so that the index is recognised again when it is read in whole, and no
    /// box fits behind it.
    /// - Parameter part: 16 bytes of `mfra`, which the demuxer reads to find a fragment, or that fragment; anything
    ///   else stays the same.
    static func empty(_ part: UnsafeMutableRawBufferPointer) {
        guard part.count >= 16, number(part, 4, 4) == name("mfra") else { return }
        let size = number(part, 0, 4)
        guard size >= 40, part.count == 16 || part.count == size - 8 else { return }
        let words = [size - 8, name("moof"), 16, name("mfhd"), 0, 1, size - 32, name("free")]
        for (at, word) in words.prefix(part.count / 4).enumerated() {
            part.storeBytes(of: UInt32(word).bigEndian, toByteOffset: 4 * at, as: UInt32.self)
        }
    }

    /// - Parameter box: the whole `mfra`; anything else stays the same.
    static func mend(_ box: UnsafeMutableRawBufferPointer) {
        guard isWhole(box) else { return }
        let tracks = tables(of: box).map { Track(entries(of: box, $0)) }
        let second = tracks.compactMap(\.second?.fragment).min()
        for track in tracks where !track.isLate(second) {
            // For each track, because its fragments may be separate from the others'.
            for entry in track.entries where entry.fragment == track.first?.fragment {
                for byte in entry.bytes { box[byte] = 0 }
            }
        }
    }

    private struct Track {
        let entries: [Entry]
        /// The earliest entry of the first fragment, and the entry after it.
        let first: Entry?
        let second: Entry?

        init(_ entries: [Entry]) {
            self.entries = entries
            let start = entries.map(\.fragment).min()
            first = entries.filter { $0.fragment == start }.min { $0.time < $1.time }
            second = entries.filter { $0.fragment != start }.min { $0.fragment < $1.fragment }
        }

        /// Whether the track starts later than the film, as subtitles may: the delay of a first frame is short compared
        /// with a fragment.
        /// - Parameter fragment: the first of the film's fragments that is not the first one of its track.
        func isLate(_ fragment: UInt64?) -> Bool {
            guard let first else { return true }
            if let second { return second.time <= first.time || first.time > (second.time - first.time) / 2 }
            return fragment.map { first.fragment > $0 } ?? false
        }
    }

    private struct Entry {
        var time: UInt64
        /// The bytes of its time.
        var bytes: Range<Int>
        /// The offset of its fragment in the file.
        var fragment: UInt64
    }

    /// The tables of the tracks (`tfra`).
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
        // The width of times and places; behind them are the numbers of run, track and sample, whose widths are given
        // less one.
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
