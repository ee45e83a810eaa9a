@preconcurrency import Glibc

/// The player's end of the guard: a child process that restores the console if the player dies without doing so.
///
/// The child is another instance of the player's own program. Its standard input is a socket whose other end only the
/// player has, its standard output the terminal. All its signals are blocked, so that it survives a Ctrl-C or a
/// service's SIGTERM to the whole group.
struct GuardProcess: ~Copyable {
    let processID: pid_t
    private let socket: Int32

    /// - Parameters:
    ///   - executable: `/proc/self/exe` is the running program, also after an update has replaced its file.
    ///   - arguments: without the program's name.
    static func start(
        executable: String = "/proc/self/exe", arguments: [String], terminal: Int32
    ) throws(ConsoleError) -> GuardProcess {
        func check(_ operation: String, _ code: Int32) throws(ConsoleError) {
            guard code == 0 else {
                throw .guardNotStarted(operation: operation, executable: executable, code: code)
            }
        }
        var ends: [Int32] = [-1, -1]
        // Not a pipe, which could not be made close-on-exec atomically, so that another thread's child might inherit
        // it.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try check("socketpair", socketpair(AF_UNIX, kind, 0, &ends) == 0 ? 0 : errno)
        // Above the standard streams, which may be closed here and are replaced in the child.
        let guardEnd = fcntl(ends[0], F_DUPFD_CLOEXEC, 3)
        let ownEnd = fcntl(ends[1], F_DUPFD_CLOEXEC, 3)
        let code = errno
        close(ends[0])
        close(ends[1])
        defer { close(guardEnd) }
        var isStarted = false
        defer { if !isStarted { close(ownEnd) } }
        try check("F_DUPFD", guardEnd >= 0 && ownEnd >= 0 ? 0 : code)

        var actions = posix_spawn_file_actions_t()
        try check("posix_spawn_file_actions_init", posix_spawn_file_actions_init(&actions))
        defer { posix_spawn_file_actions_destroy(&actions) }
        try check("dup2", posix_spawn_file_actions_adddup2(&actions, guardEnd, STDIN_FILENO))
        try check("dup2", posix_spawn_file_actions_adddup2(&actions, terminal, STDOUT_FILENO))
        var attributes = posix_spawnattr_t()
        try check("posix_spawnattr_init", posix_spawnattr_init(&attributes))
        defer { posix_spawnattr_destroy(&attributes) }
        // All signals are blocked until the child ignores them.
        var every = sigset_t()
        sigfillset(&every)
        try check("sigmask", posix_spawnattr_setsigmask(&attributes, &every))
        try check("setflags", posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK)))

        var words: [UnsafeMutablePointer<CChar>?] = (["vitrine"] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var processID: pid_t = 0
        try check("posix_spawn", posix_spawn(&processID, executable, &actions, &attributes, words, environ))
        isStarted = true
        return GuardProcess(processID: processID, socket: ownEnd)
    }

    /// Waits until the guard ignores the signals that end the player: some 10 ms for loading the program; seconds on a
    /// board that has just started and loads much else. A guard that takes longer is killed.
    func waitUntilReady(milliseconds: Int32 = 15_000) throws(ConsoleError) {
        var question = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        var count = 0
        repeat { count = Int(poll(&question, 1, milliseconds)) } while count < 0 && errno == EINTR
        var code = count == 0 ? ETIMEDOUT : errno
        if count > 0 {
            var word: UInt8 = 0
            repeat { count = recv(socket, &word, 1, 0) } while count < 0 && errno == EINTR
            if count == 1 { return }
            code = count == 0 ? EPIPE : errno
        }
        kill(processID, SIGKILL)
        throw .guardNotStarted(operation: "its first word", executable: "/proc/self/exe", code: code)
    }

    /// Dismisses the guard, because the console is restored, or was never changed. Waits for its end.
    consuming func dismiss() {
        var word = UInt8(ascii: ".")
        // MSG_NOSIGNAL, because the guard may have been killed.
        _ = send(socket, &word, 1, Int32(MSG_NOSIGNAL))
        shutdown(socket, Int32(SHUT_WR))
        while waitpid(processID, nil, 0) < 0 && errno == EINTR {}
    }

    deinit { close(socket) }
}
