internal import CGStreamer
internal import PlayerCore

/// What of HLS and DASH is loaded: GStreamer's queues know. Worker only.
extension FilmPipeline {
    /// How much of the film waits for its decoders, of pictures and sounds at least; `nil` where no queue tells.
    ///
    /// Neither hlsdemux nor dashdemux nor what is behind them answers a query for buffering (GStreamer 1.22). decodebin's queues
    /// tell how much they hold: those behind the demuxer of a piece in time, those before it in bytes, which are not looked at.
    func waitingTime() -> MediaTime? {
        guard let source,
            let queues = gst_bin_iterate_all_by_element_factory_name(source.cast(to: GstBin.self), "multiqueue")
        else { return nil }
        defer { gst_iterator_free(queues) }
        var least: MediaTime?
        var item = GValue()
        // Where the bin changes meanwhile, the next tick asks again.
        while gst_iterator_next(queues, &item) == GST_ITERATOR_OK {
            if let queue = g_value_get_object(&item) {
                for time in waitingTimes(in: UnsafeMutableRawPointer(queue).assumingMemoryBound(to: GstElement.self)) {
                    least = min(least ?? time, time)
                }
            }
            g_value_reset(&item)
        }
        if item.g_type != 0 { g_value_unset(&item) }
        return least
    }

    private func waitingTimes(in queue: UnsafeMutablePointer<GstElement>) -> [MediaTime] {
        var times: [MediaTime] = []
        withStructureProperty(queue, "stats") { stats in
            guard let list = gst_structure_get_value(stats, "queues") else { return }
            for place in 0..<gst_value_array_get_size(list) {
                guard let one = gst_value_array_get_value(list, place), let levels = gst_value_get_structure(one),
                    let name = gst_structure_get_name(levels).map({ String(cString: $0) }), name.hasPrefix("queue_")
                else { continue }
                var time: guint64 = 0
                guard gst_structure_get_uint64(levels, "time", &time) != 0, isBeforeDecoder(queue, name.dropFirst(6)),
                    let waiting = Int64(exactly: time)
                else { continue }
                times.append(MediaTime(nanoseconds: waiting))
            }
        }
        return times
    }

    /// Whether pictures or sounds go through this line of the queue, and not the pieces that they come in.
    private func isBeforeDecoder(_ queue: UnsafeMutablePointer<GstElement>, _ line: Substring) -> Bool {
        guard let entry = gst_element_get_static_pad(queue, "sink_\(line)") else { return false }
        defer { gst_object_unref(entry) }
        guard let caps = gst_pad_get_current_caps(entry) else { return false }
        defer { gst_caps_unref(caps) }
        let kind =
            gst_caps_get_structure(caps, 0).flatMap { gst_structure_get_name($0) }.map { String(cString: $0) } ?? ""
        guard kind.hasPrefix("video/") || kind.hasPrefix("audio/"), let before = gst_pad_get_peer(entry) else {
            return false
        }
        defer { gst_object_unref(before) }
        guard let element = gst_pad_get_parent_element(before) else { return false }
        defer { gst_object_unref(element) }
        return !isFetcher(element.cast(to: GstObject.self))
    }
}
