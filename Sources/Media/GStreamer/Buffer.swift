internal import CGStreamer
internal import CVideoSink
internal import PlayerCore

/// A borrowed buffer, valid while its owner (a probe's pad, a sample) has it.
struct Buffer {
    let raw: UnsafeMutablePointer<GstBuffer>
    /// The sample that the buffer belongs to.
    var owner: Sample?

    /// `GST_CLOCK_TIME_NONE` if unknown.
    var start: GstClockTime {
        get { raw.pointee.pts }
        nonmutating set { raw.pointee.pts = newValue }
    }
    var duration: GstClockTime {
        get { raw.pointee.duration }
        nonmutating set { raw.pointee.duration = newValue }
    }
    /// Whether the frame is in memory that devices share.
    var isInDeviceMemory: Bool { vitrine_is_device(raw) }
    /// The offset in the file, in bytes.
    var offset: UInt64 { UInt64(raw.pointee.offset) }
    /// Whether the buffer can be decoded by itself.
    var isKeyframe: Bool { raw.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0 }

    /// The start as stream time; `nil` if the buffer has no time, or is outside the segment.
    func streamTime(in segment: GstSegment) -> UInt64? {
        var (segment, time) = (segment, UInt(0))
        guard start != UInt(bitPattern: -1),
            gst_segment_to_stream_time_full(&segment, GST_FORMAT_TIME, start, &time) > 0
        else { return nil }
        return UInt64(time)
    }

    /// The running time of its frame; below 0 before the segment. `nil` if it has no time.
    func runningTime(in segment: GstSegment) -> MediaTime? {
        var (segment, time) = (segment, UInt(0))
        guard start != UInt(bitPattern: -1) else { return nil }
        let sign = gst_segment_to_running_time_full(&segment, GST_FORMAT_TIME, start, &time)
        let running = MediaTime(nanoseconds: Int64(sign) * Int64(clamping: time))
        return sign == 0 ? nil : running.clamped(to: -.farthest ... .farthest)
    }

    /// The closed captions that the parser found in it (`cc_data` of CEA-708).
    var captions: [CaptionPair] {
        var (state, pairs) = (gpointer?.none, [CaptionPair]())
        while let meta = gst_buffer_iterate_meta_filtered(raw, &state, gst_video_caption_meta_api_get_type()) {
            let caption = UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstVideoCaptionMeta.self).pointee
            guard caption.caption_type == GST_VIDEO_CAPTION_TYPE_CEA708_RAW else { continue }
            pairs += CaptionPair.pairs(ofCCData: UnsafeBufferPointer(start: caption.data, count: Int(caption.size)))
        }
        return pairs
    }

    /// - Returns: `nil` if the buffer cannot be mapped.
    func withBytes<Value, Failure: Error>(
        _ access: GstMapFlags, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        var map = GstMapInfo()
        guard gst_buffer_map(raw, &map, access) != 0 else { return nil }
        defer { gst_buffer_unmap(raw, &map) }
        return try body(UnsafeMutableRawBufferPointer(start: map.data, count: Int(map.size)))
    }
}

/// A reference to a buffer, which its receiver owns.
struct OwnedBuffer {
    let raw: UnsafeMutablePointer<GstBuffer>
}

extension Buffer {
    var shared: OwnedBuffer { OwnedBuffer(raw: gst_buffer_ref(raw)) }

    /// A copy without the flags of a discontinuity. It shares the samples.
    var withoutDiscontinuity: OwnedBuffer {
        let copy: UnsafeMutablePointer<GstBuffer> = gst_buffer_copy(raw)
        copy.pointee.mini_object.flags &= ~(GST_BUFFER_FLAG_DISCONT.rawValue | GST_BUFFER_FLAG_RESYNC.rawValue)
        return OwnedBuffer(raw: copy)
    }
}

/// A buffer with its caps.
final class Sample: MiniObject, @unchecked Sendable {
    /// A sample that keeps a borrowed buffer.
    convenience init(_ buffer: Buffer, _ caps: Caps) {
        // The sample takes references of its own to both.
        self.init(owning: UnsafeMutableRawPointer(gst_sample_new(buffer.raw, caps.raw, nil, nil)))!
    }

    var raw: OpaquePointer { OpaquePointer(object) }

    var buffer: Buffer? { gst_sample_get_buffer(raw).map { Buffer(raw: $0, owner: self) } }

    var caps: Caps? { gst_sample_get_caps(raw).map { Caps(sharing: $0) } }

    /// The same frame in another format. Blocks for some milliseconds, 5 s at most.
    func converted(to caps: Caps) -> Sample? {
        Sample(owning: gst_video_convert_sample(raw, caps.raw, 5_000_000_000, nil).map { .init($0) })
    }
}

/// A pool of buffers of one size without an upper limit, so that `acquire` never waits.
final class BufferPool: Object, @unchecked Sendable {
    private var raw: UnsafeMutablePointer<GstBufferPool> { object.assumingMemoryBound(to: GstBufferPool.self) }

    static func make() -> BufferPool { BufferPool(made: gst_buffer_pool_new()) }

    func start(_ caps: Caps, size: Int, count: UInt32) -> Bool {
        guard let config = gst_buffer_pool_get_config(raw) else { return false }
        gst_buffer_pool_config_set_params(config, caps.raw, guint(size), count, 0)
        return gst_buffer_pool_set_config(raw, config) != 0 && gst_buffer_pool_set_active(raw, 1) != 0
    }

    func stop() { gst_buffer_pool_set_active(raw, 0) }

    /// Acquires a buffer for `Element.push`.
    func acquire() -> UnsafeMutablePointer<GstBuffer>? {
        var buffer: UnsafeMutablePointer<GstBuffer>?
        return gst_buffer_pool_acquire_buffer(raw, &buffer, nil) == GST_FLOW_OK ? buffer : nil
    }
}
