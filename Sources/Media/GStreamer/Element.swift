internal import CGStreamer
internal import PlayerCore

/// An element, a bin or a pipeline.
class Element: Object, @unchecked Sendable {
    var raw: UnsafeMutablePointer<GstElement> { object.assumingMemoryBound(to: GstElement.self) }
    private var bin: UnsafeMutablePointer<GstBin> { object.assumingMemoryBound(to: GstBin.self) }

    /// Creates an element from a factory.
    convenience init(_ factory: String, name: String? = nil) throws(MediaFailure) {
        guard let element = gst_element_factory_make(factory, name) else {
            let package = DebianPackage.having(element: factory)
            let remedy = package.map { ": sudo apt install \($0)" } ?? ""
            throw MediaFailure(
                reason: .missingPlugin(package: package),
                message: "Unable to build pipeline: GStreamer has no element \"\(factory)\"\(remedy)",
                code: .missingPlugin)
        }
        self.init(sinking: element)
    }

    convenience init(pipeline name: String) { self.init(sinking: gst_pipeline_new(name)) }

    /// Creates a pipeline from a `gst-launch` description. Its elements are in Debian's gstreamer1.0-plugins-good at
    /// most.
    convenience init(parsing line: String) throws(MediaFailure) {
        var error: UnsafeMutablePointer<GError>?
        guard let pipeline = gst_parse_launch(line, &error) else {
            let text = takeError(&error)?.message ?? "unknown reason"
            throw MediaFailure(
                reason: .missingPlugin(package: "gstreamer1.0-plugins-good"),
                message: "Unable to build pipeline: \(text): sudo apt install gstreamer1.0-plugins-good")
        }
        g_clear_error(&error)
        self.init(sinking: pipeline)
    }

    /// The factory's name; `nil` if the element has no factory.
    var factory: String? {
        gst_element_get_factory(raw).flatMap { takeString(gst_object_get_name(UnsafeMutablePointer<GstObject>($0))) }
    }

    /// The factory's class, such as "Codec/Decoder/Video"; empty without a factory.
    var factoryClass: String {
        gst_element_get_factory(raw).flatMap { gst_element_factory_get_metadata($0, GST_ELEMENT_METADATA_KLASS) }
            .map { String(cString: $0) } ?? ""
    }

    /// Whether the element fetches media by itself.
    var isFetcher: Bool { ["Source", "Adaptive"].contains { factoryClass.contains($0) } }

    /// The bin that contains the element.
    var parent: Element? { Element(owning: gst_object_get_parent(object.assumingMemoryBound(to: GstObject.self))) }

    /// Sets the URI of a URI handler.
    func setURI(_ uri: String) { gst_uri_handler_set_uri(OpaquePointer(object), uri, nil) }

    /// Whether the element handles GStreamer's navigation events (mouse and touch).
    var isNavigation: Bool {
        g_type_check_instance_is_a(object.assumingMemoryBound(to: GTypeInstance.self), gst_navigation_get_type()) != 0
    }

    /// The pipeline no longer waits for this sink's EOS.
    func unmarkSink() {
        g_mutex_lock(&raw.pointee.object.lock)
        raw.pointee.object.flags &= ~GST_ELEMENT_FLAG_SINK.rawValue
        g_mutex_unlock(&raw.pointee.object.lock)
    }
}

/// States.
extension Element {
    @discardableResult
    func set(_ state: GstState) -> GstStateChangeReturn { gst_element_set_state(raw, state) }

    /// The state, without waiting.
    var state: (result: GstStateChangeReturn, current: GstState, pending: GstState) {
        var (current, pending) = (GST_STATE_NULL, GST_STATE_NULL)
        let result = gst_element_get_state(raw, &current, &pending, 0)
        return (result, current, pending)
    }

    func syncStateWithParent() { gst_element_sync_state_with_parent(raw) }

    /// Locks the state, so that it does not follow the bin's.
    func lockState(_ isLocked: Bool) { gst_element_set_locked_state(raw, isLocked ? 1 : 0) }

    /// The clock time at which the running time is 0.
    var baseTime: GstClockTime {
        get { gst_element_get_base_time(raw) }
        set { gst_element_set_base_time(raw, newValue) }
    }

    var startTime: GstClockTime {
        get { gst_element_get_start_time(raw) }
        set { gst_element_set_start_time(raw, newValue) }
    }
}

/// Pads, and the contents of a bin.
extension Element {
    func pad(_ name: String) -> Pad? { Pad(owning: gst_element_get_static_pad(raw, name)) }

    func requestPad(_ name: String) -> Pad? { Pad(owning: gst_element_request_pad_simple(raw, name)) }

    var sourcePads: [Pad] { all(gst_element_iterate_src_pads(raw)) }

    func child(_ name: String) -> Element? { Element(owning: gst_bin_get_by_name(bin, name)) }

    /// All elements in the bin and in nested bins.
    var descendants: [Element] { all(gst_bin_iterate_recurse(bin)) }

    /// All elements of one factory.
    func descendants(of factory: String) -> [Element] {
        all(gst_bin_iterate_all_by_element_factory_name(bin, factory))
    }

    func add(_ element: Element) { gst_bin_add(bin, element.raw) }

    /// Adds a chain of elements, and links each to the next.
    /// - Parameter what: the chain's name, as "the film's branch".
    func add(_ chain: [Element], as what: String) throws(MediaFailure) {
        for element in chain { add(element) }
        for (from, to) in zip(chain, chain.dropFirst()) where gst_element_link(from.raw, to.raw) == 0 {
            throw MediaFailure(unlinked: "\(what) does not link")
        }
    }

    func recalculateLatency() { gst_bin_recalculate_latency(bin) }

    /// The latency that the pipeline set for a sink of a live source: how much later than its buffers' times it plays.
    var sinkLatency: GstClockTime {
        gst_base_sink_get_latency(UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstBaseSink.self))
    }

    /// The items of an iterator; it starts again if an item is added or removed meanwhile.
    private func all<Item: Object>(_ iterator: UnsafeMutablePointer<GstIterator>?) -> [Item] {
        guard let iterator else { return [] }
        defer { gst_iterator_free(iterator) }
        var (value, items) = (GValue(), [Item]())
        defer { if value.g_type != 0 { g_value_unset(&value) } }
        while true {
            switch gst_iterator_next(iterator, &value) {
            case GST_ITERATOR_OK:
                if let item = g_value_get_object(&value) { items.append(Item(sharing: item)) }
                g_value_reset(&value)
            case GST_ITERATOR_RESYNC:
                gst_iterator_resync(iterator)
                items = []
            default: return items
            }
        }
    }
}

/// Events, messages and queries.
extension Element {
    /// - Returns: whether the event was handled.
    func send(_ event: Event) -> Bool { gst_element_send_event(raw, gst_event_ref(event.raw)) != 0 }

    var bus: Bus? { Bus(owning: gst_element_get_bus(raw)) }

    /// Posts an application message.
    func post(_ name: String, _ texts: [String: String?] = [:], caps: Caps? = nil, seqnum: UInt32? = nil) {
        let structure = gst_structure_new_empty(name)
        func set(_ field: String, _ type: GType, _ fill: (UnsafeMutablePointer<GValue>) -> Void) {
            var value = GValue()
            g_value_init(&value, type)
            fill(&value)
            gst_structure_take_value(structure, field, &value)
        }
        for case (let field, let text?) in texts { set(field, FundamentalType.string) { g_value_set_string($0, text) } }
        if let caps { set("caps", gst_caps_get_type()) { g_value_set_boxed($0, caps.raw) } }
        let message = gst_message_new_application(object.assumingMemoryBound(to: GstObject.self), structure)
        if let seqnum { gst_message_set_seqnum(message, seqnum) }
        gst_element_post_message(raw, message)
    }

    /// The position in the format's unit.
    func position(_ format: GstFormat = GST_FORMAT_TIME) -> Int64? {
        var position: gint64 = -1
        return gst_element_query_position(raw, format, &position) != 0 ? Int64(position) : nil
    }

    func duration(_ format: GstFormat = GST_FORMAT_TIME) -> Int64? {
        var duration: gint64 = -1
        return gst_element_query_duration(raw, format, &duration) != 0 ? Int64(duration) : nil
    }

    func seek(to place: Int64, _ flags: GstSeekFlags) -> Bool {
        gst_element_seek_simple(raw, GST_FORMAT_TIME, flags, gint64(place)) != 0
    }

    /// Whether seeking is possible; `nil` if nothing answers the query.
    var isSeekable: Bool? {
        let query = gst_query_new_seeking(GST_FORMAT_TIME)
        defer { gst_query_unref(query) }
        guard gst_element_query(raw, query) != 0 else { return nil }
        var seekable: gboolean = 0
        gst_query_parse_seeking(query, nil, &seekable, nil, nil)
        return seekable != 0
    }
}

/// Data for `appsrc`, and from `appsink`.
extension Element {
    private var source: UnsafeMutablePointer<GstAppSrc> { object.assumingMemoryBound(to: GstAppSrc.self) }
    private var sink: UnsafeMutablePointer<GstAppSink> { object.assumingMemoryBound(to: GstAppSink.self) }

    /// Pushes a sample, and then EOS.
    func pushOnly(_ sample: Sample) {
        gst_app_src_push_sample(source, sample.raw)
        gst_app_src_end_of_stream(source)
    }

    /// Pushes a buffer of this size, which `fill` writes.
    func push(_ size: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        push(gst_buffer_new_allocate(nil, gsize(size), nil), fill)
    }

    /// Pushes a buffer from a pool, which `fill` writes. Without a buffer `fill` is not called. The buffer is lost if
    /// it is refused, as while flushing or after an error.
    func push(from pool: BufferPool, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        if let buffer = pool.acquire() { push(buffer, fill) }
    }

    private func push(_ buffer: UnsafeMutablePointer<GstBuffer>, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
        if Buffer(raw: buffer).withBytes(GST_MAP_WRITE, fill) == nil {
            gst_buffer_unref(buffer)
        } else {
            gst_app_src_push_buffer(source, buffer)
        }
    }

    func endStream() { gst_app_src_end_of_stream(source) }

    /// Waits for a sample or EOS, at most so many nanoseconds.
    func pullSample(within time: GstClockTime = GstClockTime(bitPattern: -1)) -> Sample? {
        Sample(owning: gst_app_sink_try_pull_sample(sink, time).map { .init($0) })
    }

    var hasEnded: Bool { gst_app_sink_is_eos(sink) != 0 }
}
