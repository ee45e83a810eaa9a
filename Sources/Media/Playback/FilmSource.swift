internal import CGStreamer
internal import PlayerCore

/// Where a film comes from: `uridecodebin`, how the media come, and what of them is loaded. For the film's worker.
final class FilmSource {
    /// `nil` of the test picture.
    let element: Element?
    var capabilities = SourceCapabilities()
    /// `nil` where the queue's own measure is good enough.
    private var readAhead: ReadAhead?

    init(_ location: MediaLocation) throws(MediaFailure) {
        element = location.isTestPicture ? nil : try Element("uridecodebin", name: "source")
        element?.set("uri", to: location.uri)
    }

    /// What is loaded behind the frame that is shown; `nil` where nobody knows.
    func loadedPart(from shown: MediaTime, of duration: MediaTime) -> LoadedPart? {
        if capabilities.isAdaptive {
            return waitingTime().map { LoadedPart(from: shown, of: duration, waiting: $0) }
        }
        return readingPlace().flatMap { LoadedPart(from: shown, of: duration, read: $0.place, ofBytes: $0.size) }
    }

    /// Up to where the server's file has been read, and its size; `nil` of what is in many files.
    func readingPlace() -> (place: Int64, size: Int64)? {
        guard !capabilities.isAdaptive, let server = element?.element("source"),
            let place = server.position(GST_FORMAT_BYTES), let size = server.duration(GST_FORMAT_BYTES)
        else { return nil }
        return (place, size)
    }

    /// Has uridecodebin's queue of the server's bytes hold more than its two seconds, which are the network's, and not the
    /// film's: what comes quickly is little of it.
    func setReadAhead(lasting duration: MediaTime) {
        guard let (_, size) = readingPlace(), let ahead = ReadAhead(ofBytes: size, lasting: duration),
            ahead != readAhead, let element
        else { return }
        readAhead = ahead
        for queue in element.descendants(of: "queue2") {
            queue.set("low-watermark", to: Double(ahead.stop) / Double(ahead.bytes))
            queue.set("high-watermark", to: Double(ahead.start) / Double(ahead.bytes))
            queue.set("max-size-time", to: 0)
            queue.set("max-size-bytes", to: ahead.bytes)
        }
    }

    /// How much of the film waits for its decoders, of video and sound at least; `nil` where no queue tells.
    ///
    /// Neither hlsdemux nor dashdemux nor what is behind them answers a query for buffering (GStreamer 1.22). decodebin's queues
    /// tell how much they hold: those behind the demuxer of a piece in time, those before it in bytes, which are not looked at.
    private func waitingTime() -> MediaTime? {
        element?.descendants(of: "multiqueue").flatMap { waitingTimes(in: $0) }.min()
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

    /// Whether video or sound go through this line of the queue, and not the pieces that they come in.
    private func isBeforeDecoder(_ queue: Element, _ line: Substring) -> Bool {
        guard let entry = queue.pad("sink_\(line)"), let kind = entry.currentCaps?.first?.name,
            kind.hasPrefix("video/") || kind.hasPrefix("audio/"), let before = entry.peer?.parent
        else { return false }
        return !before.isFetcher
    }
}
