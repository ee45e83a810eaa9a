// Bug: `v4l2slh265dec` writes beside its memory where a slice has entry points: in wavefronts (WPP), which x265 makes by itself. The
// program crashes at the first frame. Not reported: seen with 1.22.0 and the kernel's visl, and not with 1.26.2.
// Versions: GStreamer before 1.24, as far as is known.
// May go when Debian 12 (1.22) is no longer supported.

internal import PlayerCore

/// Removes the decoder: a film in wavefronts cannot be recognised before a decoder has it.
enum WavefrontCrash {
    static let reason = "GStreamer before 1.24 crashes with it where HEVC is in wavefronts"

    static func isLikely(in decoder: VideoDecoder) -> Bool {
        decoder.name == "v4l2slh265dec" && GStreamer.isBefore(1, 24)
    }
}
