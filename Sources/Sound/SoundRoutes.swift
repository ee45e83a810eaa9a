public import PlayerCore

/// Lists the routes of sound.
public enum SoundRoutes {
    /// Lists all routes of this machine's sound cards in the kernel's order, unusable ones included. ALSA's default comes
    /// first if it is configured. Blocks for a few milliseconds.
    /// - Parameter root: the folder that contains `proc`, `sys`, `dev` and `etc`.
    public static func all(below root: String = "") -> [SoundRoute] {
        all(
            below: root, isConfigured: ALSAConfiguration.isThere(below: root),
            readELD: root.isEmpty ? ELDControl.read : { _, _ in nil })
    }

    /// - Parameter readELD: reads the ELD of a card's device; returns `nil` if the card has none.
    static func all(
        below root: String, isConfigured: Bool, readELD: (_ card: Int, _ device: Int) -> [UInt8]?
    ) -> [SoundRoute] {
        var displays = Displays(connectors: DisplayConnector.all(below: root))
        var routes = isConfigured ? [SoundRoute.configured] : []
        for card in ALSACard.all(below: root) {
            var counts: [SoundRoute.Kind: Int] = [:]
            for output in card.outputs {
                let kind = card.kind(of: output)
                let index = counts[kind, default: 0]
                counts[kind] = index + 1
                guard kind != .hdmi else {
                    routes.append(displays.route(card, output, index, readELD(card.number, output.device)))
                    continue
                }
                var route = SoundRoute(
                    device: card.pcm(of: kind, output, index), name: card.name(of: kind, output, index), kind: kind)
                route.socket = card.socket(of: output)
                routes.append(route)
            }
        }
        return distinct(routes)
    }

    /// Appends the socket or ALSA's name to names that two routes share, as with two cards of one model.
    private static func distinct(_ routes: [SoundRoute]) -> [SoundRoute] {
        let counts = Dictionary(routes.map { ($0.name, 1) }, uniquingKeysWith: +)
        return routes.map { route in
            var route = route
            if counts[route.name] ?? 0 > 1 { route.name += " (\(route.socket ?? route.device))" }
            return route
        }
    }
}

extension ALSACard {
    /// The id of Raspberry Pi's HDMI cards, one for each connector, starts with this.
    private static let raspberryPiHDMI = "vc4hdmi"

    func kind(of output: Output) -> SoundRoute.Kind {
        switch driver {
        case "USB-Audio": return .usb
        case "Loopback": return .virtual
        default: break
        }
        if id.hasPrefix(Self.raspberryPiHDMI) || driver == "bcm2835_hdmi" || output.name.hasPrefix("HDMI") {
            return .hdmi
        }
        if id == "Headphones" || driver.hasPrefix("bcm2835") { return .headphones }
        guard driver.hasPrefix("HDA-") else { return .other }
        return output.name.hasSuffix("Digital") ? .digital : .headphones
    }

    /// The PCM that accepts plain samples. `hw` of a Raspberry Pi's HDMI accepts only IEC 958 frames.
    /// - Parameter index: the output's number among the card's outputs of that kind.
    func pcm(of kind: SoundRoute.Kind, _ output: Output, _ index: Int) -> String {
        switch kind {
        case .hdmi where !id.hasPrefix(Self.raspberryPiHDMI): "hdmi:CARD=\(id),DEV=\(index)"
        case .digital: "iec958:CARD=\(id),DEV=\(index)"
        case _ where output.device == 0: "sysdefault:CARD=\(id)"
        default: "plughw:CARD=\(id),DEV=\(output.device)"
        }
    }

    func socket(of output: Output) -> String? {
        port.map { "usb:PORT=\($0)" + (output.device == 0 ? "" : ",DEV=\(output.device)") }
    }

    func name(of kind: SoundRoute.Kind, _ output: Output, _ index: Int) -> String {
        let model = output.name.split(separator: " ").first.map(String.init) ?? name
        let number = index > 0 ? " \(index + 1)" : ""
        return switch kind {
        case .hdmi: "HDMI \(index + 1)"
        case .headphones: driver.hasPrefix("HDA-") ? "Headphones, \(model)\(number)" : "Headphones\(number)"
        case .digital: "Digital, \(model)\(number)"
        case .usb, .other, .network, .bluetooth, .virtual, .configured, .server: "\(name)\(number)"
        }
    }

    /// The connector that follows from the card's id.
    var connectorName: String? {
        guard id.hasPrefix(Self.raspberryPiHDMI) else { return nil }
        // On a board with one connector the id has no number.
        let number = Int(id.dropFirst(Self.raspberryPiHDMI.count)) ?? 0
        return "HDMI-A-\(number + 1)"
    }
}

/// Finds the display behind each HDMI output.
private struct Displays {
    var connectors: [DisplayConnector]
    /// Indices of connectors that already belong to an output.
    private var taken: Set<Int> = []

    init(connectors: [DisplayConnector]) {
        self.connectors = connectors
    }

    mutating func route(_ card: ALSACard, _ output: ALSACard.Output, _ index: Int, _ bytes: [UInt8]?) -> SoundRoute {
        let eld = bytes.flatMap { ELD($0) }
        let place = place(of: card, eld)
        if let place { taken.insert(place) }
        let connector = place.map { connectors[$0] }
        let display = connector?.isConnected == false ? nil : connector?.edid?.name ?? eld?.name
        let socket = connector?.name ?? card.connectorName
        var route = SoundRoute(
            device: card.pcm(of: .hdmi, output, index),
            name: [socket, display].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", "), kind: .hdmi,
            connector: socket)
        if route.name.isEmpty { route.name = card.name(of: .hdmi, output, index) }
        if socket == nil, display != nil { route.name = "HDMI, \(route.name)" }
        route.problem = problem(connector, eld, isAnswered: bytes != nil)
        return route
    }

    private func place(of card: ALSACard, _ eld: ELD?) -> Int? {
        if let name = card.connectorName { return connectors.firstIndex { $0.name == name } }
        guard let eld else { return nil }
        return connectors.indices.first {
            connectors[$0].isConnected && !taken.contains($0) && connectors[$0].edid?.product == eld.product
        }
    }

    private func problem(_ connector: DisplayConnector?, _ eld: ELD?, isAnswered: Bool) -> String? {
        if connector?.isConnected == false { return "no display is plugged in" }
        if connector?.edid?.hasSound == false { return "the display has no sound" }
        guard isAnswered, eld == nil else { return nil }
        return connector == nil ? "no display with sound is plugged in" : "the display has no sound"
    }
}
