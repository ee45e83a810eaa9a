import Glibc

/// The guard's own side: what the child process does that `Console.take` starts.
public enum ConsoleGuard {
    /// Waits until the player restores the console, or dies; in the latter case restores it. Blocks.
    ///
    /// Standard input is the socket that ends when the player does, whatever ended it; a byte in it says that there is
    /// nothing to do. A byte goes into it when the player's signals, which may come to both, do no harm any more. Standard
    /// output is the virtual terminal.
    ///
    /// - Parameter state: what the terminal was before the player.
    public static func watch(_ state: ConsoleState) throws(ConsoleError) {
        // Swift's runtime has lifted the mask that the player started this process with.
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGUSR1, SIGUSR2] {
            signal(number, SIG_IGN)
        }
        // What the player passed on unknowingly, a display's lease for one, is not held beyond the player's end.
        closefrom(3)
        var word = UInt8(ascii: "!")
        _ = write(STDIN_FILENO, &word, 1)
        var count = 0
        repeat { count = read(STDIN_FILENO, &word, 1) } while count < 0 && errno == EINTR
        if count > 0 { return }
        do throws(ConsoleError) {
            try VirtualTerminal(owning: dup(STDOUT_FILENO)).set(state)
        } catch {
            try restoreAnew(state, error)
        }
    }

    /// A player that led its session (a service with a terminal, a login's `exec`) took the terminal along: its end hung
    /// up every descriptor of it, and a user who is not root may only change a controlling terminal. So the guard becomes
    /// the leader of a session of its own, and opens the terminal as that.
    private static func restoreAnew(_ state: ConsoleState, _ first: ConsoleError) throws(ConsoleError) {
        setsid()
        var failure = first
        // The hanging up may still be going on: opening fails until it is done.
        for _ in 0..<100 {
            let descriptor = open(state.terminal, O_RDWR | O_CLOEXEC)
            if descriptor >= 0 {
                let terminal = VirtualTerminal(owning: descriptor)
                do throws(ConsoleError) {
                    try terminal.set(state)
                    // Else this session's end would hang it up once more, under a program that has just started on it.
                    _ = ioctl(descriptor, UInt(TIOCNOTTY))
                    return
                } catch {
                    failure = error
                    _ = ioctl(descriptor, UInt(TIOCNOTTY))
                }
            } else {
                failure = .terminal(operation: "open", terminal: state.terminal, code: errno)
            }
            usleep(20_000)
        }
        throw failure
    }
}
