public import PlayerCore

/// The card, connector, mode and planes that Vitrine uses, with the reasons.
public struct DisplayChoice: Codable, Hashable, Sendable {
    /// The card's node.
    public var card: String
    /// The request's descriptor, if it had one: valid in the process that made the choice.
    public var fileDescriptor: Int32?
    /// The card's kernel driver, such as `vc4`.
    public var driver: String
    /// The kernel's id, for kmssink's `connector-id`.
    public var connectorID: UInt32
    public var connectorName: String
    /// The picture's size; `nil` if the display does not report it.
    public var millimetres: Millimetres?
    /// The transform that compensates for the panel's mounting.
    public var panelOrientation: DisplayTransform
    /// From the viewer's space to the display's: the request's transform, then the panel's.
    public var transform: DisplayTransform
    public var crtcID: UInt32
    public var mode: DisplayMode
    /// The modes to try if the driver refuses `mode`, the best first.
    public var fallbackModes: [DisplayMode]
    /// How film and OSD share the planes.
    public var step: DisplayStep
    /// The plane below all others, for a black background; `nil` if the driver shows none.
    public var primaryPlaneID: UInt32?
    public var filmPlane: PlaneChoice
    /// `nil` if the OSD has no plane: in the step `composited` it is drawn into the film's frames.
    public var osdPlane: PlaneChoice?
    /// The layouts to try if the driver refuses these planes, the best first.
    public var alternatives: [PlaneLayout]
    /// One sentence for each choice.
    public var reasons: [String]
    /// Reasons that report a mode which the driver refused: worth a warning.
    public var refusals: [String] = []

    /// Chooses by capability; touches no device.
    ///
    /// The connector is the requested one, else the first connected one that leads to a display. The mode is the
    /// requested one, else the display's preferred one, but at most 1920x1080 if the display offers that. The planes
    /// follow `PlaneRule`; `tested()` asks for what the inventory does not say.
    /// - Throws: `noPermission`, `noConnectedDisplay`, `noSuchConnector`, `connectorNotConnected`, `noSuchMode`,
    ///   `noCRTC`, `noFilmPlane`, `noOSDPlane`.
    public static func choose(
        from inventory: DisplayInventory, request: DisplayRequest = DisplayRequest()
    ) throws(KMSError) -> DisplayChoice {
        let (card, connector, connectorReason) = try chooseConnector(from: inventory, named: request.connector)
        let (mode, modeReason) = try ModeRule.choose(for: connector, request: request.mode)
        guard let crtcID = chooseCRTC(for: connector, on: card) else {
            throw .noCRTC(card: card.path, connector: connector.name)
        }
        let planes = PlaneRule.choose(from: card.planes, crtcID: crtcID, osd: request.osd)
        let panel = connector.panelOrientation?.transform ?? .identity
        let transform = request.transform.then(panel)
        var layouts = planes.layouts
        if request.planeRotation {
            for index in layouts.indices {
                // The black picture below a composited film that is not on the primary plane has the OSD too, unturned.
                if layouts[index].step == .composited, layouts[index].film.kind != .primary { continue }
                layouts[index].film.turn(by: transform)
                layouts[index].osd?.turn(by: transform)
            }
        }
        guard let layout = layouts.first else {
            throw planes.hasFilmPlane
                ? .noOSDPlane(card: card.path, connector: connector.name)
                : .noFilmPlane(card: card.path, connector: connector.name)
        }
        var choice = DisplayChoice(
            card: card.path, fileDescriptor: request.fileDescriptor, driver: card.driver, connectorID: connector.id,
            connectorName: connector.name, millimetres: connector.millimetres, panelOrientation: panel,
            transform: transform, crtcID: crtcID, mode: mode,
            fallbackModes: ModeRule.fallbacks(from: mode, in: connector.modes), step: layout.step,
            primaryPlaneID: planes.primary, filmPlane: layout.film, osdPlane: layout.osd,
            alternatives: Array(layouts.dropFirst()), reasons: [connectorReason, modeReason])
        if let orientation = connector.panelOrientation, orientation != .normal {
            choice.reasons.append("turned by \(panel): the panel is mounted \"\(orientation.rawValue)\"")
        }
        choice.use(layout)
        return choice
    }

    /// The choice after TEST_ONLY commits, as `Display.open` makes them: the step of the ladder, and whether planes
    /// scale and turn the film. Changes nothing on the screen. If the card does not support atomic commits, or another
    /// program is its master, the choice stays the same, and a reason says so.
    ///
    /// Makes calls that may wait for the display; opens the card for the duration of the call.
    /// - Throws: `noOSDPlane`, `unsupported` if the driver accepts no mode, and the errors of opening the card.
    public func tested() throws(KMSError) -> DisplayChoice {
        let handle = try CardHandle(of: self)
        guard handle.isAtomic, handle.isMaster else {
            var choice = self
            choice.reasons.append(
                handle.isAtomic
                    ? "the driver was not asked: another program holds the display"
                    : "the driver cannot be asked: it takes no atomic commits")
            return choice
        }
        var choice = self
        for mode in [mode] + fallbackModes {
            choice.mode = mode
            if let probe = try? PlaneProbe(choice: choice, on: handle) { return try probe.decide() }
            choice.refuse(mode, because: "the driver refused a test of it")
        }
        throw .unsupported("\(card) takes no mode on \(connectorName)")
    }

    mutating func refuse(_ mode: DisplayMode, because reason: String) {
        let refusal = "mode \(mode) is not possible: \(reason)"
        refusals.append(refusal)
        reasons.append(refusal)
    }

    /// Adopts the layout, with its reasons.
    mutating func use(_ layout: PlaneLayout) {
        step =
            switch layout.step {
            case .planes, .planesScaling: layout.film.scales == true ? .planesScaling : .planes
            case .filmOnPrimary, .composited: layout.step
            }
        filmPlane = layout.film
        osdPlane = layout.osd
        reasons += layout.reasons
    }

    private typealias Candidate = (card: DisplayInventory.Card, connector: DisplayInventory.Connector)

    private static func chooseConnector(
        from inventory: DisplayInventory, named name: String?
    ) throws(KMSError) -> (DisplayInventory.Card, DisplayInventory.Connector, String) {
        guard !inventory.cards.isEmpty || !inventory.unreadable.isEmpty else { throw .noCard }
        let all: [Candidate] = inventory.cards.flatMap { card in
            card.connectors.filter { !$0.isWriteback }.map { (card, $0) }
        }
        let names = all.map(\.connector.name)
        if let name {
            let named = all.filter { $0.connector.name == name }
            // A panel without detection says "unknown"; if it has modes it is as good as connected.
            if let (card, connector) = named.first(where: { $0.connector.status == .connected })
                ?? named.first(where: { $0.connector.status == .unknown && !$0.connector.modes.isEmpty })
            {
                return (card, connector, "connector \(name) on \(card.path) (\(card.driver)): it was asked for")
            }
            if !named.isEmpty { throw heldError(named) ?? .connectorNotConnected(name: name) }
            throw unreadableError(inventory) ?? .noSuchConnector(name: name, available: names)
        }
        let connected = all.filter { $0.connector.status == .connected && !$0.connector.modes.isEmpty }
        guard let (card, connector) = connected.first else {
            // A panel that cannot be detected, if it is the only one.
            let undetected = all.filter {
                $0.connector.status == .unknown && !$0.connector.modes.isEmpty && !$0.card.isHeld
            }
            if undetected.count == 1, let (card, connector) = undetected.first {
                let reason = "no display reports that it is connected, and only this one cannot report it"
                return (card, connector, "connector \(connector.name) on \(card.path) (\(card.driver)): \(reason)")
            }
            throw unreadableError(inventory) ?? heldError(all) ?? .noConnectedDisplay(connectors: names)
        }
        let others = connected.dropFirst().map { "\($0.connector.name) on \($0.card.path)" }
        let reason =
            others.isEmpty
            ? "the only one that is connected"
            : "the first that is connected; also connected: \(others.joined(separator: ", "))"
        return (card, connector, "connector \(connector.name) on \(card.path) (\(card.driver)): \(reason)")
    }

    /// The missing display may be on a card that this user may not open.
    private static func unreadableError(_ inventory: DisplayInventory) -> KMSError? {
        inventory.unreadable.first.map { .noPermission(card: $0.path, group: $0.group) }
    }

    /// The kernel detects displays for a card's master only: "unknown" on a held card means that nobody has checked.
    private static func heldError(_ candidates: [Candidate]) -> KMSError? {
        candidates.first { $0.card.isHeld && $0.connector.status == .unknown }
            .map { .displayHeld(card: $0.card.path, holders: $0.card.holders) }
    }

    /// The CRTC that drives the connector already, else an idle one, else any that can.
    private static func chooseCRTC(
        for connector: DisplayInventory.Connector, on card: DisplayInventory.Card
    ) -> UInt32? {
        let possible = connector.possibleCRTCs
        if let current = connector.crtcID, possible.contains(current) { return current }
        let taken = Set(card.connectors.compactMap(\.crtcID))
        return possible.first { !taken.contains($0) } ?? possible.first
    }
}
