internal import CGStreamer
internal import Dispatch
public import PlayerCore
internal import Synchronization

/// How fast this machine decodes a film's pictures when it does nothing else (N9).
public struct DecodingSpeed: Hashable, Sendable {
    /// So much of the film was decoded ...
    public var film: MediaTime
    /// ... in so much of the clock's time; above 0.
    public var clock: Duration
    /// By this element: "avdec_h264", or one of a device's, "v4l2slh264dec".
    public var decoder: String

    public init(film: MediaTime, clock: Duration, decoder: String) {
        self.film = film
        self.clock = clock
        self.decoder = decoder
    }

    /// In hundredths of the film's own speed: at 100 each picture is there just in time.
    public var hundredths: Int64 { film.nanoseconds / max(clock.inNanoseconds / 100, 1) }

    /// Decodes a local film from its middle on, for two seconds. Any thread; takes up to 17 s of a film that is damaged, or far too much.
    /// - Returns: `nil` where there are no pictures, fewer than four of them, or no decoder.
    public static func measure(_ location: MediaLocation) async -> DecodingSpeed? {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "vitrine.decoding").async(group: GStreamer.errands) {
                continuation.resume(returning: DecodingTrial().run(location))
            }
        }
    }
}

/// One such trial.
private final class DecodingTrial: Sendable {
    private struct Passed {
        var first: (place: UInt, at: MonotonicTime)?
        var last: (place: UInt, at: MonotonicTime)?
        var count = 0
    }

    private let passed = Mutex(Passed())

    private static let length: UInt = 2_000_000_000
    private static let patience: UInt = 5_000_000_000
    /// Pictures: so many are waited for beyond `length`, and so many say something.
    private static let enough = 10, least = 4

    func run(_ location: MediaLocation) -> DecodingSpeed? {
        let line = "filesrc name=file ! parsebin name=parse decodebin name=decode ! fakesink name=sink sync=false"
        guard let pipeline = gst_parse_launch(line, nil) else { return nil }
        defer {
            gst_element_set_state(pipeline, GST_STATE_NULL)
            gst_object_unref(pipeline)
        }
        let bin = pipeline.cast(to: GstBin.self)
        guard let file = gst_bin_get_by_name(bin, "file"), let parse = gst_bin_get_by_name(bin, "parse"),
            let sink = gst_bin_get_by_name(bin, "sink")
        else { return nil }
        defer { for element in [file, parse, sink] { gst_object_unref(element) } }
        gst_uri_handler_set_uri(OpaquePointer(file), location.uri, nil)
        FragmentIndex.mend(file)
        let added:
            @convention(c) (UnsafeMutablePointer<GstElement>?, UnsafeMutablePointer<GstPad>?, gpointer?) -> Void = {
                parse, pad, data in
                guard let parse, let pad, let data else { return }
                Unmanaged<DecodingTrial>.fromOpaque(data).takeUnretainedValue().link(pad, of: parse)
            }
        g_signal_connect_data(
            parse, "pad-added", unsafeBitCast(added, to: GCallback.self), Unmanaged.passRetained(self).toOpaque(),
            { data, _ in Unmanaged<DecodingTrial>.fromOpaque(data!).release() }, .init(rawValue: 0))

        gst_element_set_state(pipeline, GST_STATE_PAUSED)
        guard wait(pipeline, for: GST_MESSAGE_ASYNC_DONE, Self.patience),
            let decoder = factory(in: bin, where: { $1.contains("Decoder/Video") })
        else { return nil }
        var duration: gint64 = -1
        if gst_element_query_duration(pipeline, GST_FORMAT_TIME, &duration) != 0, duration > 4 * gint64(Self.length) {
            // What a film begins with is often black.
            let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_KEY_UNIT.rawValue)
            guard
                gst_element_seek_simple(pipeline, GST_FORMAT_TIME, flags, duration / 2) == 0
                    || wait(pipeline, for: GST_MESSAGE_ASYNC_DONE, Self.patience)
            else { return nil }
        }
        look(at: sink)
        gst_element_set_state(pipeline, GST_STATE_PLAYING)
        let isOver = wait(pipeline, for: GST_MESSAGE_EOS, Self.length)
        // The slower, the more is to be said of it.
        if !isOver, passed.withLock(\.count) < Self.enough { _ = wait(pipeline, for: GST_MESSAGE_EOS, Self.patience) }
        return speed(decoder)
    }

    private func speed(_ decoder: String) -> DecodingSpeed? {
        let passed = passed.withLock { $0 }
        guard let first = passed.first, let last = passed.last, passed.count >= Self.least, last.place > first.place,
            last.at > first.at
        else { return nil }
        let film = Int64(exactly: last.place - first.place).flatMap { mediaTime($0) } ?? .zero
        return DecodingSpeed(film: min(film, .farthest), clock: last.at - first.at, decoder: decoder)
    }

    /// The film's pictures alone: `parsebin` has no queues, so that two sinks would wait for each other.
    private func link(_ pad: UnsafeMutablePointer<GstPad>, of parse: UnsafeMutablePointer<GstElement>) {
        guard leadsPictures(pad),
            let whole = gst_object_get_parent(parse.cast(to: GstObject.self))
        else { return }
        defer { gst_object_unref(whole) }
        guard let decode = gst_bin_get_by_name(whole.cast(to: GstBin.self), "decode") else { return }
        defer { gst_object_unref(decode) }
        guard let entry = gst_element_get_static_pad(decode, "sink") else { return }
        relinkBest(pad, at: entry)
        gst_object_unref(entry)
    }

    /// From now on the pictures that come out of the decoder are counted.
    private func look(at sink: UnsafeMutablePointer<GstElement>) {
        guard let pad = gst_element_get_static_pad(sink, "sink") else { return }
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_BUFFER,
            { _, info, data in
                if let buffer = gst_pad_probe_info_get_buffer(info) {
                    Unmanaged<DecodingTrial>.fromOpaque(data!).takeUnretainedValue().note(buffer.pointee.pts)
                }
                return GST_PAD_PROBE_OK
            }, Unmanaged.passRetained(self).toOpaque(), { Unmanaged<DecodingTrial>.fromOpaque($0!).release() })
        gst_object_unref(pad)
    }

    private func note(_ place: UInt) {
        guard place != UInt(bitPattern: -1) else { return }
        let now = MonotonicTime(nanoseconds: Int64(g_get_monotonic_time()) * 1000)
        passed.withLock { passed in
            passed.first = passed.first ?? (place, now)
            passed.last = (place, now)
            passed.count += 1
        }
    }

    /// False at an error, at the film's end where that is not waited for, and after so many nanoseconds.
    private func wait(
        _ pipeline: UnsafeMutablePointer<GstElement>, for type: GstMessageType, _ time: UInt
    ) -> Bool {
        guard let bus = gst_element_get_bus(pipeline) else { return false }
        defer { gst_object_unref(bus) }
        let types = GstMessageType(rawValue: type.rawValue | GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_EOS.rawValue)
        guard let message = gst_bus_timed_pop_filtered(bus, time, types) else { return false }
        defer { gst_message_unref(message) }
        return message.pointee.type == type
    }
}
