import Glibc
import Testing

@testable import Touch

@Suite("TouchError: what was tried, on what, and the remedy")
struct TouchErrorTests {
    @Test("a panel without permission names the panel, its node and the group")
    func permission() {
        let error = TouchError.open(node: "/dev/input/event3", name: "Goodix", errno: EACCES)
        #expect(
            error.description == """
                Cannot open the touch panel "Goodix" (/dev/input/event3): Permission denied (errno 13): \
                add this user to the group "input" (usermod -aG input USER)
                """)
    }

    @Test("another reason is reported as the kernel gives it, without that remedy")
    func otherReason() {
        let error = TouchError.open(node: "/dev/input/event3", name: "Goodix", errno: EIO)
        #expect(error.description.hasSuffix("Input/output error (errno 5)"))
    }
}
