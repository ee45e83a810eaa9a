import ArgumentParser
import Console

/// Not for people: `vitrine play` starts it beside itself, to restore the console if it dies.
struct ConsoleGuardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "console-guard", shouldDisplay: false)

    @Option var terminal: String
    @Option var displayMode: Int32
    @Option var keyboardMode: Int32

    static func arguments(_ state: ConsoleState) -> [String] {
        [
            "console-guard", "--terminal", state.terminal, "--display-mode", "\(state.displayMode)",
            "--keyboard-mode", "\(state.keyboardMode)",
        ]
    }

    func run() throws {
        do {
            try ConsoleGuard.watch(
                ConsoleState(terminal: terminal, displayMode: displayMode, keyboardMode: keyboardMode))
        } catch {
            printError("the console is not restored: \(error)")
            throw ExitStatus.failure.code
        }
    }
}
