internal import CGStreamer
public import PlayerCore

/// The OSD's strip as it is to be seen, for a display without a plane for it.
///
/// `@unchecked Sendable` because the buffer's pixels are never written again, and its reference count is atomic.
public final class Strip: @unchecked Sendable {
    /// Where it lies on the display.
    public let place: OSDLayout.Rectangle
    let buffer: UnsafeMutablePointer<GstBuffer>

    /// Takes a reference of its own.
    init(_ buffer: UnsafeMutablePointer<GstBuffer>, at place: OSDLayout.Rectangle) {
        self.place = place
        self.buffer = gst_buffer_ref(buffer)
    }

    deinit { gst_buffer_unref(buffer) }

    /// BGRA, multiplied by alpha, rows without gaps: `place.width * 4` bytes each.
    public func withPixels<Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return }
        defer { gst_buffer_unmap(buffer, &map) }
        try body(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)))
    }
}
