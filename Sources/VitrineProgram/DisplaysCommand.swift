import ArgumentParser
import FoundationEssentials
import KMS
import PlayerCore

struct DisplaysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "displays",
        abstract: "Lists cards, connectors, modes and planes, and what Vitrine would choose, and why.")

    @Option(help: "Choose as `vitrine play` would with this connector.")
    var connector: String?

    @Option(help: "Choose as `vitrine play` would with this mode: WIDTHxHEIGHT[@REFRESH].")
    var mode: String?

    @Option(help: ArgumentHelp("Choose as `vitrine play` would with this --osd.", valueName: "how"))
    var osd: OSDRequest = .automatic

    @Option(help: ArgumentHelp("Choose as with the film turned clockwise.", valueName: "degrees"))
    var rotate: DisplayTransform.Rotation = .none

    @Option(help: ArgumentHelp("Choose as `vitrine play` would with this --rotate-by.", valueName: "what"))
    var rotateBy: TurnedBy = .plane

    @Flag(help: "Choose as with the film mirrored left to right.")
    var reflect = false

    @Option(
        help: ArgumentHelp(
            "Look at the card of an open file descriptor, such as a DRM lease: only what was lent is seen.",
            valueName: "number"))
    var drmFd: Int32?

    @Flag(help: "As JSON, for programs.")
    var json = false

    struct Report: Encodable {
        var displays: DisplayInventory?
        var choice: DisplayChoice?
        var turning: DisplaysTurning?
        var problem: String?
        var remedy: String?

        mutating func add(_ error: KMSError) {
            problem = "\(error)"
            remedy = error.remedy
        }

        /// The whole report, including errors.
        static func all(_ request: DisplayRequest) -> Report {
            var report = Report()
            do throws(KMSError) {
                let inventory = try DisplayInventory.read(for: request)
                report.displays = inventory
                report.choice = try DisplayChoice.choose(from: inventory, request: request).tested()
                report.turning = DisplaysTurning(inventory, request)
            } catch {
                report.add(error)
            }
            return report
        }

        var json: String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }

    func validate() throws {
        if let mode, ModeRequest(mode) == nil {
            throw ValidationError("--mode \(mode): not a mode; 1280x720 and 1920x1080@50 are.")
        }
    }

    private var request: DisplayRequest {
        DisplayRequest(
            connector: connector, mode: mode.flatMap { ModeRequest($0) }, osd: osd,
            transform: DisplayTransform(rotation: rotate, isReflected: reflect), planeRotation: rotateBy == .plane,
            fileDescriptor: drmFd)
    }

    func run() throws {
        do {
            let request = request
            let inventory = try DisplayInventory.read(for: request)
            let choice = Result { () throws(KMSError) in
                try DisplayChoice.choose(from: inventory, request: request).tested()
            }
            let turning = (try? choice.get()).map { _ in DisplaysTurning(inventory, request) }
            if json {
                var report = Report(displays: inventory)
                switch choice {
                case .success(let choice):
                    report.choice = choice
                    report.turning = turning
                case .failure(let error): report.add(error)
                }
                print(report)
            } else {
                say(DisplaysText(inventory, choice, turning).text)
                if case .failure(let error) = choice { printError("\(error). \(error.remedy)") }
            }
            if case .failure(let error) = choice { throw ExitStatus(error).code }
        } catch let error as KMSError {
            if json {
                var report = Report()
                report.add(error)
                print(report)
            } else {
                printError("\(error). \(error.remedy)")
            }
            throw ExitStatus(error).code
        }
    }

    private func print(_ report: Report) { say(report.json) }
}
