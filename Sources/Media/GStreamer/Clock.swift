internal import CGStreamer
internal import CVideoSink

/// The clock that a film plays by, independent of its sound output.
final class FilmClock: Object, @unchecked Sendable {
    private var raw: UnsafeMutablePointer<GstClock> { object.assumingMemoryBound(to: GstClock.self) }

    convenience init() { self.init(made: UnsafeMutableRawPointer(vitrine_film_clock_new())) }

    /// Follows the clock that an element provides; with `nil`, or if it provides none, the system clock.
    func follow(_ element: Element?) {
        let source = element.flatMap { gst_element_provide_clock($0.raw) }
        vitrine_film_clock_follow(raw, source)
        if let source { gst_object_unref(source) }
    }

    var time: GstClockTime { gst_clock_get_time(raw) }

    /// Makes an element use this clock.
    func drive(_ element: Element) { gst_element_set_clock(element.raw, raw) }

    /// Makes a pipeline use this clock only.
    func lead(_ pipeline: Element) {
        gst_pipeline_use_clock(UnsafeMutableRawPointer(pipeline.raw).assumingMemoryBound(to: GstPipeline.self), raw)
    }
}

/// The rate at which a film's clock follows another one; ns.
struct ClockPace {
    private var raw = VitrineClockPace()

    var time: UInt64 { raw.time }

    init(time: UInt64) { raw.time = time }

    /// Follows another clock, or, with `nil`, only the system clock.
    mutating func follow(_ place: UInt64?) { vitrine_clock_pace_follow(&raw, place != nil, place ?? 0) }

    /// Reads the system clock, the other clock, and, after `time`, the system clock again.
    mutating func read(machine: UInt64, _ place: UInt64 = 0, for time: UInt64 = 0) {
        vitrine_clock_pace_read(&raw, machine, place, machine + time)
    }
}

extension Element {
    /// The time of the clock that the element provides; `nil` if it provides none.
    var providedTime: UInt64? {
        guard let clock = gst_element_provide_clock(raw) else { return nil }
        defer { gst_object_unref(clock) }
        return UInt64(gst_clock_get_internal_time(clock))
    }

    func link(to element: Element) -> Bool { gst_element_link(raw, element.raw) != 0 }

    func remove(_ element: Element) {
        gst_bin_remove(object.assumingMemoryBound(to: GstBin.self), element.raw)
    }
}
