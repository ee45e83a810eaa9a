internal import CDRM
internal import Glibc
public import PlayerCore
internal import Synchronization

/// One display, opened for playback: owner of the card's file descriptor and of the black picture below the film.
///
/// Hold it for the life of the process. Users of `fileDescriptor` (kmssink) must not close it.
///
/// Threads: all members may be used from any thread. `open`, `reopened`, `pollConnected`, `currentState`, `hidePlane`,
/// `showBackground`, `setFilmColor`, `setMode`, `setPower`, `restore` and `capture` make calls that wait for the
/// display: usually a frame (about 16 ms) each, some 100 ms for setting a mode and for asking a display, up to 2 s for
/// a capture. Call them on a queue that may block, never on the one that serves the touch panel.
public final class Display: Sendable {
    /// The capabilities of the film's plane, as the driver reported them when the display was opened. A plane that
    /// cannot be asked is assumed not to scale or turn, and to accept pictures of any size.
    public struct FilmPlane: Hashable, Sendable {
        /// The plane's KMS id, for kmssink's `plane-id`.
        public let id: UInt32
        /// Whether the plane is a primary plane, which fills the display, or an overlay.
        public let kind: DisplayInventory.Plane.Kind
        /// In the driver's order of preference.
        public let formats: [PixelFormat]
        /// Whether the plane scales. If not, the pipeline must scale.
        public let canScale: Bool
        /// Whether the plane only accepts pictures of the display's size: then the pipeline adds the black borders.
        public let mustCover: Bool
        /// Whether the plane itself does all of `Display.transform` once `planeProperties` are set; `true` if there is
        /// nothing to turn. The driver was asked with the picture's sides swapped if the transform swaps them. If not,
        /// the pipeline must turn.
        public let turns: Bool
        /// The matrices that `setFilmColor` can choose; empty if the driver gives no choice.
        public let colorEncodings: [ColorEncoding]
        /// Whether `setFilmColor` can choose the range; if not, it is the limited one.
        public let hasColorRanges: Bool
        /// For kmssink's `plane-properties`; `nil` if there is nothing to set.
        public let planeProperties: String?
    }

    /// The capabilities of the OSD's plane, as for `FilmPlane`.
    public struct OSDPlane: Hashable, Sendable {
        /// The plane's KMS id, for kmssink's `plane-id`.
        public let id: UInt32
        /// In the driver's order of preference.
        public let formats: [PixelFormat]
        /// Whether the plane expects colours that are multiplied by their alpha, once `planeProperties` are set.
        public let isPreMultiplied: Bool
        /// As for the film's plane; if not, the OSD must be drawn turned.
        public let turns: Bool
        /// For kmssink's `plane-properties`; `nil` if there is nothing to set.
        public let planeProperties: String?
    }

    /// The choice with its reasons, and with a further one for each part that the device refused.
    public var choice: DisplayChoice { chosen.withLock { $0 } }
    /// The plane of the film's frames.
    public let filmPlane: FilmPlane
    /// `nil` if the display has no plane for the OSD: then it must be drawn into the film's frames.
    public let osdPlane: OSDPlane?

    /// The card's descriptor, which is master, for kmssink's `fd`. Valid as long as this object; others must not close
    /// it. Do not read DRM events from it: `ScrubScreen` reads them all.
    public var fileDescriptor: Int32 { card.fileDescriptor }
    /// For kmssink's `connector-id`.
    public let connectorID: UInt32
    /// The KMS id of the CRTC, which reads out the planes to the connector.
    public var crtcID: UInt32 { crtc.id }
    /// The current mode. `setMode` changes its rate, never its size.
    public var mode: DisplayMode { choice.mode }
    /// Pixels.
    public var width: Int { choice.mode.width }
    /// Lines.
    public var height: Int { choice.mode.height }
    /// From the viewer's space to the display's.
    public let transform: DisplayTransform
    /// Width and height in the viewer's space: the display's, with sides swapped if the transform swaps them. Pixels.
    public var logicalSize: (width: Int, height: Int) {
        let mode = choice.mode
        return transform.size(width: mode.width, height: mode.height)
    }
    /// As `DisplayMode.refreshMillihertz`.
    public var refreshMillihertz: Int { choice.mode.refreshMillihertz }
    /// The picture's size; `nil` if the display does not report it.
    public var millimetres: Millimetres? { choice.millimetres }

    let card: CardHandle
    let writeback: WritebackConnector?
    /// Created at the first capture by writeback; locked during a capture.
    let writebackJobs = Mutex<WritebackJobs?>(nil)
    let chosen: Mutex<DisplayChoice>
    let crtc: CRTCControl
    /// The earlier state of the CRTCs that were taken over.
    let saved: [SavedScreen]
    private let filmColor: FilmColorProperties
    /// The black framebuffer, until the display is restored.
    let background: Mutex<DumbBuffer?>

    /// Reads the cards, chooses, and opens.
    public static func open(_ request: DisplayRequest) throws(KMSError) -> Display {
        try open(DisplayChoice.choose(from: .read(for: request, asksForScaling: false), request: request))
    }

    /// Takes the display over: black, in the chosen mode, all planes off.
    ///
    /// - Throws: `noPermission`, `displayHeld` after `holdersPatience`, or `systemCall` if the kernel refuses the mode.
    ///   The display's earlier contents are restored then.
    public static func open(_ choice: DisplayChoice) throws(KMSError) -> Display {
        let card = try CardHandle(of: choice)
        try becomeMaster(of: card)
        let saved = SavedScreen(of: choice.crtcID, on: card)
        do throws(KMSError) {
            return try Display(choice, on: card, saved: [saved])
        } catch {
            try? saved.restore(on: card)
            throw error
        }
    }

    /// The choice for a request once a display is connected, `nil` while none is. Meant for polling; every second is
    /// often enough.
    public static func pollConnected(_ request: DisplayRequest) throws(KMSError) -> DisplayChoice? {
        do throws(KMSError) {
            return try DisplayChoice.choose(from: .read(for: request, asksForScaling: false), request: request)
        } catch .noConnectedDisplay, .connectorNotConnected {
            return nil
        }
    }

    /// Takes the display over on a card that this process is master of.
    init(_ request: DisplayChoice, on card: CardHandle, saved: [SavedScreen]) throws(KMSError) {
        let crtc = CRTCControl(id: request.crtcID, card: card)
        var choice = request
        var background = try Self.takeOver(crtc, &choice)
        choice = try Self.decided(choice, on: card, background: background)
        background = try Self.turned(background, crtc, &choice)
        transform = choice.transform
        let filmColor = FilmColorProperties(of: choice.filmPlane.id, on: card)
        self.filmColor = filmColor
        let isUpright = choice.transform == .identity
        filmPlane = FilmPlane(
            id: choice.filmPlane.id, kind: choice.filmPlane.kind, formats: choice.filmPlane.formats,
            canScale: choice.filmPlane.scales == true, mustCover: choice.filmPlane.mustCover == true,
            turns: isUpright || choice.filmPlane.rotation != nil, colorEncodings: filmColor.encodings,
            hasColorRanges: filmColor.hasRanges, planeProperties: choice.filmPlane.planeProperties)
        osdPlane = choice.osdPlane.map {
            OSDPlane(
                id: $0.id, formats: $0.formats, isPreMultiplied: $0.isPreMultiplied,
                turns: isUpright || $0.rotation != nil, planeProperties: $0.planeProperties)
        }
        // A rotation that another program left set would turn pictures without a request.
        for plane in [choice.filmPlane, choice.osdPlane].compactMap({ $0 }) where plane.kind != .primary {
            _ = RotationProperty(of: plane.id, on: card)?.set(plane.rotation ?? .rotate0, on: card)
        }
        self.card = card
        self.crtc = crtc
        self.saved = saved
        connectorID = choice.connectorID
        writeback = WritebackConnector(for: choice.crtcID, on: card)
        chosen = Mutex(choice)
        self.background = Mutex(background)
        // Drivers differ in their default (vkms: full range); a film is limited range unless it says otherwise.
        try? filmColor.set(.bt709, .limited, on: card)
    }

    deinit {
        try? restore()
    }

    /// Switches a plane off, which uncovers the planes below.
    public func hidePlane(_ id: UInt32) throws(KMSError) {
        try checkOpen()
        try crtc.switchOff(id)
    }

    /// Puts the black picture back on the primary plane, if the film is there. Call it before the film's sink is
    /// stopped, because the kernel switches off a CRTC whose primary plane loses its framebuffer. Does nothing if the
    /// film is on another plane.
    public func showBackground() throws(KMSError) {
        guard filmPlane.kind == .primary else { return try checkOpen() }
        let choice = choice
        let result = background.withLock { background -> Result<Void, KMSError> in
            guard let background else { return .failure(.displayRestored) }
            do throws(KMSError) {
                return .success(
                    try crtc.place(
                        background, on: filmPlane.id, width: choice.mode.width, height: choice.mode.height,
                        rotation: choice.filmPlane.rotation))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Sets the colours in which the film's plane reads YCbCr, from the film's caps; kmssink does not do so. Does
    /// nothing if the driver gives no choice.
    public func setFilmColor(_ encoding: ColorEncoding, range: ColorRange) throws(KMSError) {
        try checkOpen()
        try filmColor.set(encoding, range, on: card)
    }

    /// Gives the display back: all planes off, the earlier picture shown again (or off, if it no longer exists), master
    /// given up. Stop the sinks before; one that still runs (stuck) ends with "permission denied". Later calls do
    /// nothing. The kernel's own console returns at the latest when the card's last user closes it.
    public func restore() throws(KMSError) {
        let result = background.withLock { background -> Result<Void, KMSError> in
            guard background != nil else { return .success(()) }
            // Released after the earlier screen is shown: removing a framebuffer that is shown switches the CRTC off.
            defer { background = nil }
            var result = giveBack()
            // A sink that still runs may show one more frame until master is given up, which stops it. That frame is
            // removed again.
            var roundsLeft = 5
            while roundsLeft > 0, result.hadPlanes {
                Self.waitForFrame()
                guard !card.isLent, crtc.planes().contains(where: { !$0.isPrimary }),
                    drmSetMaster(card.fileDescriptor) == 0
                else { break }
                result = giveBack()
                roundsLeft -= 1
            }
            return result.screen
        }
        try result.get()
    }

    /// Switches the planes off, shows the earlier screen, gives up master.
    private func giveBack() -> (hadPlanes: Bool, screen: Result<Void, KMSError>) {
        defer { if !card.isLent { drmDropMaster(card.fileDescriptor) } }
        let planes = crtc.planes().filter { !$0.isPrimary }
        for plane in planes { try? crtc.switchOff(plane.id) }
        for plane in [filmPlane.id, osdPlane?.id].compactMap({ $0 }) where plane != choice.primaryPlaneID {
            _ = RotationProperty(of: plane, on: card)?.set(.rotate0, on: card)
        }
        var result: Result<Void, KMSError> = .success(())
        for screen in saved {
            do throws(KMSError) { try screen.restore(on: card) } catch { result = .failure(error) }
        }
        return (!planes.isEmpty, result)
    }

    /// Waits for a SetPlane that was accepted before master was given up: 40 ms, two frames at 50 Hz.
    private static func waitForFrame() {
        poll(nil, 0, 40)
    }

    /// - Throws: `displayRestored` after `restore()`.
    func checkOpen() throws(KMSError) {
        guard background.withLock({ $0 != nil }) else { throw .displayRestored }
    }

    private static func becomeMaster(of card: CardHandle) throws(KMSError) {
        // The first opener is master already. This request is for a card whose master has let go of it. A lease's
        // holder is master as long as the lender is.
        guard !card.isMaster else { return }
        let end = ContinuousClock.now + holdersPatience
        while card.isLent || drmSetMaster(card.fileDescriptor) != 0 {
            guard !card.isLent, ContinuousClock.now < end else {
                throw .displayHeld(card: card.path, holders: DeviceHolder.holders(of: card.path))
            }
            poll(nil, 0, 20)
        }
    }

    /// How long to wait for another holder. The opener of a card without a master is its master until it closes it:
    /// `vitrine displays` for a moment, and a process that has just ended for as long as the kernel needs.
    public static let holdersPatience = Duration.seconds(1)

    /// Shows a black picture in the choice's mode, or in the first of its fallbacks that the driver accepts; refusals
    /// become reasons.
    private static func takeOver(_ crtc: CRTCControl, _ choice: inout DisplayChoice) throws(KMSError) -> DumbBuffer {
        var first: KMSError?
        var background: DumbBuffer?
        for mode in [choice.mode] + choice.fallbackModes {
            do throws(KMSError) {
                let black: DumbBuffer
                if let background, background.width == mode.width, background.height == mode.height {
                    black = background
                } else {
                    black = try DumbBuffer(on: crtc.card, width: mode.width, height: mode.height, format: .xrgb8888)
                }
                background = black
                try crtc.show(black, mode: mode, connectorID: choice.connectorID, name: choice.connectorName)
                choice.mode = mode
                return black
            } catch .systemCall(let operation, let object, let code)
                where [EINVAL, ENOSPC, ERANGE, ENOENT].contains(code)
            {
                let error = KMSError.systemCall(operation: operation, object: object, code: code)
                first = first ?? error
                choice.refuse(mode, because: "\(error)")
            }
        }
        throw first
            ?? .noSuchMode(
                requested: ModeRequest(width: choice.mode.width, height: choice.mode.height),
                connector: choice.connectorName, available: [])
    }

    /// The choice with the driver's answers, if it can be asked.
    private static func decided(
        _ choice: DisplayChoice, on card: CardHandle, background: DumbBuffer
    ) throws(KMSError) -> DisplayChoice {
        guard card.isAtomic, let probe = try? PlaneProbe(choice: choice, on: card, background: background) else {
            var choice = choice
            choice.filmPlane.rotation = nil
            choice.osdPlane?.rotation = nil
            choice.reasons.append("the pipeline scales and turns the film: the driver cannot be asked what it does")
            return choice
        }
        return try probe.decide()
    }

    /// The black picture for a primary plane that turns the film: it has the viewer's size. A plane that shows a
    /// picture only accepts a rotation that fits the picture.
    private static func turned(
        _ background: DumbBuffer, _ crtc: CRTCControl, _ choice: inout DisplayChoice
    ) throws(KMSError) -> DumbBuffer {
        guard choice.filmPlane.kind == .primary, let rotation = choice.filmPlane.rotation else { return background }
        do throws(KMSError) {
            let size = choice.transform.size(width: choice.mode.width, height: choice.mode.height)
            let turned =
                rotation.swapsSides
                ? try DumbBuffer(on: crtc.card, width: size.width, height: size.height, format: .xrgb8888) : background
            try crtc.place(
                turned, on: choice.filmPlane.id, width: choice.mode.width, height: choice.mode.height,
                rotation: rotation)
            return turned
        } catch {
            choice.filmPlane.rotation = nil
            choice.reasons.append("the pipeline turns the film: \(error)")
            return background
        }
    }
}
