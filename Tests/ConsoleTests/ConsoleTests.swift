import Glibc
import Testing

@testable import Console

struct ConsoleTests {
    @Test func `a pseudo-terminal, as of ssh or a window, is no virtual terminal`() {
        let terminal = VirtualTerminal(owning: open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC))
        let (descriptor, isVirtual) = (terminal.descriptor, terminal.isVirtual)
        #expect(descriptor >= 0)
        #expect(!isVirtual)
        do {
            try terminal.set(ConsoleState(terminal: "/dev/tty7", displayMode: 0, keyboardMode: 3))
            Issue.record("a pseudo-terminal took a console's mode")
        } catch {
            #expect("\(error)" == "KDSETMODE 0 failed on /dev/tty7: Inappropriate ioctl for device (errno 25)")
        }
    }

    @Test func `during a film the console draws nothing, and hears no key unless it is to`() {
        let before = ConsoleState(terminal: "/dev/tty1", displayMode: 0, keyboardMode: 3)
        #expect(
            before.duringFilm(keyboardStaysOn: false)
                == ConsoleState(terminal: "/dev/tty1", displayMode: 1, keyboardMode: 4))
        #expect(
            before.duringFilm(keyboardStaysOn: true)
                == ConsoleState(terminal: "/dev/tty1", displayMode: 1, keyboardMode: 3))
    }

    @Test func `a terminal of another session is reported by its name`() {
        #expect("\(ConsoleError.notOurs(terminal: "/dev/tty1"))".hasPrefix("/dev/tty1 is not this program's"))
    }
}
