// Bug: `queue2` with a ring buffer writes outside heap blocks in a seek soon after the start: 7 of 21 starts in the rig with
// a tracer, none of 19 without the ring buffer. Not reported.
// Versions: GStreamer 1.22.
// May go when Debian 12 (1.22) is no longer supported: with a ring buffer (`ring-buffer-max-size`) `uridecodebin`'s queue
// reports what it holds.

internal import PlayerCore

extension FilmSource {
    /// The loaded part of a server's file, by how far the source has read; `nil` for media in many files.
    func readPart(from shown: MediaTime, of duration: MediaTime) -> LoadedPart? {
        readingPlace().flatMap { LoadedPart(from: shown, of: duration, read: $0.place, ofBytes: $0.size) }
    }
}
