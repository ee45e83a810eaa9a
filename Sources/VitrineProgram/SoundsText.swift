import PlayerCore

/// The text that lists the routes.
struct SoundsText {
    let text: String

    init(_ routes: [SoundRoute], _ selection: SoundSelection) {
        let used = Set(selection.outputs.compactMap(\.routes.first?.id))
        let width = routes.map(\.name.count).max() ?? 0
        var lines = routes.map { route in
            let name = route.name + String(repeating: " ", count: width - route.name.count)
            return "\(used.contains(route.id) ? "*" : " ") \(name)  \(route.id)"
                + (route.problem.map { "  (\($0))" } ?? "")
        }
        if routes.isEmpty { lines.append("no sound card is plugged in") }
        lines.append("")
        for output in selection.outputs {
            guard let route = output.routes.first else { continue }
            lines.append("Vitrine would use \(route.name): \(output.reason)")
        }
        if selection.outputs.isEmpty { lines.append("Vitrine would play without sound: nothing can be used") }
        text = lines.joined(separator: "\n")
    }

    /// A clause about words that match no route.
    static func unknown(_ words: [String], among routes: [SoundRoute]) -> String {
        let names = routes.map { "\"\($0.name)\"" }
        return
            "sound cannot come out of \(words.map { "\"\($0)\"" }.joined(separator: ", ")), which is not there; there is "
            + (names.isEmpty ? "no sound card" : names.joined(separator: ", "))
    }
}
