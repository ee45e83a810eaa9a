internal import CDRM
internal import Dispatch
internal import Glibc
public import PlayerCore
internal import Synchronization

/// Shows pictures on the film's plane and the OSD surface on its own, both in one commit for each vblank, which waits
/// for nothing. Two sinks cannot: their SetPlane calls wait for one another, so that each has every other vblank.
///
/// It lives as long as the display. From the first frame drawn until `settle` has answered, nobody else may change these planes: both
/// sinks keep their pictures. All else of the planes, as place, rotation and colours, stays as the film's sink has left it.
///
/// Threads: any, but one draws pictures, and one surfaces. `begin` asks the kernel and may allocate; the rest takes as long as `body`.
///
/// `@unchecked Sendable` because what changes is `queue`'s, or behind a lock.
public final class ScrubScreen: @unchecked Sendable {
    /// A picture's memory while it is drawn.
    public struct Canvas {
        public let width: Int
        public let height: Int
        public let format: PixelFormat
        /// Offset and length of a line of each of the format's planes, in bytes.
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

    /// What a commit takes; those of 4:2:0 first, as sheets have it.
    private static let formats: [PixelFormat] = [.yuv420, .nv12, .xrgb8888, .argb8888]
    /// Over a film in RGB, for which nobody has told the plane how YCbCr is meant.
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
    /// The driver refuses the commits of this drag.
    private let refuses = Atomic<Bool>(false)

    private struct Surfaces: Sendable {
        var place: SurfacePlace
        var buffers: FlipBuffers
    }

    // Of the queue.
    private var clock: VblankClock
    private var isFlying = false
    private var sentAt: Int64 = 0
    private var failures = 0
    private var settled: [@Sendable () -> Void] = []

    /// A plane's properties, by the kernel's numbers.
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

    /// - Returns: `nil` where the driver takes no atomic commits.
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
        // The descriptor outlives the source.
        events.setCancelHandler { [display] in withExtendedLifetime(display) {} }
        timer.resume()
        events.resume()
    }

    deinit {
        timer.cancel()
        events.cancel()
    }

    /// Pictures that reached the screen.
    public var picturesShown: UInt64 { shown.load(ordering: .relaxed) }

    // MARK: Drawing

    /// A drag begins: finds out how large pictures are to be.
    /// - Parameters:
    ///   - scaled: the size of pictures on a plane that scales; `nil` of one that shows what it is given, as large as the film's.
    ///   - place: where surfaces are to lie; `nil` where they have no plane.
    /// - Returns: `false` where no film is on the plane.
    public func begin(scaled: (width: Int, height: Int)?, surface place: SurfacePlace?) throws(KMSError) -> Bool {
        let now = ObjectProperties(of: film.id, type: DRM_MODE_OBJECT_PLANE, on: display.card)
        guard let film = now["FB_ID"]?.value, film != 0, let width = now["SRC_W"]?.value,
            let height = now["SRC_H"]?.value
        else { return false }
        let size = scaled ?? (Int(width >> 16), Int(height >> 16))
        let formats = isRGB(UInt32(truncatingIfNeeded: film)) ? Self.rgbFormats : Self.formats
        guard size.width > 0, size.height > 0, let format = formats.first(where: display.filmPlane.formats.contains)
        else { return false }
        // Its own pictures have left the plane with the film's since.
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
        refuses.store(false, ordering: .relaxed)
        var (sequence, time): (UInt64, UInt64) = (0, 0)
        let isKnown = drmCrtcGetSequence(display.card.fileDescriptor, display.crtcID, &sequence, &time) == 0
        let last: Int64? = isKnown && time > 0 ? Int64(time) : nil
        queue.async { [self] in
            clock = VblankClock(refresh: display.refreshMillihertz)
            clock.last = last
            failures = 0
            // Its event was lost, with a display that was switched off.
            if isFlying, Self.now - sentAt > 200_000_000 {
                isFlying = false
                pictures.withLock { $0 }?.arrived()
                surfaces.withLock { $0?.buffers }?.arrived()
            }
        }
        return true
    }

    private func isRGB(_ framebufferID: UInt32) -> Bool {
        // It may have been exchanged and removed by now.
        guard let framebuffer = drmModeGetFB2(display.card.fileDescriptor, framebufferID) else { return false }
        defer {
            GEMHandles.close(framebuffer.pointee, on: display.card)
            drmModeFreeFB2(framebuffer)
        }
        if case .packed = PixelFormat(rawValue: framebuffer.pointee.pixel_format).layout { return true }
        return false
    }

    /// Draws a picture, which is shown with the next vblank unless a newer one is there by then.
    /// - Parameter body: whether it is to be shown. It must draw all of it: what is there is of an older picture.
    /// - Returns: whether it will be.
    public func draw(_ body: (Canvas) -> Bool) -> Bool {
        guard let pictures = pictures.withLock({ $0 }) else { return false }
        return draw(on: pictures, body)
    }

    /// Whether the driver takes the commits of this drag.
    public var isAccepted: Bool { !refuses.load(ordering: .relaxed) }

    /// The same of the surface.
    /// - Parameter pixels: BGRA, multiplied by alpha, rows without gaps, of the size of `SurfacePlace`.
    /// - Returns: whether it will be shown: not before `open`, and not where its size is another.
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

    /// Pictures are shown from now on, until `settle`; surfaces until `close`.
    public func open() {
        pictures.withLock { $0 }?.open()
        surfaces.withLock { $0?.buffers }?.open()
    }

    /// Surfaces are drawn no more: their plane is another's again once `settle` has answered.
    public func close() {
        // The next drag asks the driver again: a display that was switched off refuses everything.
        refuses.store(false, ordering: .relaxed)
        surfaces.withLock { $0?.buffers }?.close()
    }

    /// What waits is given up, and what is on its way is waited for: the film's plane is its sink's again.
    /// - Parameter then: called on a queue of this object, a vblank later at the latest.
    public func settle(_ then: @escaping @Sendable () -> Void) {
        pictures.withLock { $0 }?.close()
        queue.async { [self] in
            settled.append(then)
            guard isFlying else { return answer() }
            // A display that is switched off flips no more.
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
        guard !isFlying, hasWaiting else { return }
        let now = Self.now
        let due = clock.due(at: now)
        if due <= now {
            commit()
        } else {
            timer.schedule(deadline: .now() + .nanoseconds(Int(due - now)), leeway: .nanoseconds(0))
        }
    }

    private func commit() {
        guard !isFlying, hasWaiting, let pictures = pictures.withLock({ $0 }), let request = drmModeAtomicAlloc() else {
            return
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
        guard drmModeAtomicCommit(display.card.fileDescriptor, request, flags, me.toOpaque()) != 0 else {
            (isFlying, sentAt) = (true, Self.now)
            failures = 0
            return
        }
        me.release()
        pictures.takeBack()
        surfaces?.buffers.takeBack()
        // A sink's last SetPlane may be on its way: busy for a vblank. What is refused for good is not asked again and again.
        failures += 1
        guard failures < 30 else { return refuses.store(true, ordering: .relaxed) }
        timer.schedule(deadline: .now() + .milliseconds(2), leeway: .nanoseconds(0))
    }

    private func set(_ request: drmModeAtomicReqPtr, _ plane: Plane, _ values: [String: UInt64]) {
        for (name, value) in values {
            guard let property = plane.properties[name] else { continue }
            drmModeAtomicAddProperty(request, plane.id, property, value)
        }
    }

    private func readEvents() {
        // Somebody else may have read it: the descriptor waits.
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
        isFlying = false
        clock.last = time
        if pictures.withLock({ $0 })?.arrived() == true { shown.add(1, ordering: .relaxed) }
        surfaces.withLock { $0?.buffers }?.arrived()
        if settled.isEmpty { schedule() } else { answer() }
    }
}
