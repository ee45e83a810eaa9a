internal import CGStreamer
internal import Dispatch
internal import PlayerCore

/// A film that comes over a network: what of it is loaded, and what its errors mean. Worker only, but for what is public.
extension FilmPipeline {
    /// Asks for one `.buffered`, which comes only where somebody knows: of a film that is one file of a server's, and of HLS and
    /// DASH.
    ///
    /// The server's place in the file is asked, and not uridecodebin's queue, which knows what it holds only with a ring
    /// (`ring-buffer-max-size`): with one, a seek soon after the start writes beside the heap's blocks (GStreamer 1.22; 7 of
    /// 21 starts in the rig with a tracer, none of 19 without the ring).
    public func reportBuffered() {
        worker.async { [self] in
            var shown: gint64 = -1
            guard !isClosed, isReady, let duration = facts.duration,
                withClockedSink({ gst_element_query_position($0, GST_FORMAT_TIME, &shown) != 0 }),
                let part = loadedPart(from: MediaTime(nanoseconds: Int64(shown)), of: duration)
            else { return }
            news.yield(.buffered(part))
        }
    }

    private func loadedPart(from shown: MediaTime, of duration: MediaTime) -> LoadedPart? {
        if delivery.isAdaptive {
            return waitingTime().map { LoadedPart(from: shown, of: duration, waiting: $0) }
        }
        return readingPlace().flatMap { LoadedPart(from: shown, of: duration, read: $0.place, ofBytes: $0.size) }
    }

    /// Up to where the server's file has been read, and its size; `nil` of what is in many files.
    func readingPlace() -> (place: Int64, size: Int64)? {
        guard !delivery.isAdaptive, let source, let found = objectProperty(source, "source") else { return nil }
        defer { gst_object_unref(found) }
        let server = found.assumingMemoryBound(to: GstElement.self)
        var (place, size): (gint64, gint64) = (-1, -1)
        guard gst_element_query_position(server, GST_FORMAT_BYTES, &place) != 0,
            gst_element_query_duration(server, GST_FORMAT_BYTES, &size) != 0
        else { return nil }
        return (Int64(place), Int64(size))
    }

    /// Has uridecodebin's queue of the server's bytes hold more than its two seconds, which are the network's, and not the
    /// film's: what comes quickly is little of it.
    func setReadAhead() {
        guard !location.isLocal, !facts.isLive, let duration = facts.duration, let (_, size) = readingPlace(),
            let ahead = ReadAhead(ofBytes: size, lasting: duration), ahead != readAhead, let source,
            let queues = gst_bin_iterate_all_by_element_factory_name(source.cast(to: GstBin.self), "queue2")
        else { return }
        defer { gst_iterator_free(queues) }
        readAhead = ahead
        // The iterator is given its address, which an optional's is not.
        var given = ahead
        let set: GstIteratorForeachFunction = { item, data in
            guard let item, let data, let queue = g_value_get_object(item) else { return }
            let ahead = data.assumingMemoryBound(to: ReadAhead.self).pointee
            setProperty(queue, "low-watermark", to: Double(ahead.stop) / Double(ahead.bytes))
            setProperty(queue, "high-watermark", to: Double(ahead.start) / Double(ahead.bytes))
            setProperty(queue, "max-size-time", to: 0)
            setProperty(queue, "max-size-bytes", to: ahead.bytes)
        }
        // A bin that changes meanwhile, as decodebin does in the film's first moments, is looked through anew.
        while gst_iterator_foreach(queues, set, &given) == GST_ITERATOR_RESYNC { gst_iterator_resync(queues) }
    }

    /// Sources and the demuxers that fetch for themselves say little of what happened: "Internal data stream error" is a server
    /// that is not there as well as one that has gone.
    func remoteReason(
        _ message: UnsafeMutablePointer<GstMessage>, _ domain: GQuark, _ code: Int32
    ) -> MediaFailure.Reason {
        if message.pointee.src == video.sink.cast(to: GstObject.self) { return .other }
        return switch (domain, code) {
        // Of a film that plays, souphttpsrc says the same when the connection breaks off.
        case (gst_resource_error_quark(), Int32(GST_RESOURCE_ERROR_SEEK.rawValue)) where !isReady: .needsRanges
        case (gst_resource_error_quark(), _): .network
        case (gst_stream_error_quark(), Int32(GST_STREAM_ERROR_FAILED.rawValue)): .network
        case (gst_stream_error_quark(), _) where isFetcher(message.pointee.src): .network
        case (gst_stream_error_quark(), Int32(GST_STREAM_ERROR_TYPE_NOT_FOUND.rawValue)),
            (gst_stream_error_quark(), Int32(GST_STREAM_ERROR_WRONG_TYPE.rawValue)):
            .notMedia
        case (gst_stream_error_quark(), _): .broken
        default: .other
        }
    }

    func isFetcher(_ source: UnsafeMutablePointer<GstObject>?) -> Bool {
        guard let element = source?.cast(to: GstElement.self), let factory = gst_element_get_factory(element),
            let klass = gst_element_factory_get_metadata(factory, "klass")
        else { return false }
        return ["Source", "Adaptive"].contains { String(cString: klass).contains($0) }
    }

    /// With all that the log needs to tell, but for passwords.
    func remoteFailure(
        _ reason: MediaFailure.Reason, _ message: UnsafeMutablePointer<GstMessage>, _ element: String, _ text: String,
        _ debug: String?, _ code: GStreamerCode
    ) -> MediaFailure {
        if reason == .needsRanges {
            return .needsRanges(location.name, details: debug.map { discreet($0) }, code: code)
        }
        let status = httpStatus(of: message, code)
        if status == nil, location.uri.hasPrefix("https:"), !ServerTrust.speaksTLS {
            let package = "glib-networking"
            return MediaFailure(
                reason: .missingPlugin(package: package),
                message: "\(location.name): missing plugin: TLS, for https: sudo apt install \(package)", code: code)
        }
        let doubt = status == nil ? ServerTrust.takeDoubt() : nil
        let number = [code.description, status.map { "HTTP \($0)" }, doubt?.description].compactMap { $0 }
            .joined(separator: ", ")
        return MediaFailure(
            reason: reason,
            message: "\(location.name): Error received from element \(element): \(discreet(text)) (\(number))",
            details: debug.map { discreet($0) }, code: code, httpStatus: status, doubt: doubt)
    }

    /// On one line, and without the address's password: demuxers that fetch for themselves tell the addresses of parts.
    func discreet(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return MediaLocation.withoutPassword(of: location.uri, line)
    }

    private func httpStatus(of message: UnsafeMutablePointer<GstMessage>, _ code: GStreamerCode) -> Int? {
        var details: UnsafePointer<GstStructure>?
        gst_message_parse_error_details(message, &details)
        var status: guint = 0
        // A connection that broke off has 200 where the server sends all from the start: that is no refusal.
        if let details, gst_structure_get_uint(details, "http-status-code", &status) != 0, status >= 400 {
            return Int(status)
        }
        // Of RTSP, whose numbers are HTTP's.
        let refused = GStreamerCode(domain: .resource, number: Int32(GST_RESOURCE_ERROR_NOT_AUTHORIZED.rawValue))
        return code == refused ? 401 : nil
    }
}
