internal import Dispatch
internal import KMS
internal import Logging
internal import Media
internal import PlayerCore
internal import ScrubSheet
internal import Synchronization

/// Brings the pictures of a film's sheet to the screen, on a queue of its own: the newest place that was asked for, and no other.
///
/// `@unchecked Sendable` because what changes is `queue`'s, or behind a lock.
final class SheetView: @unchecked Sendable {
    private let sheet: ScrubSheet
    private let screen: ScrubScreen
    private let film: any MediaPipeline
    private let output: FilmOutput.Screen
    private let cache: SheetCache?
    private let log: Logger
    private let queue = DispatchQueue(label: "vitrine.sheet", qos: .userInteractive)
    /// Where the strip is blended into the pictures; `nil` where it has a plane.
    private let stripPlace: OSDLayout.Rectangle?
    /// The newest place that was asked for and is not shown.
    private let wish = Mutex<MediaTime?>(nil)
    /// The newest strip that is to be blended in.
    private let strip = Mutex<[UInt8]>([])

    private let over = Mutex<MediaTime?>(nil)

    // Of the queue.
    private var isCovered = false
    private var shown: Shown?
    private var decoder: SheetDecoder?
    /// What was decoded last.
    private let planes: UnsafeMutableBufferPointer<UInt8>
    private var painter: SheetPainter?
    /// What could not be read, or not be drawn: nothing more of this sheet is shown.
    private var hasFailed = false

    private struct Shown {
        var entry: SheetEntry
        var color: FilmColor
    }

    /// - Parameters:
    ///   - output: where the film is shown.
    ///   - cache: whose least recently scrubbed sheets go first.
    ///   - stripPlace: where the strip is blended into the film's pictures; `nil` where it has a plane.
    init(
        _ sheet: ScrubSheet, on screen: ScrubScreen, over film: any MediaPipeline, _ output: FilmOutput.Screen,
        stripPlace: OSDLayout.Rectangle?, cache: SheetCache?, _ log: Logger
    ) {
        self.cache = cache
        self.stripPlace = stripPlace
        planes = .allocate(capacity: SheetPlanes.byteCount(of: sheet.size))
        self.sheet = sheet
        self.screen = screen
        self.film = film
        self.output = output
        self.log = log
    }

    deinit { planes.deallocate() }

    /// Whether the sheet, which may still grow, has a picture no farther from this place.
    func hasPicture(at time: MediaTime, within distance: MediaTime) -> Bool {
        sheet.nearest(to: time).map { $0.time.distance(to: time) <= distance } ?? false
    }

    /// The nearest picture to this place, over the film. Returns at once, as all does here.
    func show(_ time: MediaTime) {
        let isFirst = wish.withLock { wish in
            defer { wish = time }
            return wish == nil
        }
        if isFirst { queue.async { [self] in show() } }
    }

    /// A strip of the on-screen display comes with the pictures. On its streaming thread.
    /// - Returns: whether the plane is not to show it.
    func show(strip pixels: UnsafeRawBufferPointer) -> Bool {
        guard stripPlace != nil else {
            screen.drawStrip(pixels)
            return true
        }
        strip.withLock { $0 = Array(pixels) }
        queue.async { [self] in if isCovered, let shown { draw(shown) } }
        // Where the sheet's pictures go, the film's have it.
        return false
    }

    /// The film's own newest picture in its place.
    func reveal() {
        wish.withLock { $0 = nil }
        queue.async { [self] in uncover() }
    }

    /// The time of the sheet's picture that lies over the film, or will with the next vblank; `nil` where none does.
    var pictureTime: MediaTime? { over.withLock { $0 } }

    // MARK: The queue

    private func show() {
        guard let time = wish.withLock({ $0.take() }), !hasFailed, let entry = sheet.nearest(to: time) else { return }
        do throws(SheetError) {
            if !isCovered {
                guard try cover() else { return }
            } else if entry == shown?.entry {
                return
            }
            guard let next = try read(entry) else { return }
            shown = next
            over.withLock { $0 = entry.time }
            draw(next)
        } catch {
            hasFailed = true
            log.warning("the film's scrub sheet is not used: \(error)")
            uncover()
        }
    }

    private func cover() throws(SheetError) -> Bool {
        try sheet.refresh()
        film.cover()
        isCovered = true
        shown = nil
        do throws(KMSError) {
            let size = SheetPainter.size(width: sheet.size.width, height: sheet.size.height, on: output)
            if try screen.begin(scaled: size) {
                screen.open()
                return true
            }
        } catch {
            log.warning("the film's scrub sheet is not shown: \(error)")
            hasFailed = true
        }
        uncover()
        return false
    }

    private func read(_ entry: SheetEntry) throws(SheetError) -> Shown? {
        if decoder == nil { decoder = try SheetDecoder() }
        guard let decoder, let start = planes.baseAddress else { return nil }
        let picture = try decoder.decode(entry, of: sheet, into: SheetPlanes(size: sheet.size, packedIn: start))
        return Shown(entry: entry, color: picture.color ?? FilmColor(matrix: .bt709))
    }

    /// What was read last, with the strip that holds now.
    private func draw(_ shown: Shown) {
        let strip = stripPlace == nil ? [] : strip.withLock { $0 }
        screen.draw { canvas in
            let job = SheetPainter.Job(
                width: sheet.size.width, height: sheet.size.height, color: shown.color, screen: output,
                canvas: SheetPainter.Canvas(canvas))
            if painter?.job != job { painter = SheetPainter(job) }
            guard let painter, painter.paint(UnsafeRawBufferPointer(planes), into: canvas.bytes) else { return false }
            if let stripPlace, !strip.isEmpty {
                strip.withUnsafeBytes { painter.blend($0, at: stripPlace, into: canvas.bytes) }
            }
            return true
        }
    }

    private func uncover() {
        guard isCovered else { return }
        isCovered = false
        over.withLock { $0 = nil }
        // Not before what is on its way is there: it would come over the film.
        let arrived = DispatchSemaphore(value: 0)
        screen.settle { arrived.signal() }
        arrived.wait()
        film.uncover()
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
