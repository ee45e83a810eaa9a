internal import CGStreamer

/// An MP4's index of its fragments (`mfra`), as the demuxer is to read it.
///
/// It tells when key frames are shown. GStreamer's demuxer takes the first fragment's time for the one where decoding begins: what
/// is sought in there would come later by the time that its first picture waits to be shown.
enum FragmentIndex {
    /// Has the first fragment begin at 0 for whoever reads this file, as where it is read without a seek. Any thread, before it is.
    static func mend(_ source: UnsafeMutablePointer<GstElement>) {
        guard let factory = gst_element_get_factory(source),
            takeString(gst_object_get_name(UnsafeMutablePointer<GstObject>(factory))) == "filesrc",
            let pad = gst_element_get_static_pad(source, "src")
        else { return }
        defer { gst_object_unref(pad) }
        gst_pad_add_probe(
            pad, GstPadProbeType(rawValue: GST_PAD_PROBE_TYPE_PULL.rawValue | GST_PAD_PROBE_TYPE_BUFFER.rawValue),
            { _, info, _ in
                guard let info, let buffer = gst_pad_probe_info_get_buffer(info) else { return GST_PAD_PROBE_OK }
                var head: (UInt32, UInt32) = (0, 0)
                guard gst_buffer_extract(buffer, 0, &head, 8) == 8,
                    UInt32(bigEndian: head.1) == FragmentIndex.name("mfra")
                else {
                    return GST_PAD_PROBE_OK
                }
                var map = GstMapInfo()
                let access = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
                guard gst_buffer_map(buffer, &map, access) != 0 else { return GST_PAD_PROBE_OK }
                FragmentIndex.mend(UnsafeMutableRawBufferPointer(start: map.data, count: Int(map.size)))
                gst_buffer_unmap(buffer, &map)
                return GST_PAD_PROBE_OK
            }, nil, nil)
    }

    /// - Parameter box: `mfra` in whole; anything else stays as it is.
    static func mend(_ box: UnsafeMutableRawBufferPointer) {
        guard box.count >= 8, number(box, 0, 4) == box.count, number(box, 4, 4) == name("mfra") else { return }
        let entries = tables(of: box).flatMap { Self.entries(of: box, $0) }
        guard let first = entries.map(\.fragment).min() else { return }
        for entry in entries where entry.fragment == first {
            for byte in entry.time { box[byte] = 0 }
        }
    }

    private struct Entry {
        /// The bytes of its time.
        var time: Range<Int>
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
            return Entry(time: place..<place + width, fragment: number(box, place + width, width))
        }
    }

    private static func number(_ box: UnsafeMutableRawBufferPointer, _ place: Int, _ width: Int) -> UInt64 {
        box[place..<place + width].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func name(_ text: StaticString) -> UInt64 {
        UnsafeBufferPointer(start: text.utf8Start, count: 4).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
