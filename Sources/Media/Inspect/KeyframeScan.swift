internal import CGStreamer
internal import Dispatch
public import PlayerCore
internal import Synchronization

/// Finds a local film's key frames without decoding: the demuxer is asked for key frames only, so that of a film of
/// hours little more than its index is read.
///
/// Runs on a queue of its own at low priority; may be used from any thread, once.
public final class KeyframeScan: Sendable {
    private let location: MediaLocation
    private let isCancelled = Atomic<Bool>(false)

    public init(_ location: MediaLocation) {
        self.location = location
    }

    /// The scan ends within 50 ms, or, while the film is being opened, once it is; `times` answers with nothing.
    public func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }

    /// The key frames' places in the film, in rising order; empty where they cannot be found.
    public func times() async -> [MediaTime] {
        await withCheckedContinuation { continuation in
            // Not of a lower quality of service: Dispatch makes its threads nicer, and GLib, which gives each thread of
            // GStreamer's the first one's settings, may not take that back as an ordinary user, and complains.
            DispatchQueue(label: "vitrine.keyframes").async(group: GStreamer.errands) { [self] in
                continuation.resume(returning: scan())
            }
        }
    }

    private func scan() -> [MediaTime] {
        guard let pipeline = gst_parse_launch("filesrc name=file ! parsebin name=parse", nil) else { return [] }
        let found = Found()
        defer {
            gst_element_set_state(pipeline, GST_STATE_NULL)
            gst_object_unref(pipeline)
        }
        let bin = pipeline.cast(to: GstBin.self)
        guard let file = gst_bin_get_by_name(bin, "file"), let parse = gst_bin_get_by_name(bin, "parse") else {
            return []
        }
        setProperty(file, "location", to: location.path)
        FragmentIndex.mend(file)
        let added:
            @convention(c) (UnsafeMutablePointer<GstElement>?, UnsafeMutablePointer<GstPad>?, gpointer?) -> Void = {
                _, pad, data in
                guard let pad, let data else { return }
                Unmanaged<Found>.fromOpaque(data).takeUnretainedValue().link(pad)
            }
        found.pipeline = pipeline
        g_signal_connect_data(
            parse, "pad-added", unsafeBitCast(added, to: GCallback.self), Unmanaged.passRetained(found).toOpaque(),
            { data, _ in Unmanaged<Found>.fromOpaque(data!).release() }, .init(rawValue: 0))
        gst_object_unref(file)
        gst_object_unref(parse)

        gst_element_set_state(pipeline, GST_STATE_PAUSED)
        // parsebin, taken down while it exposes its pads, loses their stream collection (GStreamer 1.22, 1.26).
        guard wait(pipeline, for: GST_MESSAGE_ASYNC_DONE, found, isCancellable: false), found.isLinked else {
            return []
        }
        guard !isCancelled.load(ordering: .relaxed) else { return [] }
        found.times.withLock { $0 = [] }
        let flags = GstSeekFlags(
            rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_TRICKMODE_KEY_UNITS.rawValue
                | GST_SEEK_FLAG_TRICKMODE_NO_AUDIO.rawValue)
        guard
            gst_element_seek(
                pipeline, 1.0, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_NONE, -1) != 0
        else { return [] }
        gst_element_set_state(pipeline, GST_STATE_PLAYING)
        guard wait(pipeline, for: GST_MESSAGE_EOS, found, isCancellable: true) else { return [] }
        return found.times.withLock { Array(Set($0)).sorted() }
    }

    /// False at an error, at the film's early end, when cancelled, and when nothing at all came for 5 s.
    private func wait(
        _ pipeline: UnsafeMutablePointer<GstElement>, for type: GstMessageType, _ found: Found, isCancellable: Bool
    ) -> Bool {
        guard let bus = gst_element_get_bus(pipeline) else { return false }
        defer { gst_object_unref(bus) }
        let types = GstMessageType(rawValue: type.rawValue | GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_EOS.rawValue)
        var (idle, seen) = (0, 0)
        while !(isCancellable && isCancelled.load(ordering: .relaxed)), idle < 100 {
            guard let message = gst_bus_timed_pop_filtered(bus, 50_000_000, types) else {
                let buffers = found.buffers.load(ordering: .relaxed)
                idle = buffers == seen ? idle + 1 : 0
                seen = buffers
                continue
            }
            defer { gst_message_unref(message) }
            return message.pointee.type == type
        }
        return false
    }
}

/// What the streaming thread finds. `pipeline` is set before streaming starts; the other plain fields belong to that one
/// thread.
private final class Found {
    var pipeline: UnsafeMutablePointer<GstElement>?
    let times = Mutex<[MediaTime]>([])
    let buffers = Atomic<Int>(0)
    private let hasVideo = Atomic<Bool>(false)
    var isLinked: Bool { hasVideo.load(ordering: .acquiring) }
    private var segment = GstSegment()

    /// Only the film's pad is linked: `parsebin` has no queues, so that two sinks would wait for each other.
    func link(_ pad: UnsafeMutablePointer<GstPad>) {
        // Asked, not read: a parser sets its caps with its first picture, which may come after its pad.
        guard !isLinked, let pipeline, let caps = gst_pad_query_caps(pad, nil) else { return }
        defer { gst_caps_unref(caps) }
        guard gst_caps_is_any(caps) == 0, gst_caps_is_empty(caps) == 0,
            String(cString: gst_structure_get_name(gst_caps_get_structure(caps, 0))).hasPrefix("video/"),
            let sink = gst_element_factory_make("fakesink", nil)
        else { return }
        gst_bin_add(pipeline.cast(to: GstBin.self), sink)
        gst_element_sync_state_with_parent(sink)
        let entry = gst_element_get_static_pad(sink, "sink")
        gst_pad_link(pad, entry)
        gst_object_unref(entry)
        hasVideo.store(true, ordering: .releasing)
        let mask = GstPadProbeType(
            rawValue: GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue)
        gst_pad_add_probe(
            pad, mask,
            { _, info, data in
                Unmanaged<Found>.fromOpaque(data!).takeUnretainedValue().note(info!)
                return GST_PAD_PROBE_OK
            }, Unmanaged.passRetained(self).toOpaque(), { Unmanaged<Found>.fromOpaque($0!).release() })
    }

    private func note(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        if info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue != 0 {
            if let event = gst_pad_probe_info_get_event(info), event.pointee.type == GST_EVENT_SEGMENT {
                gst_event_copy_segment(event, &segment)
            }
            return
        }
        buffers.wrappingAdd(1, ordering: .relaxed)
        guard let buffer = gst_pad_probe_info_get_buffer(info),
            buffer.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0,
            buffer.pointee.pts != UInt(bitPattern: -1)
        else { return }
        var time: UInt = 0
        let sign = gst_segment_to_stream_time_full(&segment, GST_FORMAT_TIME, buffer.pointee.pts, &time)
        guard sign > 0, let time = Int64(exactly: time).flatMap({ mediaTime($0) }) else { return }
        times.withLock { $0.append(time) }
    }
}
