internal import CGStreamer
internal import Dispatch
public import PlayerCore
internal import Synchronization

/// The on-screen display's own GStreamer pipeline: `appsrc ! textoverlay (title) ! textoverlay (time) ! kmssink` on a
/// plane above the film. Neither this pipeline nor the film's waits for the other.
///
/// `show` and `stop` may be called on any thread and never block. All other work is done on the pipeline's serial
/// worker, which does not block in GStreamer either: one buffer is under way at a time, and `appsrc`'s request for data
/// says that it has reached the plane; meanwhile only the newest model waits. One buffer is pushed for each visible
/// change, none otherwise.
///
/// `@unchecked Sendable` because all mutable state is confined to the worker queue, except for the mailbox, which
/// locks.
public final class OverlayPipeline: @unchecked Sendable {
    /// Paints every pixel of the surface except its text. Arguments: a model, its layout, the surface's bytes (BGRA,
    /// multiplied by alpha), the bytes from one row to the next. Called on the worker. The text's rows must stay black,
    /// see `OSDPainter`.
    public typealias Paint = @Sendable (OSDModel, OSDLayout, UnsafeMutableRawBufferPointer, Int) -> Void
    /// Returns the place of a layout's surface on the display. Called on the worker.
    public typealias Place = @Sendable (OSDLayout) -> OverlayPlace

    /// The one failure that ends the display, and then the stream. `stop` ends it too.
    public let failures: AsyncStream<MediaFailure>
    private let failureNews: AsyncStream<MediaFailure>.Continuation

    let worker = DispatchQueue(label: "vitrine.overlay", qos: .userInteractive)
    private let mailbox = Mutex<Scene?>(nil)
    private let pushCount = Atomic<UInt64>(0)
    /// The buffers that have reached the sink.
    private let arrivedCount = Atomic<UInt64>(0)
    private let shownTime = Atomic<Int64>(0)

    private let paint: Paint
    private let place: Place
    private let description: OverlaySink
    private let sink: Element
    private let hidePlane: @Sendable () -> Void
    /// Removes the framebuffer that the sink leaves on the plane.
    private let clear: @Sendable () -> Void
    private let texts: OverlayTexts
    private let source: Element
    private let pipeline: Element
    private let firstLayout: OSDLayout
    private let pendingWork = GStreamer.PendingWork()
    private let diversion = Mutex<Taker?>(nil)

    // Worker only.
    private var busWatch: BusWatch?
    private var pool: BufferPool
    /// The layout of the current caps.
    private var layout: OSDLayout
    /// The newest model, normalized, and the one on the plane. Hidden at first.
    private var wanted: Scene
    private var shown: Scene
    private var state = State.busy

    private enum State {
        /// A buffer is on its way to the plane, or `appsrc` has not asked for the first one.
        case busy
        /// `appsrc` waits for a buffer: all earlier ones have gone through the sink.
        case idle
        case closed
    }

    /// A model with its layout.
    private struct Scene: Hashable, Sendable {
        var model = OSDModel()
        var layout: OSDLayout
    }

    /// Builds the pipeline and starts it on its worker. May take 100 ms, because plugins are loaded: not for a thread
    /// that must respond to a finger. `hidePlane` turns the plane off; it is called on the worker, between two buffers.
    /// (kmssink cannot do that, and turns the plane on again with its next buffer.)
    public convenience init(
        layout: OSDLayout, plane: OverlayPlane, place: @escaping Place, paint: @escaping Paint,
        hidePlane: @escaping @Sendable () -> Void
    ) throws(MediaFailure) {
        try self.init(
            layout: layout, sink: try OverlaySink(plane: plane), place: place, paint: paint, hidePlane: hidePlane)
    }

    /// Builds the pipeline for a display without a plane for the surface.
    public convenience init(
        layout: OSDLayout, compositor: OSDCompositor, place: @escaping Place, paint: @escaping Paint
    ) throws(MediaFailure) {
        try self.init(
            layout: layout, sink: OverlaySink(compositor: compositor, place: place(layout)), place: place, paint: paint,
            hidePlane: { compositor.show(nil) }, clear: { compositor.show(nil) })
    }

    init(
        layout: OSDLayout, sink description: OverlaySink,
        place: @escaping Place = { OverlayPlace(rectangle: $0.surface) },
        paint: @escaping Paint, hidePlane: @escaping @Sendable () -> Void, clear: @escaping @Sendable () -> Void = {}
    ) throws(MediaFailure) {
        try GStreamer.start()
        self.layout = layout
        firstLayout = layout
        (wanted, shown) = (Scene(layout: layout), Scene(layout: layout))
        self.paint = paint
        self.place = place
        self.description = description
        self.hidePlane = hidePlane
        self.clear = clear
        (failures, failureNews) = AsyncStream.makeStream(of: MediaFailure.self)
        texts = try OverlayTexts(on: layout)
        pipeline = Element(pipeline: "osd-pipeline")
        pool = BufferPool.make()
        source = try Element("appsrc", name: "osd-source")
        source.set("is-live", to: true)
        source.set("do-timestamp", to: true)
        source.set("format", serialized: "time")
        sink = try description.makeElement()
        var chain = [source] + texts.layers.map { $0.element }
        if let flip = try makeFlip(description.turn, name: "osd-turn") { chain.append(flip) }
        try pipeline.add(chain + [sink], as: "the OSD's branch")
        sink.pad("sink")?.probe(GST_PAD_PROBE_TYPE_BUFFER) { [weak self] _, info in
            self?.arrivedCount.add(1, ordering: .relaxed)
            return self?.takesSurface(info) == true ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
        }
        // Called on the streaming thread when the queue is empty and the previous buffer has been pushed all the way
        // through the sink.
        source.connect("need-data") { [weak self, worker] _ in
            let now = MonotonicTime(nanoseconds: Int64(g_get_monotonic_time()) * 1000)
            guard let arrived = self?.arrivedCount.load(ordering: .relaxed) else { return }
            worker.async { [weak self] in self?.becomeIdle(after: arrived, at: now) }
        }
        worker.async { self.start() }
    }

    deinit {
        failureNews.finish()
        // Setting NULL may wait for a flip, but the thread that drops the last reference may not.
        let owned = Owned(pipeline: pipeline, pool: pool, layers: texts.layers, pendingWork: pendingWork)
        DispatchQueue.global().async { owned.release() }
    }

    // MARK: Commands

    /// Shows a model, or hides the plane if the model is not visible. A model that looks like the last one costs
    /// nothing. While a model is on its way to the plane, only the newest one waits.
    /// - Parameter layout: the model's layout, on the display that the pipeline was built for; the surface may be of
    ///   another height. `nil`: the layout of `init`.
    public func show(_ model: OSDModel, on layout: OSDLayout? = nil) {
        let scene = Scene(model: model, layout: layout ?? firstLayout)
        let isFirst = mailbox.withLock { waiting in
            defer { waiting = scene }
            return waiting == nil
        }
        if isFirst { worker.async { [weak self] in self?.takeMail() } }
    }

    /// The number of buffers pushed to the plane: one for each visible change.
    public var pushed: UInt64 { pushCount.load(ordering: .relaxed) }

    /// When the last buffer was on the plane; `nil` before the first.
    public var shownAt: MonotonicTime? {
        let time = shownTime.load(ordering: .relaxed)
        return time > 0 ? MonotonicTime(nanoseconds: time) : nil
    }

    /// Sets the pipeline to NULL, which removes the surface from its plane.
    /// - Returns: `false` if GStreamer did not finish within the deadline; the pipeline is then abandoned.
    public func stop(within deadline: Duration = .seconds(3)) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            worker.async { [self] in
                close()
                answer.give(true)
            }
            let news = failureNews
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(deadline.inNanoseconds))) {
                news.finish()
                answer.give(false)
            }
        }
    }

    /// Takes a surface's pixels, in the form of `OSDSurface.withPixels`. Called on a streaming thread.
    /// - Returns: whether the plane is not to show it.
    public typealias Taker = @Sendable (UnsafeRawBufferPointer) -> Bool

    /// Diverts surfaces to `taker`; `nil`: only to the plane again, the newest one at once. One more call to the old
    /// taker may arrive after this returns.
    public func divert(to taker: Taker?) {
        diversion.withLock { $0 = taker }
        guard taker == nil else { return }
        worker.async { [self] in
            guard shown.model.isShown else { return }
            shown.model = OSDModel()
            update()
        }
    }

    // MARK: Worker

    private func start() {
        busWatch = pipeline.bus.map { BusWatch($0, on: worker) { [weak self] in self?.drainBus() } }
        guard pipeline.set(GST_STATE_READY) != GST_STATE_CHANGE_FAILURE, configureBuffers(),
            pipeline.set(GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE
        else {
            // The element's own error, if there is one, is on the bus before the state change returns.
            drainBus()
            fail(MediaFailure(reason: .cannotBuild, message: "The OSD's pipeline does not start"))
            return
        }
    }

    /// Sets the caps, and a pool of buffers of their size.
    private func configureBuffers() -> Bool {
        let surface = layout.surface
        pool = BufferPool.make()
        let text =
            "video/x-raw,format=BGRA,width=\(surface.width),height=\(surface.height),framerate=0/1,"
            + "pixel-aspect-ratio=1/1"
        guard let caps = Caps(text) else { return false }
        source.set("caps", to: caps)
        // One buffer is under way at a time, so there are hardly ever more than two.
        return pool.start(caps, size: surface.width * 4 * surface.height, count: 2)
    }

    private func takeMail() {
        let scene = mailbox.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        guard let scene else { return }
        wanted = Scene(model: scene.model.normalized(for: scene.layout), layout: scene.layout)
        // While nothing is shown, the surface's size does not matter.
        if !wanted.model.isShown { wanted.layout = layout }
        update()
    }

    /// Pushes the wanted scene, if the previous one has reached the plane.
    private func update() {
        guard state == .idle, wanted != shown else { return }
        shown = wanted
        guard shown.model.isShown else { return hidePlane() }
        if shown.layout.surface != layout.surface, !resize(to: shown.layout) { return }
        layout = shown.layout
        push(shown.model)
    }

    /// Changes the surface's height with the next buffer. The plane keeps its contents until then.
    private func resize(to next: OSDLayout) -> Bool {
        let before = pool
        layout = next
        description.move(sink, to: place(next).rectangle)
        texts.move(to: next)
        guard configureBuffers() else {
            fail(MediaFailure(reason: .cannotBuild, message: "The OSD surface cannot be of another height"))
            return false
        }
        before.stop()
        return true
    }

    private func push(_ model: OSDModel) {
        source.push(from: pool) { pixels in
            paint(model, layout, pixels, layout.surface.width * 4)
            texts.show(model, on: layout)
            state = .busy
            pushCount.add(1, ordering: .relaxed)
        }
    }

    /// Whether a taker shows the surface. On the streaming thread.
    private func takesSurface(_ info: ProbeInfo) -> Bool {
        guard let taker = diversion.withLock({ $0 }), let buffer = info.buffer else { return false }
        return buffer.withBytes(GST_MAP_READ) { taker(UnsafeRawBufferPointer($0)) } ?? false
    }

    private func close() {
        guard state != .closed else { return }
        state = .closed
        busWatch = nil
        failureNews.finish()
        pipeline.set(GST_STATE_NULL)
        pool.stop()
        if shown.model.isShown { clear() }
        // With a taker, the plane's contents do not belong to the sink, and stay when it stops.
        if diversion.withLock({ $0 != nil }) { hidePlane() }
    }

    // MARK: GStreamer's messages

    /// - Parameter arrived: the buffers that had reached the sink by then.
    private func becomeIdle(after arrived: UInt64, at time: MonotonicTime) {
        // New caps ask for data, too, while the buffer that follows them is still painted.
        guard arrived == pushed else { return }
        // `need-data` is also emitted before the first surface.
        if pushed > 0 { shownTime.store(time.nanoseconds, ordering: .relaxed) }
        if state == .busy { state = .idle }
        update()
    }

    private func drainBus() {
        while state != .closed, let message = pipeline.bus?.pop() {
            guard case .error(let report) = message.content else { continue }
            let text = "Error received from element \(message.sourceName): \(report.text)"
            fail(MediaFailure(reason: .other, message: text, details: report.debug))
        }
    }

    /// Reports a failure, once, and sets the pipeline to NULL.
    private func fail(_ failure: MediaFailure) {
        guard state != .closed else { return }
        failureNews.yield(failure)
        close()
    }
}

/// References to a dying pipeline on their way to a thread that may wait.
private struct Owned: Sendable {
    let pipeline: Element
    let pool: BufferPool
    /// Kept while buffers may pass their probes.
    let layers: [TextLayer]
    let pendingWork: GStreamer.PendingWork

    func release() {
        pipeline.set(GST_STATE_NULL)
        pool.stop()
    }
}
