internal import CDRM
internal import Dispatch
internal import Glibc
public import PlayerCore
internal import Synchronization

/// Shows pictures on the film's plane and the OSD surface on its own, both in one non-blocking commit for each vblank.
/// Two sinks cannot do this: their SetPlane calls wait for each other, so that each gets every other vblank.
///
/// It lives as long as the display. From the first picture drawn until `settle` has answered, nobody else may change
/// these planes: both sinks hold their frames back. All other properties of the planes, such as place, rotation and
/// colours, stay as the film's sink has left them.
///
/// Threads: any, but only one draws pictures, and one surfaces. `begin` asks the kernel and may allocate; the other
/// calls take as long as `body`.
///
/// `@unchecked Sendable` because mutable state belongs to `queue`, or is behind a lock.
public final class ScrubScreen: @unchecked Sendable {
    /// A picture's memory for drawing.
    public struct Canvas {
        public let width: Int
        public let height: Int
        public let format: PixelFormat
        /// Offset and line length of each of the format's planes, in bytes.
        public let components: [(offset: Int, pitch: Int)]
        public let bytes: UnsafeMutableRawBufferPointer

        init(_ buffer: DumbBuffer) {
            width = buffer.width
            height = buffer.height
            format = buffer.format
            components = buffer.components
            bytes = buffer.bytes
        }
    }

    /// The surface's place on the display, and its size before the plane turns it.
    public struct SurfacePlace: Hashable, Sendable {
        public var rectangle: OSDLayout.Rectangle
        public var width: Int
        public var height: Int

        public init(rectangle: OSDLayout.Rectangle, width: Int, height: Int) {
            self.rectangle = rectangle
            self.width = width
            self.height = height
        }
    }

    /// The formats of pictures; 4:2:0 first, because sheets have it.
    private static let formats: [PixelFormat] = [.yuv420, .nv12, .xrgb8888, .argb8888]
    /// The formats over a film in RGB, for which the plane's YCbCr properties are not set.
    private static let rgbFormats: [PixelFormat] = [.xrgb8888, .argb8888]

    private let display: Display
    private let queue = DispatchQueue(label: "scrub-screen", qos: .userInteractive)
    private let events: any DispatchSourceRead
    private let timer: any DispatchSourceTimer
    private let film: Plane
    private let surface: Plane?
    private let shown = Atomic<UInt64>(0)

    private let pictures = Mutex<FlipBuffers?>(nil)
    private let surfaces = Mutex<Surfaces?>(nil)
    /// Whether the driver refuses the commits of this drag.
    private let refuses = Atomic<Bool>(false)

    private struct Surfaces: Sendable {
        var place: SurfacePlace
        var buffers: FlipBuffers
    }

    // Belongs to the queue.
    private var clock: VblankClock
    private var failures = 0
    private var settled: [@Sendable () -> Void] = []

    /// The kernel's ids of a plane's properties.
    private struct Plane: Sendable {
        let id: UInt32
        let properties: [String: UInt32]

        init?(_ id: UInt32, on card: CardHandle) {
            let object = ObjectProperties(of: id, type: DRM_MODE_OBJECT_PLANE, on: card)
            var found: [String: UInt32] = [:]
            for name in [
                "FB_ID", "CRTC_ID", "SRC_X", "SRC_Y", "SRC_W", "SRC_H", "CRTC_X", "CRTC_Y", "CRTC_W", "CRTC_H",
            ] {
                guard let property = object[name] else { return nil }
                found[name] = property.id
            }
            self.id = id
            properties = found
        }
    }

    /// - Returns: `nil` if the driver does not support atomic commits.
    public init?(_ display: Display) {
        let card = display.card
        guard card.isAtomic, let film = Plane(display.filmPlane.id, on: card) else { return nil }
        self.display = display
        self.film = film
        surface = display.osdPlane.flatMap { Plane($0.id, on: card) }
        clock = VblankClock(refresh: display.refreshMillihertz)
        events = DispatchSource.makeReadSource(fileDescriptor: card.fileDescriptor, queue: queue)
        timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        events.setEventHandler { [weak self] in self?.readEvents() }
        timer.setEventHandler { [weak self] in self?.commit() }
        // Keeps the descriptor open until the source is cancelled.
        events.setCancelHandler { [display] in withExtendedLifetime(display) {} }
        timer.resume()
        events.resume()
    }

    deinit {
        timer.cancel()
        events.cancel()
    }

    /// The number of pictures that reached the screen.
    public var picturesShown: UInt64 { shown.load(ordering: .relaxed) }

    // MARK: Drawing

    /// Prepares for a drag: determines the size of pictures.
    /// - Parameters:
    ///   - scaled: the size of pictures on a plane that scales; `nil` for a plane that does not, whose pictures are as
    ///     large as the film's.
    ///   - place: the place of surfaces; `nil` if they have no plane.
    /// - Returns: `false` if no film is on the plane.
    public func begin(scaled: (width: Int, height: Int)?, surface place: SurfacePlace?) throws(KMSError) -> Bool {
        let now = ObjectProperties(of: film.id, type: DRM_MODE_OBJECT_PLANE, on: display.card)
        guard let film = now["FB_ID"]?.value, film != 0, let width = now["SRC_W"]?.value,
            let height = now["SRC_H"]?.value
        else { return false }
        let size = scaled ?? (Int(width >> 16), Int(height >> 16))
        let formats = isRGB(UInt32(truncatingIfNeeded: film)) ? Self.rgbFormats : Self.formats
        guard size.width > 0, size.height > 0, let format = formats.first(where: display.filmPlane.formats.contains)
        else { return false }
        // This object's pictures have left the plane since, along with the film's.
        let isSame = pictures.withLock { pictures in
            pictures.map { ($0.width, $0.height) == (size.width, size.height) && $0.format == format } ?? false
        }
        if !isSame {
            let made = try FlipBuffers(on: display, width: size.width, height: size.height, format: format)
            pictures.withLock { $0 = made }
        }
        if surfaces.withLock({ $0?.place }) != place {
            let made = try place.map { place throws(KMSError) in
                Surfaces(
                    place: place,
                    buffers: try FlipBuffers(on: display, width: place.width, height: place.height, format: .argb8888))
            }
            surfaces.withLock { $0 = made }
        }
        return true
    }

    private func isRGB(_ framebufferID: UInt32) -> Bool {
        // The framebuffer may have been replaced and removed meanwhile.
        guard let framebuffer = drmModeGetFB2(display.card.fileDescriptor, framebufferID) else { return false }
        defer {
            GEMHandles.close(framebuffer.pointee, on: display.card)
            drmModeFreeFB2(framebuffer)
        }
        if case .packed = PixelFormat(rawValue: framebuffer.pointee.pixel_format).layout { return true }
        return false
    }

    /// Draws a picture, which is shown at the next vblank unless a newer one is ready by then.
    /// - Parameter body: draws the whole picture, over an older one; returns whether to show it.
    /// - Returns: whether it will be shown.
    public func draw(_ body: (Canvas) -> Bool) -> Bool {
        guard let pictures = pictures.withLock({ $0 }) else { return false }
        return draw(on: pictures, body)
    }

    /// Whether the driver accepts the commits of this drag.
    public var isAccepted: Bool { !refuses.load(ordering: .relaxed) }

    /// Draws the OSD surface.
    /// - Parameter pixels: BGRA, multiplied by alpha, rows without gaps, of the size of `SurfacePlace`.
    /// - Returns: whether it will be shown: not before `open`, and not if its size differs.
    public func drawSurface(_ pixels: UnsafeRawBufferPointer) -> Bool {
        guard let surfaces = surfaces.withLock({ $0?.buffers }) else { return false }
        return draw(on: surfaces) { canvas in
            let (row, pitch) = (canvas.width * 4, canvas.components[0].pitch)
            guard pixels.count == row * canvas.height else { return false }
            for line in 0..<canvas.height {
                UnsafeMutableRawBufferPointer(rebasing: canvas.bytes[line * pitch..<line * pitch + row])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: pixels[line * row..<line * row + row]))
            }
            return true
        }
    }

    private func draw(on buffers: FlipBuffers, _ body: (Canvas) -> Bool) -> Bool {
        guard let buffer = buffers.take() else { return false }
        let isGood = body(Canvas(buffer))
        buffers.give(isGood: isGood)
        if isGood { queue.async { [self] in schedule() } }
        return isGood
    }

    /// Draws a picture that is not shown, so that the first one of a drag finds everything in place. Has no effect
    /// during a drag.
    public func rehearse(_ body: (Canvas) -> Void) {
        guard let pictures = pictures.withLock({ $0 }), let buffer = pictures.take(isRehearsal: true) else { return }
        body(Canvas(buffer))
        pictures.give(isGood: false)
    }

    /// Shows pictures from now on, until `settle`; surfaces until `close`. After `begin`.
    public func open() {
        refuses.store(false, ordering: .relaxed)
        var (sequence, time): (UInt64, UInt64) = (0, 0)
        let isKnown = drmCrtcGetSequence(display.card.fileDescriptor, display.crtcID, &sequence, &time) == 0
        let last: Int64? = isKnown && time > 0 ? Int64(time) : nil
        queue.async { [self] in
            clock.begin(last: last)
            failures = 0
            // The flip's event was lost because the display was switched off.
            if case .sent(let time, _) = clock.commit, Self.now - time > 200_000_000 {
                clock.drop()
                pictures.withLock { $0 }?.arrived()
                surfaces.withLock { $0?.buffers }?.arrived()
            }
        }
        pictures.withLock { $0 }?.open()
        surfaces.withLock { $0?.buffers }?.open()
    }

    /// Stops surfaces: once `settle` has answered, their plane belongs to the sink again.
    public func close() {
        // The next drag asks the driver again, because a display that was switched off refuses everything.
        refuses.store(false, ordering: .relaxed)
        surfaces.withLock { $0?.buffers }?.close()
    }

    /// Drops waiting pictures, and waits for the pending one: then the film's plane belongs to its sink again.
    /// - Parameter then: called on a queue of this object, a vblank later at the latest.
    public func settle(_ then: @escaping @Sendable () -> Void) {
        pictures.withLock { $0 }?.close()
        queue.async { [self] in
            settled.append(then)
            guard case .sent = clock.commit else { return answer() }
            // A display that is switched off does not flip.
            queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in self?.answer() }
        }
    }

    private func answer() {
        let answers = settled
        settled = []
        for answer in answers { answer() }
    }

    // MARK: The queue

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private var hasWaiting: Bool {
        pictures.withLock { $0 }?.hasWaiting == true || surfaces.withLock({ $0?.buffers })?.hasWaiting == true
    }

    private func schedule() {
        let now = Self.now
        guard hasWaiting, let due = clock.drawn(at: now) else { return }
        if due <= now { commit() } else { wake(at: due) }
    }

    private func wake(at time: Int64) {
        timer.schedule(deadline: .now() + .nanoseconds(Int(time - Self.now)), leeway: .nanoseconds(0))
    }

    private func commit() {
        guard clock.commit == .due else { return }
        guard hasWaiting, let pictures = pictures.withLock({ $0 }), let request = drmModeAtomicAlloc() else {
            return clock.drop()
        }
        defer { drmModeAtomicFree(request) }
        if let picture = pictures.send() {
            set(
                request, film,
                [
                    "FB_ID": UInt64(picture.framebufferID), "SRC_X": 0, "SRC_Y": 0,
                    "SRC_W": UInt64(picture.width) << 16,
                    "SRC_H": UInt64(picture.height) << 16,
                ])
        }
        let surfaces = surfaces.withLock { $0 }
        if let surface, let place = surfaces?.place, let picture = surfaces?.buffers.send() {
            let (x, y) = (UInt64(bitPattern: Int64(place.rectangle.x)), UInt64(bitPattern: Int64(place.rectangle.y)))
            set(
                request, surface,
                [
                    "FB_ID": UInt64(picture.framebufferID), "CRTC_ID": UInt64(display.crtcID), "SRC_X": 0, "SRC_Y": 0,
                    "SRC_W": UInt64(place.width) << 16, "SRC_H": UInt64(place.height) << 16, "CRTC_X": x, "CRTC_Y": y,
                    "CRTC_W": UInt64(place.rectangle.width), "CRTC_H": UInt64(place.rectangle.height),
                ])
        }
        let flags = UInt32(DRM_MODE_ATOMIC_NONBLOCK | DRM_MODE_PAGE_FLIP_EVENT)
        let me = Unmanaged.passRetained(self)
        let now = Self.now
        guard drmModeAtomicCommit(display.card.fileDescriptor, request, flags, me.toOpaque()) != 0 else {
            clock.sent(at: now)
            failures = 0
            return
        }
        me.release()
        pictures.takeBack()
        surfaces?.buffers.takeBack()
        // A sink's last SetPlane may be pending: busy for a vblank. Commits that keep failing are not repeated.
        failures += 1
        guard failures < 30 else {
            clock.drop()
            return refuses.store(true, ordering: .relaxed)
        }
        wake(at: clock.refused(at: Self.now))
    }

    private func set(_ request: drmModeAtomicReqPtr, _ plane: Plane, _ values: [String: UInt64]) {
        for (name, value) in values {
            guard let property = plane.properties[name] else { continue }
            drmModeAtomicAddProperty(request, plane.id, property, value)
        }
    }

    private func readEvents() {
        // Another reader may have taken the event, and reading the descriptor would block.
        var state = pollfd(fd: display.card.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&state, 1, 0) > 0 else { return }
        var context = drmEventContext()
        context.version = 3
        context.page_flip_handler2 = { _, _, seconds, microseconds, _, data in
            guard let data else { return }
            let screen = Unmanaged<ScrubScreen>.fromOpaque(data).takeRetainedValue()
            screen.flipped(at: Int64(seconds) * 1_000_000_000 + Int64(microseconds) * 1000)
        }
        drmHandleEvent(display.card.fileDescriptor, &context)
    }

    private func flipped(at time: Int64) {
        clock.flipped(at: time)
        if pictures.withLock({ $0 })?.arrived() == true { shown.add(1, ordering: .relaxed) }
        surfaces.withLock { $0?.buffers }?.arrived()
        if settled.isEmpty { schedule() } else { answer() }
    }
}
