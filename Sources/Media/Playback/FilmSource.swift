internal import CGStreamer
internal import PlayerCore

/// A film's source: `uridecodebin`, its capabilities, and the loaded part. For the film's worker.
final class FilmSource {
    /// `nil` for the test picture.
    let element: Element?
    var capabilities = SourceCapabilities()
    /// `nil` if the queue's own limits are good enough.
    private var readAhead: ReadAhead?

    init(_ location: MediaLocation) throws(MediaFailure) {
        element = location.isTestPicture ? nil : try Element("uridecodebin", name: "source")
        element?.set("uri", to: location.uri)
    }

    /// The part that is loaded behind the shown frame; `nil` if unknown.
    func loadedPart(from shown: MediaTime, of duration: MediaTime) -> LoadedPart? {
        guard capabilities.isAdaptive else { return readPart(from: shown, of: duration) }
        return waitingTime().map { LoadedPart(from: shown, of: duration, waiting: $0) }
    }

    /// The offset up to which the server's file has been read, and its size; `nil` for media in many files.
    func readingPlace() -> (place: Int64, size: Int64)? {
        guard !capabilities.isAdaptive, let server = element?.element("source"),
            let place = server.position(GST_FORMAT_BYTES), let size = server.duration(GST_FORMAT_BYTES)
        else { return nil }
        return (place, size)
    }

    /// Enlarges uridecodebin's queue of the server's bytes. Its default of two seconds is the network's time, not the
    /// film's: over a fast network it holds little of the film.
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

    /// The duration of the film that waits for its decoders, the least of video and sound; `nil` if no queue reports
    /// it.
    ///
    /// Neither hlsdemux nor dashdemux nor the elements behind them answer a buffering query (GStreamer 1.22).
    /// decodebin's queues report their levels: those behind a piece's demuxer in time, those before it in bytes, which
    /// are ignored.
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

    /// Whether video or sound passes this line of the queue, not the pieces that contain them.
    private func isBeforeDecoder(_ queue: Element, _ line: Substring) -> Bool {
        guard let entry = queue.pad("sink_\(line)"), let kind = entry.currentCaps?.first?.name,
            kind.hasPrefix("video/") || kind.hasPrefix("audio/"), let before = entry.peer?.parent
        else { return false }
        return !before.isFetcher
    }
}
