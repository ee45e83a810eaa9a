import ArgumentParser
import FoundationEssentials
import KMS
import Media
import PlayerCore
import Settings
import Sound

struct SoundsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sounds",
        abstract: "Lists the places where sound can come out, and says which one Vitrine would use, and why.")

    @Option(help: ArgumentHelp("Choose as `vitrine play` would with this --sound.", valueName: "where"))
    var sound: String?

    @Option(help: "Choose as `vitrine play` would with this connector.")
    var connector: String?

    @Option(
        help: ArgumentHelp(
            "The settings file, whose `sound` and `connector` hold where the options are missing. By default "
                + "/boot/firmware/vitrine.toml or /etc/vitrine.toml, whichever there is.", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var settings: String?

    @Option(
        help: ArgumentHelp(
            "Play a short tone there: a part of a name of the list, or what else --sound takes.", valueName: "where"))
    var test: String?

    @Flag(help: "As JSON, for programs.")
    var json = false

    struct Report: Encodable {
        struct Route: Encodable {
            var id, name, kind: String
            var connector, problem: String?
            var isUsable: Bool
        }

        struct Output: Encodable {
            /// The route's id.
            var route: String
            var reason: String
        }

        var routes: [Route]
        var outputs: [Output]
        var problem: String?

        init(_ routes: [SoundRoute], _ selection: SoundSelection) {
            self.routes = routes.map {
                Route(
                    id: $0.id, name: $0.name, kind: $0.kind.rawValue, connector: $0.connector, problem: $0.problem,
                    isUsable: $0.isUsable)
            }
            outputs = selection.outputs.compactMap { output in
                output.routes.first.map { Output(route: $0.id, reason: "\(output.reason)") }
            }
            if !selection.unknownWords.isEmpty {
                problem = SoundsText.unknown(selection.unknownWords, among: routes)
            }
        }

        /// The report for a player with these settings.
        static func all(_ settings: Settings?) -> Report {
            let routes = SoundsCommand.allRoutes()
            return Report(
                routes,
                SoundsCommand.preference(settings).select(
                    from: routes, connector: SoundsCommand.connector(settings?.connector)))
        }

        var json: String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }

    /// Includes PipeWire's routes if a PipeWire runs.
    static func allRoutes() -> [SoundRoute] { SoundRoutes.all() + PipeWire.routes(within: .seconds(3)) }

    private static func preference(_ settings: Settings?) -> SoundPreference {
        settings.map { SoundPreference($0.sound) } ?? .automatic
    }

    /// The connector of the display that would show the film; `nil` without a display.
    private static func connector(_ wanted: String?) -> String? {
        let request = DisplayRequest(connector: wanted)
        guard let inventory = try? DisplayInventory.read(for: request) else { return nil }
        return try? DisplayChoice.choose(from: inventory, request: request).connectorName
    }

    func run() throws {
        let routes = Self.allRoutes()
        if let test { return try play(on: test, among: routes) }
        let kept = SettingsFile(at: settings)?.settings
        let preference = sound.map { SoundPreference(text: $0) } ?? Self.preference(kept)
        let selection = preference.select(from: routes, connector: Self.connector(connector ?? kept?.connector))
        let report = Report(routes, selection)
        say(json ? report.json : SoundsText(routes, selection).text)
        guard let problem = report.problem else { return }
        if !json { printError(problem) }
        throw ExitStatus.failure.code
    }

    private func play(on text: String, among routes: [SoundRoute]) throws {
        let preference = SoundPreference(text: text)
        let selection = preference.select(from: routes, connector: nil)
        guard selection.unknownWords.isEmpty, let route = selection.first else {
            printError(SoundsText.unknown(preference.words, among: routes))
            throw ExitStatus.failure.code
        }
        if case .inPlaceOf? = selection.outputs.first?.reason {
            printError(
                "nothing would be heard there: \(routes.first { $0.name.contains(text) }?.problem ?? "it cannot be used")"
            )
            throw ExitStatus.failure.code
        }
        say("a tone on \(route.name)")
        do throws(MediaFailure) {
            try Tone.play(on: route)
        } catch {
            printError(error.message)
            throw ExitStatus(error).code
        }
    }
}
