import Glibc

/// The guard's side: the code of the child process that `Console.take` starts.
public enum ConsoleGuard {
    /// Waits until the player restores the console, or dies; in the latter case restores it. Blocks.
    ///
    /// Standard input is a socket that ends when the player does, for any reason; a byte from it says that there is
    /// nothing to do. A byte is written to it when the player's signals, which may be sent to both, are ignored.
    /// Standard output is the virtual terminal.
    ///
    /// - Parameter state: the terminal's state before the player.
    public static func watch(_ state: ConsoleState) throws(ConsoleError) {
        // Swift's runtime has reset the signal mask with which the player started this process.
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGUSR1, SIGUSR2] {
            signal(number, SIG_IGN)
        }
        // Descriptors that were inherited by accident, such as a display's lease, must not outlive the player.
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

    /// Restores the terminal through a new descriptor. A player that led its session (a service with a terminal, a
    /// login's `exec`) took the terminal along: its end hung up every descriptor of it, and a user who is not root may
    /// only change a controlling terminal. So the guard becomes the leader of a session of its own, and opens the
    /// terminal in that.
    private static func restoreAnew(_ state: ConsoleState, _ first: ConsoleError) throws(ConsoleError) {
        setsid()
        var failure = first
        // The hangup may still be in progress: opening fails until it is done.
        for _ in 0..<100 {
            let descriptor = open(state.terminal, O_RDWR | O_CLOEXEC)
            if descriptor >= 0 {
                let terminal = VirtualTerminal(owning: descriptor)
                do throws(ConsoleError) {
                    try terminal.set(state)
                    // Otherwise this session's end would hang it up again, under a program that has just started on it.
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
