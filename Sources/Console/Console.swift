import Synchronization

/// The program's virtual terminal, taken for a film: its text is not drawn, and its keyboard is off, so that no key
/// reaches a shell. The one owner of the terminal's state; any thread.
///
/// `restore()`, the release of the last reference, or, after any other end of the program including SIGKILL, a guard
/// process restores it. Only if the guard is killed, too, as by a SIGKILL to a whole control group, the terminal stays
/// taken; systemd's `TTYReset=yes` handles that.
public final class Console: Sendable {
    /// The terminal's earlier state, which is restored.
    public let before: ConsoleState
    private let holding: Mutex<Holding?>

    private struct Holding: ~Copyable {
        let terminal: VirtualTerminal
        let process: GuardProcess
    }

    private init(before: ConsoleState, holding: consuming Holding) {
        self.before = before
        self.holding = Mutex(holding)
    }

    /// Takes the program's controlling terminal, or else its standard input. To be called before the display is opened.
    ///
    /// - Parameters:
    ///   - keyboardStaysOn: for a person who plays a film by hand, and ends it with Ctrl-C: keys reach the shell.
    ///   - guardCommand: the arguments with which this program only calls `ConsoleGuard.watch` with that state.
    /// - Returns: `nil` if there is no virtual terminal: nothing needs to be done then.
    /// - Throws: an error; nothing has changed then, and the film can be shown nevertheless.
    public static func take(
        keyboardStaysOn: Bool = false, guardedBy guardCommand: (ConsoleState) -> [String]
    ) throws(ConsoleError) -> Console? {
        guard let terminal = VirtualTerminal.ofProgram() else { return nil }
        let before = try terminal.state()
        let process = try GuardProcess.start(arguments: guardCommand(before), terminal: terminal.descriptor)
        do throws(ConsoleError) {
            try process.waitUntilReady()
            try terminal.set(before.duringFilm(keyboardStaysOn: keyboardStaysOn))
        } catch {
            try? terminal.set(before)
            process.dismiss()
            throw error
        }
        return Console(before: before, holding: Holding(terminal: terminal, process: process))
    }

    /// Restores the terminal, and ends the guard. To be called after the display was restored. The first call does it,
    /// later ones do nothing.
    public func restore() throws(ConsoleError) {
        guard let holding = holding.withLock({ $0.take() }) else { return }
        // If this fails, the guard tries again.
        try holding.terminal.set(before)
        holding.process.dismiss()
    }

    deinit { try? restore() }
}
