import ArgumentParser
import Console

/// An internal command: `vitrine play` starts it as a child process, to restore the console if the player dies.
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
