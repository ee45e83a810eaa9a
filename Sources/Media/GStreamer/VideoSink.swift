internal import CVideoSink
internal import PlayerCore

/// A sink that reports which frame is on the screen: `vitrine_sink_new` says how.
///
/// Thread: any. Nothing blocks, except what says so.
final class VideoSink: Element, @unchecked Sendable {
    /// - Parameter factory: makes the base class: kmssink, a window's sink, or, without a display, fakesink.
    convenience init(base factory: String, name: String) throws(MediaFailure) {
        guard let element = vitrine_sink_new(factory, name) else {
            _ = try Element(factory)
            throw MediaFailure(
                reason: .cannotBuild, message: "Unable to build pipeline: \(factory) is not a video sink")
        }
        self.init(sinking: element)
    }

    /// Posts "vitrine-frame" for the next frame that answers a seek or an advance, once. A newer call replaces an older
    /// one.
    /// - Parameters:
    ///   - ticket: `nil`: no frame.
    ///   - seqnum: the frame's segment has this seek's number; `nil`: any segment.
    ///   - from: the frame ends after this stream time, ns.
    func expect(_ ticket: SeekRequest.Ticket?, in seqnum: UInt32? = nil, from: Int64 = .min) {
        vitrine_sink_expect(raw, ticket?.number ?? 0, seqnum ?? 0, from)
    }

    /// Sets whether a frame that contains a segment's start is reported with its own start instead of the segment's.
    func reportBeginnings(_ reports: Bool) { vitrine_sink_report_beginnings(raw, reports) }

    /// Sets the preroll hold: no frame is shown. Before the start, or before a flush or a release, because the sink keeps
    /// the last frame.
    func setPrerollHold(_ holds: Bool) { vitrine_sink_set_preroll_hold(raw, holds) }

    /// Ends the preroll hold, and shows the last frame that was held back. Waits for its flip.
    func releasePreroll() { vitrine_sink_release_preroll(raw) }

    /// Holds frames back, which count as shown, while the plane shows something else. Waits for a frame that is on its way
    /// to the screen. Does nothing during a preroll hold.
    func cover() { vitrine_sink_cover(raw) }

    /// Shows the newest frame again. Waits for its flip.
    func uncover() { vitrine_sink_uncover(raw) }

    /// Sets a permanent preroll hold. Waits for a frame that is on its way to the screen.
    func retire() { vitrine_sink_retire(raw) }

    /// Sets the area of the display in whose middle frames are shown; a plane that scales fills it. For kmssink; before
    /// the start.
    func setArea(_ area: OSDLayout.Rectangle) {
        vitrine_sink_set_area(raw, Int32(area.x), Int32(area.y), Int32(area.width), Int32(area.height))
    }

    /// Prepares for a plane that turns frames by a quarter. For kmssink; before the start.
    func expectQuarterTurn() { vitrine_sink_expect_quarter_turn(raw) }

    /// Makes the sink blend a surface into its frames. Before the start.
    func compose() { vitrine_sink_compose(raw) }

    /// Blends a surface into the shown frame and all later ones; `nil`: no surface. Waits for the flip. Only for a sink
    /// that composes.
    /// - Returns: whether there is a shown frame.
    func show(_ surface: OSDSurface?) -> Bool {
        guard let surface else { return vitrine_sink_set_surface(raw, nil, 0, 0, 0, 0) }
        let place = surface.place
        return vitrine_sink_set_surface(
            raw, surface.buffer?.raw, UInt32(place.width), UInt32(place.height), Int32(place.x), Int32(place.y))
    }

    /// Copies the shown frame with its surface, which is slow; `nil` if there is none. Only for a sink that composes.
    func copyFrame() -> Sample? { Sample(owning: vitrine_sink_copy_frame(raw).map { .init($0) }) }

    /// The last 256 frames that reached the screen, in order.
    var recentFrames: [ShownFrame] {
        withUnsafeTemporaryAllocation(of: VitrineShown.self, capacity: Int(VITRINE_RECENT)) { shown in
            let count = Int(vitrine_sink_recent(raw, shown.baseAddress))
            return shown.prefix(count).map {
                ShownFrame(time: mediaTime($0.stream_time), shownAt: MonotonicTime(nanoseconds: $0.time))
            }
        }
    }
}

extension FrameCount {
    /// - Parameters:
    ///   - gate: the gate behind the decoder.
    ///   - input: the decoder's input.
    init(_ sink: VideoSink, gate: FrameGate, input: InputCount) {
        let frames = vitrine_sink_frames(sink.raw)
        self.init(
            shown: frames.shown, heldBack: gate.held, time: mediaTime(frames.place),
            start: mediaTime(frames.stream_time),
            filmTime: frames.stream_time < 0 ? nil : mediaTime(frames.film_time), arrived: input.arrived,
            newest: input.newest, duration: mediaTime(frames.duration),
            shownAt: MonotonicTime(nanoseconds: frames.time),
            hasEnded: frames.ended, isLast: frames.is_last)
    }
}
