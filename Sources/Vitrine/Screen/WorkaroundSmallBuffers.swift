// Bug: kmssink makes its buffers for YU16 (Y42B) a quarter too small, and fails (gst_drm_height_from_drm). Not reported.
// Versions: GStreamer 1.22 to 1.28; the main branch of August 2026 still has it.
// May go when 422.mp4 of Tests/Rig/test_formats.py plays without it on a plane that takes YU16.

internal import KMS

extension PixelFormat {
    /// Whether kmssink's own buffers are large enough.
    var hasWholeBuffers: Bool { description != "YU16" }
}
