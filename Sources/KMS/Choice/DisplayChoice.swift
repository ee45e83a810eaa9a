/// The card, connector, mode and planes that Vitrine uses, and why.
public struct DisplayChoice: Codable, Hashable, Sendable {
    /// The card's node.
    public var card: String
    public var driver: String
    public var connectorID: UInt32
    public var connectorName: String
    /// The picture's size; `nil` where the display does not tell it.
    public var millimetres: Millimetres?
    public var crtcID: UInt32
    public var mode: DisplayMode
    /// The plane below all others, for a black background; `nil` if the driver shows none.
    public var primaryPlaneID: UInt32?
    public var filmPlane: PlaneChoice
    /// `nil` if no plane can lie above the film: then the OSD has to be drawn into the film's pictures.
    public var osdPlane: PlaneChoice?
    /// One sentence for each choice.
    public var reasons: [String]

    /// Chooses by capability; touches no device.
    ///
    /// The connector: the one asked for, else the first connected one that leads to a display. The mode: the one asked
    /// for, else the display's preferred one, but no more than 1920x1080 where the display offers that. The planes: see
    /// `PlaneRule`.
    /// - Throws: `noPermission`, `noConnectedDisplay`, `noSuchConnector`, `connectorNotConnected`, `noSuchMode`,
    ///   `noCRTC`, `noFilmPlane`.
    public static func choose(
        from inventory: DisplayInventory, request: DisplayRequest = DisplayRequest()
    ) throws(KMSError) -> DisplayChoice {
        let (card, connector, connectorReason) = try chooseConnector(from: inventory, named: request.connector)
        let (mode, modeReason) = try ModeRule.choose(for: connector, request: request.mode)
        guard let crtcID = chooseCRTC(for: connector, on: card) else {
            throw .noCRTC(card: card.path, connector: connector.name)
        }
        guard let planes = PlaneRule.choose(from: card.planes, crtcID: crtcID) else {
            throw .noFilmPlane(card: card.path, connector: connector.name)
        }
        return DisplayChoice(
            card: card.path, driver: card.driver, connectorID: connector.id, connectorName: connector.name,
            millimetres: connector.millimetres, crtcID: crtcID, mode: mode, primaryPlaneID: planes.primary,
            filmPlane: planes.film, osdPlane: planes.osd, reasons: [connectorReason, modeReason] + planes.reasons)
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
