internal import CGStreamer
internal import CVideoSink

/// The clock that a film plays by, whatever its sound comes out of.
final class FilmClock: Object, @unchecked Sendable {
    private var raw: UnsafeMutablePointer<GstClock> { object.assumingMemoryBound(to: GstClock.self) }

    convenience init() { self.init(made: UnsafeMutableRawPointer(vitrine_film_clock_new())) }

    /// Follows the clock that an element provides, or, with `nil`, or where it provides none, the machine's.
    func follow(_ element: Element?) {
        let source = element.flatMap { gst_element_provide_clock($0.raw) }
        vitrine_film_clock_follow(raw, source)
        if let source { gst_object_unref(source) }
    }

    var time: GstClockTime { gst_clock_get_time(raw) }

    /// Has an element go by it.
    func drive(_ element: Element) { gst_element_set_clock(element.raw, raw) }

    /// Has a pipeline play by it alone.
    func lead(_ pipeline: Element) {
        gst_pipeline_use_clock(UnsafeMutableRawPointer(pipeline.raw).assumingMemoryBound(to: GstPipeline.self), raw)
    }
}

/// How a film's clock goes by another one; ns.
struct ClockPace {
    private var raw = VitrineClockPace()

    var time: UInt64 { raw.time }

    init(time: UInt64) { raw.time = time }

    /// Follows another clock, or, with `nil`, the machine's alone.
    mutating func follow(_ place: UInt64?) { vitrine_clock_pace_follow(&raw, place != nil, place ?? 0) }

    /// Reads the machine's clock, then the other one, then, so much later, the machine's again.
    mutating func read(machine: UInt64, _ place: UInt64 = 0, for time: UInt64 = 0) {
        vitrine_clock_pace_read(&raw, machine, place, machine + time)
    }
}

extension Element {
    /// The time of the clock that it provides; `nil` where it provides none.
    var providedTime: UInt64? {
        guard let clock = gst_element_provide_clock(raw) else { return nil }
        defer { gst_object_unref(clock) }
        return UInt64(gst_clock_get_internal_time(clock))
    }

    /// Makes the socket before a sink of sound.
    convenience init(soundSocket name: String) { self.init(sinking: vitrine_sound_socket_new(name)) }

    func link(to element: Element) -> Bool { gst_element_link(raw, element.raw) != 0 }

    func remove(_ element: Element) {
        gst_bin_remove(object.assumingMemoryBound(to: GstBin.self), element.raw)
    }
}
