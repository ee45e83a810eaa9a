import ArgumentParser
import Dispatch
import PlayerCore
import Touch
import Vitrine

struct TouchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "touch",
        abstract: "Lists the touch panels, then prints what each finger does, and the slider event that follows.",
        discussion: "Ends with Ctrl-C. Places are fractions of the display from its left and top edge.")

    @Flag(help: "List the panels and end.")
    var list = false

    @Option(help: "libinput's seat.")
    var seat = "seat0"

    @Option(help: ArgumentHelp("The size of the display that has the bar.", valueName: "WxH"))
    var display = "1280x720"

    func run() async throws {
        var isRefused = false
        do throws(TouchError) {
            let panels = try TouchPanels.list(seat: seat)
            if panels.isEmpty { say("no touch panel is plugged in") }
            for panel in panels { say(Self.line(of: panel)) }
            isRefused = panels.contains { $0.failure != nil }
        } catch {
            printError("\(error)")
            throw ExitStatus.failure.code
        }
        if list {
            if isRefused { throw ExitStatus.noPermission.code }
            return
        }
        let size = display.split(separator: "x").compactMap { Int($0) }
        guard size.count == 2, size.allSatisfy({ (64...16384).contains($0) }) else {
            throw ValidationError("--display \(display): not a size; 1280x720 is.")
        }
        say("touch the panel. Places are as if the bar was shown at the lower edge")
        let layout = OSDLayout(
            displayWidth: size[0], displayHeight: size[1], millimetres: nil, buttons: [.play])
        await TouchMonitor(layout: layout).run(seat: seat)
    }

    private static func line(of panel: PanelDescription) -> String {
        var line = "\(panel.node)  \(panel.name)"
        if let size = panel.millimetres { line += ", \(Int(size.width)) x \(Int(size.height)) mm" }
        if let output = panel.output { line += ", on \(output)" }
        if let matrix = panel.calibration { line += ", calibration \(matrix.map { "\($0)" }.joined(separator: " "))" }
        if let failure = panel.failure { line += "\n  \(failure)" }
        return line
    }
}
