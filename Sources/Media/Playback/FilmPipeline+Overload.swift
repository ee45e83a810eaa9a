internal import CGStreamer
internal import PlayerCore

extension FilmPipeline {
    /// The decoder was too late and left a picture out. Where each picture is needed for the next one, it never catches up, and
    /// leaves all of them out for ever: then the sink asks it for haste no longer, and shows at least one in each second
    /// of the film by itself (gst_base_sink_is_too_late). Worker only.
    func decoderWasLate() {
        let now = MonotonicTime(nanoseconds: Int64(g_get_monotonic_time()) * 1000)
        guard overload.observe(shown: pictures.shown, at: now) else { return }
        video.sink.set("qos", to: false)
        news.yield(.warning("\(location.name): too much for this computer's processor, most pictures are left out"))
    }
}
