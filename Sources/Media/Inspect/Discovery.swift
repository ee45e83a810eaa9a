internal import CGStreamer
internal import PlayerCore
internal import Synchronization

/// One look of GStreamer's discoverer into a film, which can be broken off: asked to wait for the answer itself, the discoverer
/// would go on for all of its time.
///
/// `@unchecked Sendable` because the context, which locks for itself, is a pointer; what is found belongs to the thread of `run`.
final class Discovery: @unchecked Sendable {
    private let context = g_main_context_new()
    private let isCancelled = Atomic(false)
    private var isDone = false
    /// Of the film, also where it is none; `nil` where GStreamer tells nothing.
    private(set) var info: OpaquePointer?
    private(set) var error: UnsafeMutablePointer<GError>?
    /// Whether the film's server gives out parts of it.
    private(set) var offersRanges = true

    /// What there is no decoder for.
    var missing: [MissingDecoder] { info.map { missingDetails($0).map(MissingDecoder.init) } ?? [] }

    /// Whether what can be decoded is the film: its pictures, where it has any, else its sound. Other tracks are left out.
    var isRead: Bool {
        guard let info else { return false }
        let result = gst_discoverer_info_get_result(info)
        guard result == GST_DISCOVERER_MISSING_PLUGINS else { return result == GST_DISCOVERER_OK }
        let missing = missing
        let kinds = streams { MediaInspection.isDecodable($0, missing) ? Self.kind($0) : nil }
        let needed = missing.contains { $0.isOfPictures } ? ["video"] : ["video", "audio", "subtitles"]
        return !missing.isEmpty && kinds.contains { needed.contains($0 ?? "") }
    }

    /// The streams' names within the file, of those that are video and can be decoded.
    var videoTracks: [String?] {
        streams { ($0, Self.kind($0)) }.filter { $0.1 == "video" }.map { stream, _ in
            gst_discoverer_stream_info_get_stream_id(stream).map { String(cString: $0) }
        }
    }

    private static func kind(_ stream: OpaquePointer) -> String {
        String(cString: gst_discoverer_stream_info_get_stream_type_nick(stream))
    }

    private func streams<Value>(_ ask: (OpaquePointer) -> Value) -> [Value] {
        guard let info, let list = gst_discoverer_info_get_stream_list(info) else { return [] }
        defer { gst_discoverer_stream_info_list_free(list) }
        return sequence(first: list, next: \.pointee.next).compactMap { $0.pointee.data.map { ask(OpaquePointer($0)) } }
    }

    deinit {
        if let info { g_object_unref(UnsafeMutableRawPointer(info)) }
        g_clear_error(&error)
        g_main_context_unref(context)
    }

    /// `run` ends as soon as the film's source lets go of what it reads. Any thread.
    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        g_main_context_wakeup(context)
    }

    /// Blocks until there is an answer, 10 s at most. Once.
    func run(_ location: MediaLocation) throws(MediaFailure) {
        try GStreamer.start()
        // What the discoverer hears and tells, it does where its maker waits.
        g_main_context_push_thread_default(context)
        defer { g_main_context_pop_thread_default(context) }
        guard let discoverer = gst_discoverer_new(10_000_000_000, &error) else {
            throw MediaFailure(reason: .cannotBuild, message: "GStreamer has no discoverer")
        }
        defer { g_object_unref(discoverer) }
        let discovered:
            @convention(c) (
                UnsafeMutablePointer<GstDiscoverer>?, OpaquePointer?, UnsafeMutablePointer<GError>?, gpointer?
            ) -> Void = { _, info, error, data in
                guard let data else { return }
                Unmanaged<Discovery>.fromOpaque(data).takeUnretainedValue().finish(info, error)
            }
        g_signal_connect_data(
            discoverer, "discovered", unsafeBitCast(discovered, to: GCallback.self),
            Unmanaged.passUnretained(self).toOpaque(), nil, .init(rawValue: 0))
        let sourceMade:
            @convention(c) (
                UnsafeMutablePointer<GstDiscoverer>?, UnsafeMutablePointer<GstElement>?, gpointer?
            ) -> Void = { _, source, data in
                guard let source, let data else { return }
                Unmanaged<Discovery>.fromOpaque(data).takeUnretainedValue().listen(to: source)
            }
        g_signal_connect_data(
            discoverer, "source-setup", unsafeBitCast(sourceMade, to: GCallback.self),
            Unmanaged.passUnretained(self).toOpaque(), nil, .init(rawValue: 0))
        gst_discoverer_start(discoverer)
        defer { gst_discoverer_stop(discoverer) }
        gst_discoverer_discover_uri_async(discoverer, location.uri)
        while !isDone, !isCancelled.load(ordering: .acquiring) { g_main_context_iteration(context, 1) }
        if !isDone { throw MediaFailure(reason: .cancelled, message: "\(location.name): nobody waits for it any more") }
    }

    /// Hears what a server says of the film, where the discoverer hears all else: on the bus of its pipeline, in this thread.
    private func listen(to source: UnsafeMutablePointer<GstElement>) {
        var whole = source.cast(to: GstObject.self)
        gst_object_ref(whole)
        while let parent = gst_object_get_parent(whole) {
            gst_object_unref(whole)
            whole = parent
        }
        defer { gst_object_unref(whole) }
        let added: @convention(c) (gpointer?, gpointer?, UnsafeMutablePointer<GstElement>?, gpointer?) -> Void = {
            _, _, element, _ in
            guard let element, let factory = gst_element_get_factory(element),
                takeString(gst_object_get_name(UnsafeMutablePointer<GstObject>(factory))) == "multipartdemux"
            else { return }
            showAtOnce(element)
        }
        g_signal_connect_data(
            whole, "deep-element-added", unsafeBitCast(added, to: GCallback.self), nil, nil, .init(rawValue: 0))
        guard let bus = gst_element_get_bus(whole.cast(to: GstElement.self)) else { return }
        defer { gst_object_unref(bus) }
        let told: @convention(c) (UnsafeMutablePointer<GstBus>?, UnsafeMutablePointer<GstMessage>?, gpointer?) -> Void =
            {
                _, message, data in
                guard let message, let data, let structure = gst_message_get_structure(message) else { return }
                let discovery = Unmanaged<Discovery>.fromOpaque(data).takeUnretainedValue()
                if let offersRanges = Media.offersRanges(structure) { discovery.offersRanges = offersRanges }
            }
        g_signal_connect_data(
            bus, "message::element", unsafeBitCast(told, to: GCallback.self),
            Unmanaged.passUnretained(self).toOpaque(), nil, .init(rawValue: 0))
    }

    private func finish(_ info: OpaquePointer?, _ error: UnsafeMutablePointer<GError>?) {
        isDone = true
        if let info { self.info = OpaquePointer(g_object_ref(UnsafeMutableRawPointer(info))) }
        if let error { self.error = g_error_copy(error) }
    }
}

/// What GStreamer says of each plugin that is missing for a film.
func missingDetails(_ info: OpaquePointer) -> [String] {
    var details = gst_discoverer_info_get_missing_elements_installer_details(info)
    var all: [String] = []
    while let detail = details?.pointee {
        all.append(String(cString: detail))
        details = details?.advanced(by: 1)
    }
    return all
}
