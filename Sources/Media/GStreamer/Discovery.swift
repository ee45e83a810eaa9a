internal import CGStreamer
internal import PlayerCore
internal import Synchronization

/// One run of GStreamer's discoverer on a film, which can be cancelled: in its synchronous call the discoverer would
/// continue until its timeout.
///
/// `@unchecked Sendable` because the context, which locks for itself, is a pointer; results belong to the thread of
/// `run`.
final class Discovery: @unchecked Sendable {
    private let context = g_main_context_new()
    private let isCancelled = Atomic(false)
    private var isDone = false
    /// The results, also if it is no film; `nil` if GStreamer has none.
    private(set) var info: DiscovererInfo?
    private(set) var error: (code: GStreamerCode, message: String)?
    /// Whether the film's server supports range requests.
    private(set) var offersRanges = true
    private let hasTransport = Atomic(false)

    /// Whether the film, or a piece of it, is MPEG-TS. If HLS changes its bitrate, the discoverer does not name the
    /// container.
    var isTransport: Bool { hasTransport.load(ordering: .acquiring) }

    /// The streams without a decoder.
    var missing: [MissingDecoder] { info?.missingDetails.map(MissingDecoder.init) ?? [] }

    /// Whether the decodable streams are the film: its video, if it has any, else its sound. Other tracks are ignored.
    var isRead: Bool {
        guard let info else { return false }
        guard info.result == GST_DISCOVERER_MISSING_PLUGINS else { return info.result == GST_DISCOVERER_OK }
        let missing = missing
        let kinds = info.streams.filter { MediaInspection.isDecodable($0, missing) }.map(\.kind)
        let needed = missing.contains { $0.isVideo } ? ["video"] : ["video", "audio", "subtitles"]
        return !missing.isEmpty && kinds.contains { needed.contains($0) }
    }

    /// The stream ids of decodable video tracks.
    var videoTracks: [String?] { info?.streams.filter { $0.kind == "video" }.map(\.name) ?? [] }

    deinit { g_main_context_unref(context) }

    /// Cancels `run`, which ends as soon as the film's source stops reading. Any thread.
    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        g_main_context_wakeup(context)
    }

    /// Runs the discoverer. Blocks until there is a result, 10 s at most. Once.
    func run(_ location: MediaLocation) throws(MediaFailure) {
        try GStreamer.start()
        // The discoverer receives and reports its messages in the context of its creator.
        g_main_context_push_thread_default(context)
        defer { g_main_context_pop_thread_default(context) }
        guard let raw = gst_discoverer_new(10_000_000_000, nil), let discoverer = Object(owning: raw) else {
            throw MediaFailure(reason: .cannotBuild, message: "GStreamer has no discoverer")
        }
        discoverer.connect("discovered") { [self] values in
            isDone = true
            info = values.object(1).map { DiscovererInfo(sharing: $0) }
            error = values.boxed(2).map { error in
                let error = error.assumingMemoryBound(to: GError.self).pointee
                return (GStreamerCode(error), String(cString: error.message))
            }
        }
        discoverer.connect("source-setup") { [self] in listen(to: $0.element(1)) }
        gst_discoverer_start(raw)
        defer { withExtendedLifetime(discoverer) { gst_discoverer_stop(raw) } }
        gst_discoverer_discover_uri_async(raw, location.uri)
        while !isDone, !isCancelled.load(ordering: .acquiring) { g_main_context_iteration(context, 1) }
        if !isDone { throw MediaFailure(reason: .cancelled, message: "\(location.name): nobody waits for it any more") }
    }

    /// Watches for the server's response, on the same bus as the discoverer and in this thread.
    private func listen(to source: Element) {
        // The discoverer tries a decoder on each stream. A hardware decoder may fail on a stream that the player would
        // not use it for, or crash the program, or be busy with another film.
        if let decoding = source.parent, decoding.factory == "uridecodebin" {
            FilmDecoder(avoiding: AvoidedDecoders(allHardware: true)).choose(in: decoding)
        }
        let whole = sequence(first: source, next: \.parent).reduce(source) { $1 }
        whole.connect("deep-element-added") { [self] values in
            let element = values.element(2)
            if element.factory == "multipartdemux" { showAtOnce(element) }
            if element.factory == "tsdemux" { hasTransport.store(true, ordering: .releasing) }
        }
        whole.bus?.connect("message::element") { [self] values in
            let message = values.boxed(1).map { Message(sharing: $0) }
            if let offersRanges = message?.structure?.offersRanges { self.offersRanges = offersRanges }
        }
    }
}
