public import PlayerCore

/// The card, connector, mode and planes that Vitrine uses, and why.
public struct DisplayChoice: Codable, Hashable, Sendable {
    /// The card's node.
    public var card: String
    /// The request's, if it named one: valid in the process that made the choice.
    public var fileDescriptor: Int32?
    /// The card's kernel driver, such as `vc4`.
    public var driver: String
    /// The kernel's id, for kmssink's `connector-id`.
    public var connectorID: UInt32
    public var connectorName: String
    /// The picture's size; `nil` where the display does not tell it.
    public var millimetres: Millimetres?
    /// What makes up for the way in which the panel is mounted.
    public var panelOrientation: DisplayTransform
    /// From the viewer's space to the display's: the request's, then the panel's.
    public var transform: DisplayTransform
    public var crtcID: UInt32
    public var mode: DisplayMode
    /// What is tried if the driver refuses `mode`, the best first.
    public var fallbackModes: [DisplayMode]
    /// How film and OSD share the planes.
    public var step: DisplayStep
    /// The plane below all others, for a black background; `nil` if the driver shows none.
    public var primaryPlaneID: UInt32?
    public var filmPlane: PlaneChoice
    /// `nil` if the OSD has no plane: in the step `composited` it has to be drawn into the film's frames.
    public var osdPlane: PlaneChoice?
    /// What is tried if the driver refuses these planes, the best first.
    public var alternatives: [PlaneLayout]
    /// One sentence for each choice.
    public var reasons: [String]
    /// Those of the reasons that tell of a mode which the driver refused: worth a warning.
    public var refusals: [String] = []

    /// Chooses by capability; touches no device.
    ///
    /// The connector: the one asked for, else the first connected one that leads to a display. The mode: the one asked
    /// for, else the display's preferred one, but no more than 1920x1080 where the display offers that. The planes: see
    /// `PlaneRule`; what the inventory cannot tell of them, `tested()` asks.
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
                // The black below a composited film that is not on the primary plane has the OSD too, unturned.
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

    /// The choice with what the driver answers to TEST_ONLY commits, as `Display.open` asks them: the step of the ladder,
    /// and what scales and turns the film. Changes nothing on the screen. As it is where the card does not take atomic
    /// commits, or where another program is its master: then a reason says so.
    ///
    /// Makes calls that may wait for the display; opens the card for as long as it takes.
    /// - Throws: `noOSDPlane`, `unsupported` if the driver takes no mode, and what opening the card throws.
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

    /// Takes the layout over, with its reasons.
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
            // A panel without a way to detect it says "unknown"; with modes it is as good as connected.
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
            // A panel that cannot be detected, where there is no doubt which.
            let undetected = all.filter {
                $0.connector.status == .unknown && !$0.connector.modes.isEmpty && !$0.card.isHeld
            }
            if undetected.count == 1, let (card, connector) = undetected.first {
                let reason = "nothing is known to be connected, and this alone cannot tell"
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

    /// The display that was not found may be on a card that this user may not open.
    private static func unreadableError(_ inventory: DisplayInventory) -> KMSError? {
        inventory.unreadable.first.map { .noPermission(card: $0.path, group: $0.group) }
    }

    /// The kernel looks for displays for a card's master only: "unknown" on a held card means that nobody has looked.
    private static func heldError(_ candidates: [Candidate]) -> KMSError? {
        candidates.first { $0.card.isHeld && $0.connector.status == .unknown }
            .map { .displayHeld(card: $0.card.path, holders: $0.card.holders) }
    }

    /// The one that drives the connector already, else one that drives nothing, else any that can.
    private static func chooseCRTC(
        for connector: DisplayInventory.Connector, on card: DisplayInventory.Card
    ) -> UInt32? {
        let possible = connector.possibleCRTCs
        if let current = connector.crtcID, possible.contains(current) { return current }
        let taken = Set(card.connectors.compactMap(\.crtcID))
        return possible.first { !taken.contains($0) } ?? possible.first
    }
}
