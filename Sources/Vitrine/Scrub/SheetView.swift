internal import Dispatch
internal import KMS
internal import Logging
internal import Media
internal import PlayerCore
internal import ScrubSheet
internal import Synchronization

/// Shows the pictures of a film's sheet, on a queue of its own: only the newest requested place.
///
/// `@unchecked Sendable` because mutable state belongs to `queue`, or is behind a lock.
final class SheetView: @unchecked Sendable {
    private let sheet: ScrubSheet
    private let screen: ScrubScreen
    private let film: any MediaPipeline
    private let output: FilmOutput.Screen
    private let cache: SheetCache?
    private let log: Logger
    private let queue = DispatchQueue(label: "vitrine.sheet", qos: .userInteractive)
    /// Whether the sheet's pictures can be read and shown, as far as is known.
    private let usable = Atomic<Bool>(true)
    private let state = Mutex(State())

    private struct State {
        /// The place of the surface: on its own plane, or in the pictures.
        var surface = SurfaceLocation.nowhere
        /// The newest requested place that is not shown.
        var wanted: MediaTime?
        /// The time of the picture over the film.
        var shownTime: MediaTime?
    }

    // Belongs to the queue.
    private var isCovered = false
    private var preparation = Preparation.none
    private var shown: Shown?
    private var decoder: SheetDecoder?
    /// The last decoded picture.
    private let planes: UnsafeMutableBufferPointer<UInt8>
    private var painter: SheetPainter?
    /// The number of unreadable pictures in a row.
    private var damaged = 0

    /// The place of the OSD surface.
    enum SurfaceLocation: Sendable {
        case nowhere
        case plane(ScrubScreen.SurfacePlace)
        /// Blended into the film's frames.
        case frames(OSDLayout.Rectangle, OSDCompositor)

        /// The place on a plane of its own.
        var place: ScrubScreen.SurfacePlace? { if case .plane(let place) = self { place } else { nil } }
    }

    /// What the screen is set up for: asking the driver would wait for other commits, under the finger.
    private enum Preparation: Equatable {
        case none
        case done(ScrubScreen.SurfacePlace?)
    }

    /// This many damaged pictures in a row mean a broken sheet, a single one means a bad sector.
    private static let mostDamaged = 3

    private struct Shown {
        var entry: SheetEntry
        var color: FilmColor
    }

    /// - Parameters:
    ///   - output: the output of the film.
    ///   - cache: the cache, which evicts the least recently scrubbed sheets first.
    init(
        _ sheet: ScrubSheet, on screen: ScrubScreen, over film: any MediaPipeline, _ output: FilmOutput.Screen,
        cache: SheetCache?, _ log: Logger
    ) {
        self.cache = cache
        planes = .allocate(capacity: SheetPlanes.byteCount(of: sheet.size))
        self.sheet = sheet
        self.screen = screen
        self.film = film
        self.output = output
        self.log = log
    }

    deinit { planes.deallocate() }

    /// Whether the sheet, which may still grow, has a picture within this distance.
    func hasPicture(at time: MediaTime, within distance: MediaTime) -> Bool {
        guard usable.load(ordering: .relaxed), screen.isAccepted else { return false }
        return sheet.nearest(to: time).map { $0.time.distance(to: time) <= distance } ?? false
    }

    /// Prepares for a drag, in case one follows.
    /// - Parameter location: the place of the surface.
    func prepare(surface location: SurfaceLocation) {
        queue.async { [self] in
            guard !isCovered, usable.load(ordering: .relaxed) else { return }
            // A failure here would be repeated under the finger, and is reported then.
            preparation = .none
            _ = try? begin(surface: location)
            guard painter == nil, let entry = sheet.nearest(to: .zero), let picture = try? read(entry) else { return }
            screen.rehearse { _ = paint(picture, on: $0) }
        }
    }

    /// Shows the picture nearest to this place over the film. Returns at once, as all methods here.
    /// - Parameter surface: the surface's place, if the film is not covered yet.
    func show(_ time: MediaTime, surface location: SurfaceLocation) {
        let isFirst = state.withLock { state in
            state.surface = location
            defer { state.wanted = time }
            return state.wanted == nil
        }
        if isFirst { queue.async { [self] in show() } }
    }

    /// Shows an OSD surface together with the pictures. On its streaming thread.
    /// - Returns: whether the plane is not to show it.
    func show(surface pixels: UnsafeRawBufferPointer) -> Bool { screen.drawSurface(pixels) }

    /// Updates the surface that is blended into the pictures, unless a damaged one was decoded since.
    func surfaceChanged() {
        queue.async { [self] in if isCovered, damaged == 0, let shown { _ = draw(shown) } }
    }

    /// The number of the film's own frames so far, those under the pictures among them.
    var filmFrames: UInt64 { film.frames.shown }

    /// Shows the film's own newest frame instead.
    func reveal() {
        state.withLock { $0.wanted = nil }
        queue.async { [self] in uncover() }
    }

    /// Returns once the film's own frame is visible, and no picture of the sheet is pending.
    func revealed() async {
        state.withLock { $0.wanted = nil }
        await withCheckedContinuation { done in
            queue.async { [self] in
                uncover()
                done.resume()
            }
        }
    }

    /// The time of the sheet's picture that is over the film, or will be at the next vblank; `nil` if there is none.
    var pictureTime: MediaTime? { state.withLock(\.shownTime) }

    // MARK: The queue

    private func show() {
        guard let time = state.withLock({ $0.wanted.take() }), usable.load(ordering: .relaxed),
            let entry = sheet.nearest(to: time)
        else { return }
        if !isCovered {
            guard cover() else { return }
        }
        guard screen.isAccepted else {
            log.warning("the display's driver does not take the pictures of the film's scrub sheet")
            return uncover()
        }
        guard entry != shown?.entry else { return }
        do throws(SheetError) {
            guard let next = try read(entry) else { return }
            damaged = 0
            guard draw(next) else { return giveUp("its pictures do not fit the display") }
            shown = next
            state.withLock { $0.shownTime = entry.time }
        } catch {
            damaged += 1
            if damaged >= Self.mostDamaged { giveUp("\(error)") }
        }
    }

    /// Stops using the sheet for this drag. The last picture stays until the film has a frame of its own.
    private func giveUp(_ reason: String) {
        usable.store(false, ordering: .relaxed)
        log.warning("the film's scrub sheet is not used: \(reason)")
        if shown == nil { uncover() }
    }

    private func cover() -> Bool {
        // An unreadable index is reported with its pictures.
        _ = try? sheet.refresh()
        film.cover()
        isCovered = true
        shown = nil
        do throws(KMSError) {
            if try begin(surface: state.withLock(\.surface)) {
                screen.open()
                return true
            }
            giveUp("no film is on the display's plane")
        } catch {
            giveUp("\(error)")
        }
        return false
    }

    private func begin(surface location: SurfaceLocation) throws(KMSError) -> Bool {
        guard preparation != .done(location.place) else { return true }
        let size = SheetPainter.size(width: sheet.size.width, height: sheet.size.height, on: output)
        guard try screen.begin(scaled: size, surface: location.place) else { return false }
        preparation = .done(location.place)
        return true
    }

    private func read(_ entry: SheetEntry) throws(SheetError) -> Shown? {
        if decoder == nil { decoder = try SheetDecoder() }
        guard let decoder, let start = planes.baseAddress else { return nil }
        let picture = try decoder.decode(entry, of: sheet, into: SheetPlanes(size: sheet.size, packedIn: start))
        return Shown(entry: entry, color: picture.color ?? FilmColor(matrix: .bt709))
    }

    /// Draws the last decoded picture, with the current surface.
    private func draw(_ shown: Shown) -> Bool {
        screen.draw { paint(shown, on: $0) }
    }

    private func paint(_ shown: Shown, on canvas: ScrubScreen.Canvas) -> Bool {
        let job = SheetPainter.Job(
            width: sheet.size.width, height: sheet.size.height, color: shown.color, screen: output,
            canvas: SheetPainter.Canvas(canvas))
        if painter?.job != job { painter = SheetPainter(job) }
        guard let painter, painter.paint(UnsafeRawBufferPointer(planes), into: canvas.bytes) else { return false }
        if case .frames(let place, let compositor) = state.withLock(\.surface) {
            compositor.surface?.withPixels { painter.blend($0, at: place, into: canvas.bytes) }
        }
        return true
    }

    private func uncover() {
        guard isCovered else { return }
        isCovered = false
        // The pending picture must be shown first, because it would cover the film later.
        let arrived = DispatchSemaphore(value: 0)
        screen.settle { arrived.signal() }
        _ = arrived.wait(timeout: .now() + .milliseconds(300))
        film.uncover()
        state.withLock { $0.shownTime = nil }
        cache?.noteScrubbed(sheet.film)
    }
}

extension SheetPainter.Canvas {
    fileprivate init(_ canvas: ScrubScreen.Canvas) {
        self.init(
            width: canvas.width, height: canvas.height, format: canvas.format.gstreamerName ?? "I420",
            components: canvas.components.map { .init(offset: $0.offset, pitch: $0.pitch) })
    }
}
