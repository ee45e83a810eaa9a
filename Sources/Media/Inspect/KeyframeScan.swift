internal import CGStreamer
internal import Dispatch
public import PlayerCore
internal import Synchronization

/// What a film's key frames are, and what was found out on the way to them.
public struct Keyframes: Hashable, Sendable {
    /// Their places in the film, in rising order; empty where they cannot be found.
    public var times: [MediaTime] = []
    /// Whether the demuxer begins with a key frame wherever it is sought to. Of a film without an index it begins anywhere.
    public var areKnown = true
    /// How long the film is at the least, where a demuxer may not know it before it has read all of it; else `nil`.
    public var end: MediaTime?
    /// Whether the film is of recordings that were put together, in which nothing can be sought before they have been read; it is as
    /// long as `end` says.
    public var isJoined = false
    /// Which stream they are of, by its name within the file.
    var stream: String?

    public init() {}
}

/// Finds a local film's key frames without decoding: the demuxer is asked for key frames only, so that of a film of
/// hours little more than its index is read. One without an index is read in whole.
///
/// Runs on a queue of its own at low priority; may be used from any thread, once.
public final class KeyframeScan: Sendable {
    private let location: MediaLocation
    private let isCancelled = Atomic<Bool>(false)

    public init(_ location: MediaLocation) {
        self.location = location
    }

    /// The scan ends within 50 ms, or, while the film is being opened, once it is; `find` answers with nothing.
    public func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }

    public func find() async -> Keyframes {
        await withCheckedContinuation { continuation in
            // Not of a lower quality of service: Dispatch makes its threads nicer, and GLib, which gives each thread of
            // GStreamer's the first one's settings, may not take that back as an ordinary user, and complains.
            DispatchQueue(label: "vitrine.keyframes").async(group: GStreamer.errands) { [self] in
                continuation.resume(returning: scan())
            }
        }
    }

    private func scan() -> Keyframes {
        var keyframes = Keyframes()
        guard let pipeline = gst_parse_launch("filesrc name=file ! parsebin name=parse", nil) else { return keyframes }
        let found = Found()
        defer {
            gst_element_set_state(pipeline, GST_STATE_NULL)
            gst_object_unref(pipeline)
        }
        let bin = pipeline.cast(to: GstBin.self)
        guard let file = gst_bin_get_by_name(bin, "file"), let parse = gst_bin_get_by_name(bin, "parse") else {
            return keyframes
        }
        gst_uri_handler_set_uri(OpaquePointer(file), location.uri, nil)
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
            return keyframes
        }
        let flags = GST_SEEK_FLAG_TRICKMODE_KEY_UNITS.rawValue | GST_SEEK_FLAG_TRICKMODE_NO_AUDIO.rawValue
        let guess = duration(of: pipeline)
        keyframes.isJoined = factory(in: bin) { name, _ in name == "tsdemux" } != nil && isBroken()
        if keyframes.isJoined {
            // As it plays: a seek would have the demuxer count otherwise.
            gst_element_set_state(pipeline, GST_STATE_PLAYING)
            guard wait(pipeline, for: GST_MESSAGE_EOS, found, isCancellable: true) else { return Keyframes() }
            keyframes.end = found.seen.withLock(\.end)
        } else {
            guard go(pipeline, to: .zero, flags, found, isReading: true) else { return keyframes }
        }
        keyframes.stream = found.stream
        keyframes.times = found.seen.withLock { Array(Set($0.keyframes)).sorted() }
        if factory(in: bin, where: { name, _ in LateStart.landsAnywhere(name) }) != nil {
            // It gives out all frames, whatever it is asked for, and counts its length from the first one.
            keyframes.end = found.seen.withLock(\.end)
            keyframes.areKnown = false
        } else if factory(in: bin, where: { name, _ in LateStart.isNeeded(by: name) }) != nil {
            learnEnd(guess, in: pipeline, found, &keyframes)
            learnLanding(in: pipeline, found, &keyframes)
        } else if factory(in: bin, where: { name, _ in name == "qtdemux" }) != nil, duration(of: pipeline) != guess {
            // Of fragments: the index tells where the last one begins, and only that one where it ends.
            learnEnd(guess, in: pipeline, found, &keyframes)
        }
        return keyframes
    }

    private func isBroken() -> Bool {
        location.path.map { TransportClock.isBroken(in: $0) { isCancelled.load(ordering: .relaxed) } } ?? false
    }

    /// How long it is, which a demuxer that guessed knows better the more it has read.
    private func learnEnd(
        _ guess: MediaTime?, in pipeline: UnsafeMutablePointer<GstElement>, _ found: Found, _ keyframes: inout Keyframes
    ) {
        keyframes.end = duration(of: pipeline)
        guard let last = keyframes.times.last, keyframes.end != guess else { return }
        // All of it, as it passes over what is not a key frame without a look at its time.
        guard go(pipeline, to: last, GST_SEEK_FLAG_ACCURATE.rawValue, found, isReading: true) else { return }
        keyframes.end = [found.seen.withLock(\.end), duration(of: pipeline)].compactMap { $0 }.max()
    }

    /// Where a demuxer begins that is sought near the end of the longest group.
    private func learnLanding(
        in pipeline: UnsafeMutablePointer<GstElement>, _ found: Found, _ keyframes: inout Keyframes
    ) {
        let ends = keyframes.times.dropFirst() + [keyframes.end].compactMap { $0 }
        guard let group = zip(keyframes.times, ends).max(by: { $0.1 - $0.0 < $1.1 - $1.0 }), group.1 > group.0 else {
            return
        }
        let length = group.1 - group.0
        let place = group.1 - min(.milliseconds(100), MediaTime(nanoseconds: length.nanoseconds / 2))
        guard go(pipeline, to: place, GST_SEEK_FLAG_ACCURATE.rawValue, found, isReading: false),
            let first = found.seen.withLock(\.first)
        else { return }
        // Containers that count milliseconds may be one off.
        keyframes.areKnown = first <= group.0 + .milliseconds(1)
    }

    private func duration(of pipeline: UnsafeMutablePointer<GstElement>) -> MediaTime? {
        var duration: gint64 = -1
        guard gst_element_query_duration(pipeline, GST_FORMAT_TIME, &duration) != 0 else { return nil }
        return mediaTime(Int64(duration))
    }

    /// - Parameter isReading: on to the end; else until there is a picture.
    private func go(
        _ pipeline: UnsafeMutablePointer<GstElement>, to place: MediaTime, _ flags: UInt32, _ found: Found,
        isReading: Bool
    ) -> Bool {
        guard !isCancelled.load(ordering: .relaxed) else { return false }
        gst_element_set_state(pipeline, GST_STATE_PAUSED)
        let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | flags)
        let start = gint64(place.nanoseconds)
        guard
            gst_element_seek(
                pipeline, 1.0, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, start, GST_SEEK_TYPE_NONE, -1) != 0
        else { return false }
        if isReading { gst_element_set_state(pipeline, GST_STATE_PLAYING) }
        return wait(pipeline, for: isReading ? GST_MESSAGE_EOS : GST_MESSAGE_ASYNC_DONE, found, isCancellable: true)
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
    struct Seen {
        var keyframes: [MediaTime] = []
        /// Where the first picture that came begins, in decoding order, and where the last one ends.
        var first: MediaTime?
        var end: MediaTime?
    }

    var pipeline: UnsafeMutablePointer<GstElement>?
    /// Since the last flush.
    let seen = Mutex(Seen())
    let buffers = Atomic<Int>(0)
    private let hasVideo = Atomic<Bool>(false)
    var isLinked: Bool { hasVideo.load(ordering: .acquiring) }
    private var segment = GstSegment()
    /// Borrowed: the sink's, in the pipeline.
    private var entry: UnsafeMutablePointer<GstPad>?

    /// Only the film's pad is linked: `parsebin` has no queues, so that two sinks would wait for each other. Before anything
    /// flows all pads are there, and the best is left linked.
    func link(_ pad: UnsafeMutablePointer<GstPad>) {
        guard leadsPictures(pad) else { return }
        if let entry { return relinkBest(pad, at: entry) }
        guard let pipeline, let sink = gst_element_factory_make("fakesink", nil) else { return }
        gst_bin_add(pipeline.cast(to: GstBin.self), sink)
        gst_element_sync_state_with_parent(sink)
        let entry = gst_element_get_static_pad(sink, "sink")
        gst_pad_link(pad, entry)
        gst_object_unref(entry)
        self.entry = entry
        hasVideo.store(true, ordering: .releasing)
        let mask = GstPadProbeType(
            rawValue: GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
                | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue)
        gst_pad_add_probe(
            entry, mask,
            { _, info, data in
                Unmanaged<Found>.fromOpaque(data!).takeUnretainedValue().note(info!)
                return GST_PAD_PROBE_OK
            }, Unmanaged.passRetained(self).toOpaque(), { Unmanaged<Found>.fromOpaque($0!).release() })
    }

    /// The linked stream's name within the file. While nothing is added.
    var stream: String? {
        guard let pad = entry.flatMap({ gst_pad_get_peer($0) }) else { return nil }
        defer { gst_object_unref(pad) }
        return takeString(gst_pad_get_stream_id(pad))
    }

    private func note(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 else {
            guard let event = gst_pad_probe_info_get_event(info) else { return }
            if event.pointee.type == GST_EVENT_SEGMENT { gst_event_copy_segment(event, &segment) }
            if event.pointee.type == GST_EVENT_FLUSH_STOP { seen.withLock { $0 = Seen() } }
            return
        }
        buffers.wrappingAdd(1, ordering: .relaxed)
        guard let buffer = gst_pad_probe_info_get_buffer(info), buffer.pointee.pts != UInt(bitPattern: -1) else {
            return
        }
        var time: UInt = 0
        let sign = gst_segment_to_stream_time_full(&segment, GST_FORMAT_TIME, buffer.pointee.pts, &time)
        guard sign > 0, let time = Int64(exactly: time).flatMap({ mediaTime($0) }) else { return }
        let length = Int64(exactly: buffer.pointee.duration).flatMap { mediaTime($0) } ?? .zero
        let isKeyframe = buffer.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0
        seen.withLock { seen in
            if isKeyframe { seen.keyframes.append(time) }
            seen.first = seen.first ?? time
            seen.end = max(seen.end ?? .zero, time + length)
        }
    }
}
