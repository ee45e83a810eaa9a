internal import CGStreamer
internal import Dispatch
internal import PlayerCore
internal import Synchronization

/// Makes the sink for a film's frames.
func makeFilmSink(for screen: FilmOutput.Screen?) throws(MediaFailure) -> VideoSink {
    let sink = try VideoSink(base: screen?.sink.factory ?? "fakesink", name: "film")
    sink.set("enable-last-sample", to: false)
    if let screen { setUp(sink, for: screen) } else { sink.set("sync", to: true) }
    return sink
}

private func setUp(_ sink: VideoSink, for screen: FilmOutput.Screen) {
    if screen.composesOSD { sink.compose() }
    guard case .plane(let plane) = screen.sink else {
        // The desktop's millimetres, which define its pixels' aspect, are unreliable, as other monitors' are.
        if sink.has("pixel-aspect-ratio") { sink.set("pixel-aspect-ratio", to: "1/1") }
        return
    }
    sink.set("fd", to: plane.fileDescriptor)
    sink.set("connector-id", to: plane.connectorID)
    sink.set("plane-id", to: plane.planeID)
    // Two sinks share the fd: neither may read the other's events (docs/architecture.md, "One fd, two sinks").
    sink.set("skip-vsync", to: true)
    sink.set("can-scale", to: screen.canScale)
    sink.set("restore-crtc", to: false)
    if screen.planeTurn.swapsSides { sink.expectQuarterTurn() }
    // Frames as large as the display contain the film at its place already.
    sink.setArea(screen.coversDisplay ? screen.whole : screen.area)
    if let properties = plane.properties { sink.set("plane-properties", serialized: properties) }
}

/// An open sink for the next film. When it opens, kmssink probes the connector, which takes some 10 ms with a cable,
/// and the kernel flips no plane meanwhile.
public final class SpareSink: Sendable {
    private let screen: FilmOutput.Screen
    private let sink: VideoSink
    private let isTaken = Atomic(false)

    /// Opens the sink; any thread that may wait.
    init(for screen: FilmOutput.Screen) throws(MediaFailure) {
        self.screen = screen
        sink = try makeFilmSink(for: screen)
        sink.set(GST_STATE_READY)
    }

    deinit { if !isTaken.load(ordering: .acquiring) { sink.set(GST_STATE_NULL) } }

    /// - Returns: the sink, once; `nil` for another screen.
    func take(for screen: FilmOutput.Screen) -> VideoSink? {
        guard screen == self.screen, !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
        return sink
    }
}

/// The sink that a film opens for the next film. Any thread.
final class NextSink: Sendable {
    private let sink = Mutex<SpareSink?>(nil)
    private let openGroup = DispatchGroup()

    typealias Open = @Sendable (FilmOutput.Screen) throws(MediaFailure) -> SpareSink

    /// Opens the sink. While there is no sound yet, the first frame stands, and no flip is due.
    func open(
        for screen: FilmOutput.Screen,
        by open: @escaping Open = { screen throws(MediaFailure) in try SpareSink(for: screen) }
    ) {
        guard screen.sink.isPlane else { return }
        openGroup.enter()
        DispatchQueue.forBlocking("vitrine.next-sink").async(group: GStreamer.pendingWork) { [openGroup, weak self] in
            let made = try? open(screen)
            self?.sink.withLock { $0 = made }
            openGroup.leave()
        }
    }

    /// Takes the sink, once.
    func take() -> SpareSink? {
        sink.withLock { sink in
            defer { sink = nil }
            return sink
        }
    }

    /// Waits until it is open, and closes it if nobody has taken it.
    func close() {
        openGroup.wait()
        _ = take()
    }
}

extension FilmPipeline {
    /// The open sink for the next film; once. Any thread.
    public func takeSpare() -> SpareSink? { nextSink.take() }
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
