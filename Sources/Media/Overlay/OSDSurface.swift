internal import CGStreamer
public import PlayerCore

/// The OSD surface, for a display without a plane for it.
public final class OSDSurface: Sendable {
    /// The surface's place on the display.
    public let place: OSDLayout.Rectangle
    private let sample: Sample

    init(_ sample: Sample, at place: OSDLayout.Rectangle) {
        self.place = place
        self.sample = sample
    }

    /// BGRA, multiplied by alpha, rows without gaps; valid as long as the surface.
    var buffer: Buffer? { sample.buffer }

    /// BGRA, multiplied by alpha, rows without gaps: `place.width * 4` bytes each.
    public func withPixels<Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
        _ = try buffer?.withBytes(GST_MAP_READ) { bytes throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
    }
}
