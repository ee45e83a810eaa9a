internal import CDRM
internal import Glibc
internal import Synchronization

/// One display, opened to be played on: owner of the card's file descriptor and of the black picture below the film.
///
/// Hold it for the life of the process. Whoever is handed `fileDescriptor` (kmssink) must not close it.
///
/// Threads: all members may be used from any thread. `open`, `hidePlane`, `setFilmColor`, `restore`, `pollConnected` and
/// `capture` make calls that wait for the display: a frame (about 16 ms) each as a rule, some 100 ms for a mode, up to
/// 2 s for a capture. Call them on a queue that may block, never on the one that serves the touch panel.
public final class Display: Sendable {
    public struct FilmPlane: Hashable, Sendable {
        public let id: UInt32
        public let kind: DisplayInventory.Plane.Kind
        public let formats: [PixelFormat]
        /// Whether it shows a picture in another size than its own. Else the pipeline has to scale.
        public let canScale: Bool
        /// For kmssink's `plane-properties`; `nil` if there is nothing to set.
        public let planeProperties: String?
    }

    public struct OSDPlane: Hashable, Sendable {
        public let id: UInt32
        public let formats: [PixelFormat]
        /// Whether pixels are to be handed over with their colours multiplied by their alpha, once `planeProperties`
        /// are set.
        public let isPreMultiplied: Bool
        /// For kmssink's `plane-properties`; `nil` if there is nothing to set.
        public let planeProperties: String?
    }

    /// What was chosen, and why; with a reason added where the device refused a part of it.
    public let choice: DisplayChoice
    public let filmPlane: FilmPlane
    /// `nil` if the display has no plane for it: then the OSD has to be drawn into the film's pictures.
    public let osdPlane: OSDPlane?

    /// The card, master, for kmssink's `fd`. Valid as long as this object; not to be closed by others. Ask for no DRM
    /// events on it: kmssink reads those of others as its own.
    public var fileDescriptor: Int32 { card.fileDescriptor }
    public var connectorID: UInt32 { choice.connectorID }
    public var crtcID: UInt32 { choice.crtcID }
    public var mode: DisplayMode { choice.mode }
    /// Pixels.
    public var width: Int { choice.mode.width }
    /// Lines.
    public var height: Int { choice.mode.height }
    public var refreshMillihertz: Int { choice.mode.refreshMillihertz }
    /// The picture's size; `nil` where the display does not tell it.
    public var millimetres: Millimetres? { choice.millimetres }

    let card: CardHandle
    let writeback: WritebackConnector?
    /// Made at the first capture by writeback; locked while one is made.
    let writebackJobs = Mutex<WritebackJobs?>(nil)
    private let saved: SavedScreen
    private let filmColor: FilmColorProperties
    /// The black framebuffer, as long as the display is ours.
    private let background: Mutex<DumbBuffer?>

    /// Reads the cards, chooses, and opens.
    public static func open(_ request: DisplayRequest) throws(KMSError) -> Display {
        try open(DisplayChoice.choose(from: .read(), request: request))
    }

    /// Takes the display over: black, in the chosen mode, all planes off.
    ///
    /// - Throws: `noPermission`, `displayHeld`, or `systemCall` if the kernel refuses the mode. What the display showed
    ///   before is back then.
    public static func open(_ choice: DisplayChoice) throws(KMSError) -> Display {
        try Display(choice)
    }

    /// The choice for a request once a display is connected, `nil` while none is: for a caller that looks again from time
    /// to time (every second is often enough).
    public static func pollConnected(_ request: DisplayRequest) throws(KMSError) -> DisplayChoice? {
        do throws(KMSError) {
            return try DisplayChoice.choose(from: .read(), request: request)
        } catch .noConnectedDisplay, .connectorNotConnected {
            return nil
        }
    }

    private init(_ chosen: DisplayChoice) throws(KMSError) {
        let card = try CardHandle(path: chosen.card)
        try Self.becomeMaster(of: card)
        let saved = SavedScreen(of: chosen.crtcID, on: card)
        let background = try DumbBuffer(
            on: card, width: chosen.mode.width, height: chosen.mode.height, format: .xrgb8888)
        do throws(KMSError) {
            try Self.show(background, choice: chosen, on: card)
        } catch {
            try? saved.restore(on: card)
            throw error
        }

        var choice = chosen
        let probe = card.isAtomic ? try? PlaneProbe(choice: chosen, on: card, background: background) : nil
        let scales = probe?.scales(planeID: chosen.filmPlane.id, formats: chosen.filmPlane.formats) ?? false
        choice.reasons.append(
            scales
                ? "plane \(chosen.filmPlane.id) scales the film: the driver took a test of it"
                : "the pipeline scales the film: plane \(chosen.filmPlane.id) does not")
        if let osd = chosen.osdPlane, let probe, !probe.acceptsOSD(on: osd) {
            choice.osdPlane = nil
            choice.reasons.append("no plane for the OSD: the driver refused \(osd.id) above the film")
        }
        filmPlane = FilmPlane(
            id: choice.filmPlane.id, kind: choice.filmPlane.kind, formats: choice.filmPlane.formats, canScale: scales,
            planeProperties: choice.filmPlane.planeProperties)
        osdPlane = choice.osdPlane.map {
            OSDPlane(
                id: $0.id, formats: $0.formats, isPreMultiplied: $0.isPreMultiplied, planeProperties: $0.planeProperties
            )
        }
        self.card = card
        self.saved = saved
        self.choice = choice
        filmColor = FilmColorProperties(of: choice.filmPlane.id, on: card)
        writeback = WritebackConnector(for: choice.crtcID, on: card)
        self.background = Mutex(background)
        // Drivers differ in what they start with (vkms: full range); a film is limited range unless it says otherwise.
        try? filmColor.set(.bt709, .limited, on: card)
    }

    deinit {
        try? restore()
    }

    /// Switches a plane off: what lies below it is seen.
    public func hidePlane(_ id: UInt32) throws(KMSError) {
        try checkOpen()
        try Self.switchOff(id, of: crtcID, on: card)
    }

    /// Sets how the film's plane reads YCbCr: as the film's caps tell it. kmssink does not do so by itself. Does nothing
    /// where the driver gives no choice.
    public func setFilmColor(_ encoding: ColorEncoding, range: ColorRange) throws(KMSError) {
        try checkOpen()
        try filmColor.set(encoding, range, on: card)
    }

    /// Gives the display back: all planes off, the picture from before shown again (off, if it is no more), master given
    /// up. Stop the sinks before; one that runs on nevertheless (stuck) ends with "permission denied". Later calls do
    /// nothing. The kernel's own console returns at the latest when the card's last user closes it.
    public func restore() throws(KMSError) {
        let result = background.withLock { background -> Result<Void, KMSError> in
            guard background != nil else { return .success(()) }
            // After the screen from before is shown: removing a framebuffer that is shown switches the CRTC off.
            defer { background = nil }
            var result = giveBack()
            // A sink that still runs shows its next frame as soon as it may: seen after master is given up, which ends
            // it, that frame is taken off again.
            var roundsLeft = 5
            while roundsLeft > 0, result.hadPlanes {
                Self.waitForFrame()
                guard Self.planes(of: crtcID, on: card).contains(where: { !$0.isPrimary }),
                    drmSetMaster(card.fileDescriptor) == 0
                else { break }
                result = giveBack()
                roundsLeft -= 1
            }
            return result.screen
        }
        try result.get()
    }

    /// Switches the planes off, shows the screen from before, gives up master.
    private func giveBack() -> (hadPlanes: Bool, screen: Result<Void, KMSError>) {
        defer { drmDropMaster(card.fileDescriptor) }
        let planes = Self.planes(of: crtcID, on: card).filter { !$0.isPrimary }
        for plane in planes { try? Self.switchOff(plane.id, of: crtcID, on: card) }
        do throws(KMSError) {
            return (!planes.isEmpty, .success(try saved.restore(on: card)))
        } catch {
            return (!planes.isEmpty, .failure(error))
        }
    }

    /// Long enough for a SetPlane that was let in before master was given up: 40 ms, two frames at 50 Hz.
    private static func waitForFrame() {
        poll(nil, 0, 40)
    }

    /// - Throws: `displayRestored` after `restore()`.
    func checkOpen() throws(KMSError) {
        guard background.withLock({ $0 != nil }) else { throw .displayRestored }
    }

    /// The planes that are on a CRTC now.
    static func planes(of crtcID: UInt32, on card: CardHandle) -> [(id: UInt32, isPrimary: Bool)] {
        PlaneList.ids(on: card).filter { PlaneList.crtc(of: $0, on: card) == crtcID }.map { id in
            let kind = ObjectProperties(of: id, type: DRM_MODE_OBJECT_PLANE, on: card)["type"]?.value
            return (id, kind == UInt64(DRM_PLANE_TYPE_PRIMARY))
        }
    }

    private static func becomeMaster(of card: CardHandle) throws(KMSError) {
        // The first opener is master already; asking again is for a card whose master has let go of it.
        guard !card.isMaster, drmSetMaster(card.fileDescriptor) != 0 else { return }
        throw .displayHeld(card: card.path, holders: DeviceHolder.holders(of: card.path))
    }

    private static func show(_ background: DumbBuffer, choice: DisplayChoice, on card: CardHandle) throws(KMSError) {
        // Planes first: one that another program left on may not fit the new mode.
        for plane in planes(of: choice.crtcID, on: card) where !plane.isPrimary {
            try switchOff(plane.id, of: choice.crtcID, on: card)
        }
        var timings = try choice.mode.timings(connectorID: choice.connectorID, on: card)
        var connector = choice.connectorID
        guard
            drmModeSetCrtc(
                card.fileDescriptor, choice.crtcID, background.framebufferID, 0, 0, &connector, 1, &timings) == 0
        else {
            let code = errno
            if code == EACCES || code == EBUSY {
                throw .displayHeld(card: card.path, holders: DeviceHolder.holders(of: card.path))
            }
            throw .failed("drmModeSetCrtc \(choice.mode)", on: "\(choice.connectorName) of \(card.path)", code: code)
        }
    }

    private static func switchOff(_ plane: UInt32, of crtcID: UInt32, on card: CardHandle) throws(KMSError) {
        if drmModeSetPlane(card.fileDescriptor, plane, crtcID, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) != 0 {
            throw .failed("drmModeSetPlane", on: "plane \(plane) of \(card.path)")
        }
    }
}
