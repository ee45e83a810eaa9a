import Glibc
import Testing

@testable import Console

/// The player's side of the guard, with other programs as the guard; Tests/Machine tests the guard itself, which needs
/// a virtual terminal.
struct GuardProcessTests {
    /// The child's standard output, which is the terminal's substitute.
    private static func output(
        of arguments: [String], executable: String = "/bin/sh", then act: (consuming GuardProcess) -> Void
    ) throws -> String {
        var template = Array("/tmp/vitrine-console-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        unlink(template)
        defer { close(file) }
        act(try GuardProcess.start(executable: executable, arguments: arguments, terminal: file))
        lseek(file, 0, SEEK_SET)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    @Test func `a guard that is dismissed hears a byte, and its end is waited for`() throws {
        var processID: pid_t = 0
        let heard = try Self.output(of: [], executable: "/bin/cat") { process in
            processID = process.processID
            process.dismiss()
        }
        #expect(heard == ".")
        #expect(kill(processID, 0) == -1, "the child is still there")
    }

    @Test func `a guard whose player is gone hears the end and no byte`() throws {
        var processID: pid_t = 0
        let heard = try Self.output(of: ["-c", "wc -c"]) { process in
            processID = process.processID
            _ = consume process
            waitpid(processID, nil, 0)
        }
        #expect(heard == "0\n")
    }

    @Test func `SIGINT, SIGTERM and SIGHUP leave the guard there`() throws {
        let heard = try Self.output(of: [], executable: "/bin/cat") { process in
            for number in [SIGINT, SIGTERM, SIGHUP] { kill(process.processID, number) }
            process.dismiss()
        }
        #expect(heard == ".")
    }

    @Test func `a guard is ready when it says so, and a dead one is reported`() throws {
        _ = try Self.output(of: ["-c", "printf ! >&0; cat"]) { process in
            #expect(throws: Never.self) { try process.waitUntilReady() }
            process.dismiss()
        }
        for (arguments, code) in [(["-c", "exit"], EPIPE), (["-c", "read never"], ETIMEDOUT)] {
            _ = try Self.output(of: arguments) { process in
                do {
                    try process.waitUntilReady(milliseconds: code == EPIPE ? 5000 : 50)
                    Issue.record("not ready")
                } catch {
                    let expected = ConsoleError.guardNotStarted(
                        operation: "its first word", executable: "/proc/self/exe", code: code)
                    #expect(error as? ConsoleError == expected)
                }
                process.dismiss()
            }
        }
    }

    @Test func `a dismissed guard that was killed before is no trouble`() throws {
        _ = try Self.output(of: [], executable: "/bin/cat") { process in
            kill(process.processID, SIGKILL)
            var information = siginfo_t()
            waitid(P_PID, id_t(process.processID), &information, WEXITED | WNOWAIT)
            process.dismiss()
        }
    }

    @Test func `a guard that cannot be started is reported with its program and the reason`() {
        #expect(
            throws: ConsoleError.guardNotStarted(operation: "posix_spawn", executable: "/nowhere/vitrine", code: ENOENT)
        ) {
            try GuardProcess.start(executable: "/nowhere/vitrine", arguments: [], terminal: STDERR_FILENO)
                .dismiss()
        }
    }
}
