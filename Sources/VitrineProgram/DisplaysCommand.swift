import ArgumentParser
import FoundationEssentials
import KMS

struct DisplaysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "displays",
        abstract: "Lists cards, connectors, modes and planes, and what Vitrine would choose, and why.")

    @Option(help: "Choose as `vitrine play` would with this connector.")
    var connector: String?

    @Option(help: "Choose as `vitrine play` would with this mode: WIDTHxHEIGHT[@REFRESH].")
    var mode: String?

    @Flag(help: "As JSON, for programs.")
    var json = false

    private struct Report: Encodable {
        var displays: DisplayInventory
        var choice: DisplayChoice?
        var problem: String?
        var remedy: String?
    }

    func validate() throws {
        if let mode, ModeRequest(mode) == nil {
            throw ValidationError("--mode \(mode): not a mode; 1280x720 and 1920x1080@50 are.")
        }
    }

    func run() throws {
        do throws(KMSError) {
            let inventory = try DisplayInventory.read()
            let request = DisplayRequest(connector: connector, mode: mode.flatMap { ModeRequest($0) })
            let choice = Result { () throws(KMSError) in try DisplayChoice.choose(from: inventory, request: request) }
            if json { printJSON(inventory, choice) } else { say(DisplaysText(inventory, choice).text) }
            if case .failure(let error) = choice { throw error }
        } catch {
            if !json { tell("\(error). \(error.remedy)") }
            throw ExitStatus(error).code
        }
    }

    private func printJSON(_ inventory: DisplayInventory, _ choice: Result<DisplayChoice, KMSError>) {
        var report = Report(displays: inventory)
        switch choice {
        case .success(let choice): report.choice = choice
        case .failure(let error):
            report.problem = "\(error)"
            report.remedy = error.remedy
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        if let data = try? encoder.encode(report) { say(String(decoding: data, as: UTF8.self)) }
    }
}
