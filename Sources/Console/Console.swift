import Synchronization

/// The virtual terminal that the program runs on, taken for a film: its text is not drawn, its keyboard is off, so that
/// no key reaches a shell. The one owner of the terminal's state; any thread.
///
/// It is restored by `restore()`, by the last reference's end, and by a guard process after any other end of the program,
/// SIGKILL included. Only the end of the guard too, as by a SIGKILL to a whole control group, leaves the terminal taken;
/// systemd's `TTYReset=yes` is for that.
public final class Console: Sendable {
    /// What the terminal was, and becomes again.
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

    /// Takes the terminal that is the program's controlling terminal, or else its standard input. To be called before the
    /// display is opened.
    ///
    /// - Parameters:
    ///   - keyboardStaysOn: for someone who plays a film by hand, and ends it with Ctrl-C: what is typed reaches the shell.
    ///   - guardCommand: the arguments with which this very program calls `ConsoleGuard.watch` with that state, and does
    ///     nothing else.
    /// - Returns: `nil` where there is no virtual terminal: nothing needs to be done then.
    /// - Throws: nothing is changed then, and the film can be shown all the same.
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

    /// Gives the terminal back as it was, and ends the guard. To be called after the display was given back. The first
    /// call does it, others do nothing.
    public func restore() throws(ConsoleError) {
        guard let holding = holding.withLock({ $0.take() }) else { return }
        // If this fails, the guard tries again.
        try holding.terminal.set(before)
        holding.process.dismiss()
    }

    deinit { try? restore() }
}
