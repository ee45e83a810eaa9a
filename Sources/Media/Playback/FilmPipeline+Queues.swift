internal import PlayerCore

/// What of HLS and DASH is loaded: GStreamer's queues know. Worker only.
extension FilmPipeline {
    /// How much of the film waits for its decoders, of pictures and sounds at least; `nil` where no queue tells.
    ///
    /// Neither hlsdemux nor dashdemux nor what is behind them answers a query for buffering (GStreamer 1.22). decodebin's queues
    /// tell how much they hold: those behind the demuxer of a piece in time, those before it in bytes, which are not looked at.
    func waitingTime() -> MediaTime? {
        source?.descendants(of: "multiqueue").flatMap { waitingTimes(in: $0) }.min()
    }

    private func waitingTimes(in queue: Element) -> [MediaTime] {
        var times: [MediaTime] = []
        queue.withStructure("stats") { stats in
            for levels in stats.structures("queues") where levels.name.hasPrefix("queue_") {
                if let time = levels.uint64("time").flatMap({ Int64(exactly: $0) }),
                    isBeforeDecoder(queue, levels.name.dropFirst(6))
                {
                    times.append(MediaTime(nanoseconds: time))
                }
            }
        }
        return times
    }

    /// Whether pictures or sounds go through this line of the queue, and not the pieces that they come in.
    private func isBeforeDecoder(_ queue: Element, _ line: Substring) -> Bool {
        guard let entry = queue.pad("sink_\(line)"), let kind = entry.currentCaps?.first?.name,
            kind.hasPrefix("video/") || kind.hasPrefix("audio/"), let before = entry.peer?.parent
        else { return false }
        return !before.isFetcher
    }
}
