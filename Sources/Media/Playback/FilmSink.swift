internal import CGStreamer
internal import CPictureSink
internal import Dispatch
internal import PlayerCore
internal import Synchronization

/// Makes what shows a film's pictures on a screen.
/// - Returns: an element in NULL, with a reference for the caller.
func makeFilmSink(for screen: FilmOutput.Screen?) throws(MediaFailure) -> UnsafeMutablePointer<GstElement> {
    let factory = screen?.sink.factory ?? "fakesink"
    guard let made = vitrine_sink_new(factory, "film") else {
        _ = try makeElement(factory)
        throw MediaFailure(
            reason: .cannotBuild, message: "Unable to build pipeline: \(factory) is not a video sink")
    }
    let sink = gst_object_ref_sink(made).assumingMemoryBound(to: GstElement.self)
    setProperty(sink, "enable-last-sample", to: false)
    if let screen { setUp(sink, for: screen) } else { setProperty(sink, "sync", to: true) }
    return sink
}

private func setUp(_ sink: UnsafeMutablePointer<GstElement>, for screen: FilmOutput.Screen) {
    if screen.composesOSD { vitrine_sink_compose(sink) }
    guard case .plane(let plane) = screen.sink else {
        // Of the desktop's millimetres, which tell its pixels' shape, as much is true as of other monitors'.
        if hasProperty(sink, "pixel-aspect-ratio") { setProperty(sink, "pixel-aspect-ratio", to: "1/1") }
        return
    }
    setProperty(sink, "fd", to: plane.fileDescriptor)
    setProperty(sink, "connector-id", to: plane.connectorID)
    setProperty(sink, "plane-id", to: plane.planeID)
    // Two sinks share the fd: neither may read the other's events (docs/architecture.md, "One fd, two sinks").
    setProperty(sink, "skip-vsync", to: true)
    setProperty(sink, "can-scale", to: screen.canScale)
    setProperty(sink, "restore-crtc", to: false)
    if screen.planeTurn.swapsSides {
        vitrine_sink_expect_quarter_turn(sink)
    }
    // Pictures as large as the display have the film in its place already.
    let area = screen.coversDisplay ? screen.whole : screen.area
    vitrine_sink_set_area(sink, Int32(area.x), Int32(area.y), Int32(area.width), Int32(area.height))
    if let properties = plane.properties {
        _ = setProperty(sink, "plane-properties", toStructure: properties)
    }
}

/// A sink that is open already, for the film that follows. Opening, kmssink asks the connector what hangs on it: on a cable that
/// takes some 10 ms, in which the kernel flips no picture of any plane.
///
/// `@unchecked Sendable` because the element locks for itself, and is handed out once.
public final class SpareSink: @unchecked Sendable {
    private let screen: FilmOutput.Screen
    private let sink: UnsafeMutablePointer<GstElement>
    private let isTaken = Atomic(false)

    /// Opens it; any thread that may wait.
    init(for screen: FilmOutput.Screen) throws(MediaFailure) {
        self.screen = screen
        sink = try makeFilmSink(for: screen)
        gst_element_set_state(sink, GST_STATE_READY)
    }

    deinit {
        guard !isTaken.load(ordering: .acquiring) else { return }
        gst_element_set_state(sink, GST_STATE_NULL)
        gst_object_unref(sink)
    }

    /// - Returns: the sink with its reference, once; `nil` for another screen.
    func take(for screen: FilmOutput.Screen) -> UnsafeMutablePointer<GstElement>? {
        guard screen == self.screen, !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
        return sink
    }
}

extension FilmPipeline {
    /// Opens a sink for the film that follows. The first picture stands until there is sound: none is due. Worker only.
    func makeSpare() {
        guard let screen = video.screen, screen.sink.isPlane else { return }
        spareWork.enter()
        DispatchQueue.global(qos: .userInitiated).async(group: GStreamer.errands) { [spareWork, weak self] in
            let made = try? SpareSink(for: screen)
            self?.spare.withLock { $0 = made }
            spareWork.leave()
        }
    }

    /// What is open already for the film that follows; once. Any thread.
    public func takeSpare() -> SpareSink? {
        spare.withLock { spare in
            defer { spare = nil }
            return spare
        }
    }
}

extension FilmOutput.Sink {
    fileprivate var factory: String {
        switch self {
        case .plane: "kmssink"
        case .window(let window): window.factory
        }
    }

    var isPlane: Bool {
        if case .plane = self { true } else { false }
    }
}

extension FilmOutput.Window {
    var factory: String {
        switch self {
        case .x11: "ximagesink"
        case .wayland: "waylandsink"
        }
    }
}
