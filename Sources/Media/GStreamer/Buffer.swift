internal import CGStreamer
internal import CVideoSink

/// A buffer, as long as somebody else has it: a probe's pad, a sample.
struct Buffer {
    let raw: UnsafeMutablePointer<GstBuffer>
    /// The sample that it is of.
    var owner: Sample?

    /// `GST_CLOCK_TIME_NONE` where it is unknown.
    var start: GstClockTime {
        get { raw.pointee.pts }
        nonmutating set { raw.pointee.pts = newValue }
    }
    var duration: GstClockTime {
        get { raw.pointee.duration }
        nonmutating set { raw.pointee.duration = newValue }
    }
    /// Whether its frame lies in memory that devices share.
    var isInDeviceMemory: Bool { vitrine_is_device(raw) }
    /// In the file, in bytes.
    var offset: UInt64 { UInt64(raw.pointee.offset) }
    /// Whether it can be decoded by itself.
    var isKeyframe: Bool { raw.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0 }

    /// Where it begins in the stream; `nil` where it has no time, or lies outside the segment.
    func streamTime(in segment: GstSegment) -> UInt64? {
        var (segment, time) = (segment, UInt(0))
        guard start != UInt(bitPattern: -1),
            gst_segment_to_stream_time_full(&segment, GST_FORMAT_TIME, start, &time) > 0
        else { return nil }
        return UInt64(time)
    }

    /// - Returns: `nil` where it cannot be mapped so.
    func withBytes<Value, Failure: Error>(
        _ access: GstMapFlags, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        var map = GstMapInfo()
        guard gst_buffer_map(raw, &map, access) != 0 else { return nil }
        defer { gst_buffer_unmap(raw, &map) }
        return try body(UnsafeMutableRawBufferPointer(start: map.data, count: Int(map.size)))
    }
}

/// A buffer with its caps.
final class Sample: MiniObject, @unchecked Sendable {
    /// Keeps a buffer that somebody else has.
    convenience init(_ buffer: Buffer, _ caps: Caps) {
        // It has references of its own to both.
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

/// Buffers of one size that are used again and again, without an upper limit: to acquire one never waits.
final class BufferPool: Object, @unchecked Sendable {
    private var raw: UnsafeMutablePointer<GstBufferPool> { object.assumingMemoryBound(to: GstBufferPool.self) }

    static func make() -> BufferPool { BufferPool(made: gst_buffer_pool_new()) }

    func start(_ caps: Caps, size: Int, count: UInt32) -> Bool {
        guard let config = gst_buffer_pool_get_config(raw) else { return false }
        gst_buffer_pool_config_set_params(config, caps.raw, guint(size), count, 0)
        return gst_buffer_pool_set_config(raw, config) != 0 && gst_buffer_pool_set_active(raw, 1) != 0
    }

    func stop() { gst_buffer_pool_set_active(raw, 0) }

    /// One for `Element.push`.
    func acquire() -> UnsafeMutablePointer<GstBuffer>? {
        var buffer: UnsafeMutablePointer<GstBuffer>?
        return gst_buffer_pool_acquire_buffer(raw, &buffer, nil) == GST_FLOW_OK ? buffer : nil
    }
}
