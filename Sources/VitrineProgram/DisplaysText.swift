import KMS
import PlayerCore

/// The display inventory for people.
struct DisplaysText {
    let text: String

    init(_ inventory: DisplayInventory, _ choice: Result<DisplayChoice, KMSError>, _ turning: DisplaysTurning?) {
        var lines: [String] = []
        for card in inventory.cards { lines += Self.lines(of: card) }
        for card in inventory.unreadable {
            lines.append("\(card.path): no permission; it belongs to the group \"\(card.group)\"")
        }
        if case .success(let choice) = choice {
            lines.append("")
            lines.append("Vitrine would play on \(choice.connectorName) of \(choice.card) in \(choice.mode):")
            lines.append("  step \(choice.step.rawValue): \(Self.meaning(of: choice))")
            lines += choice.reasons.map { "  - \($0)" }
            lines += (turning?.lines ?? []).map { "  \($0)" }
        }
        text = lines.joined(separator: "\n")
    }

    private static func meaning(of choice: DisplayChoice) -> String {
        switch choice.step {
        // kmssink cannot scale for a plane that turns by a quarter.
        case .planesScaling where choice.transform.swapsSides && choice.filmPlane.rotation != nil:
            "film and OSD have planes of their own, the film is scaled in the pipeline and turned by its plane"
        case .planesScaling: "film and OSD have planes of their own, the film is scaled by its plane"
        case .planes: "film and OSD have planes of their own, the film is scaled in the pipeline"
        case .filmOnPrimary: "the film is on the primary plane, the OSD on an overlay"
        case .composited: "film and OSD share a plane, the OSD is drawn into the film's frames while it is seen"
        }
    }

    private static func lines(of card: DisplayInventory.Card) -> [String] {
        var lines = ["\(card.path)  driver \(card.driver)\(card.isAtomic ? ", atomic" : "")"]
        if card.isHeld {
            let holders = card.holders.map(\.description).joined(separator: ", ")
            lines.append("  held by \(holders.isEmpty ? "another program" : holders)")
        }
        for connector in card.connectors {
            let size = connector.millimetres.map { ", \($0.width) x \($0.height) mm" } ?? ""
            lines.append(
                "  \(connector.name)  \(connector.isWriteback ? "writeback" : connector.status.rawValue)\(size)"
                    + (connector.panelOrientation.map { ", panel mounted \"\($0.rawValue)\"" } ?? ""))
            for chunk in stride(from: 0, to: connector.modes.count, by: 6) {
                let modes = connector.modes[chunk..<min(chunk + 6, connector.modes.count)]
                lines.append("    " + modes.map { "\($0)\($0.isPreferred ? "*" : "")" }.joined(separator: "  "))
            }
        }
        for plane in card.planes {
            var details = [plane.kind.rawValue]
            details.append(plane.scales.map { $0 ? "scales" : "does not scale" } ?? "scaling unknown")
            if !plane.rotations.isEmpty { details.append(plane.rotations.joined(separator: "/")) }
            details.append(
                plane.stacking.map { "stacking \($0.position)\($0.isMutable ? " (settable)" : "")" } ?? "stacked by id")
            lines.append("  plane \(plane.id)  \(details.joined(separator: ", "))")
            lines.append("    \(plane.formats.map(\.description).joined(separator: " "))")
            // Every decoder can make linear frames.
            for layout in plane.layouts {
                let others = layout.modifiers.filter { $0 != .linear }.map(\.description)
                let isLinear = others.count < layout.modifiers.count
                if !others.isEmpty {
                    lines.append("    \(layout.format) \(isLinear ? "also " : "")as \(others.joined(separator: ", "))")
                }
            }
        }
        return lines
    }
}
