// Bug: after a seek, a bin forgets that a sink had ended which the seek passed by: the film never ends. Not reported.
// Versions: GStreamer 1.22.
// May go, and `Element.unmarkSink` with it, when test_a_sound_shows_its_cover of Tests/Rig/test_formats.py passes without
// it.

extension VideoBranch {
    /// Makes the sound's end the film's. A seek passes by the frame of a cover, which has ended.
    func leaveEndToSound() { sink.unmarkSink() }
}
