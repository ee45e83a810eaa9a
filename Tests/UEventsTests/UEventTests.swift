import Testing
import UEvents

@Suite("The kernel's messages about devices (N7)")
struct UEventTests {
    private func event(_ parts: String...) -> UEvent? { event(parts) }

    private func event(_ parts: [String]) -> UEvent? {
        UEvent(Array(parts.map { "\($0)\0" }.joined().utf8))
    }

    @Test(
        "A cable, a lease, a card and a connector that come or go are about displays",
        arguments: [
            ["ACTION=change", "SUBSYSTEM=drm", "HOTPLUG=1", "CONNECTOR=93"],
            ["ACTION=change", "SUBSYSTEM=drm", "HOTPLUG=1"],
            ["ACTION=change", "SUBSYSTEM=drm", "LEASE=1"],
            ["ACTION=add", "SUBSYSTEM=drm", "DEVTYPE=drm_minor", "DEVNAME=dri/card1"],
            ["ACTION=remove", "SUBSYSTEM=drm", "DEVTYPE=drm_connector"],
        ])
    func displays(fields: [String]) throws {
        #expect(try #require(event(["change@/devices/faux/vkms/drm/card0"] + fields)).isAboutDisplays)
    }

    @Test("Other devices, and other changes of a card, are not")
    func others() throws {
        #expect(
            try #require(event("add@/devices/usb1", "ACTION=add", "SUBSYSTEM=usb")).isAboutDisplays == false)
        #expect(
            try #require(event("change@/devices/card0", "ACTION=change", "SUBSYSTEM=drm")).isAboutDisplays == false)
        #expect(
            try #require(event("bind@/devices/card0", "ACTION=bind", "SUBSYSTEM=drm", "HOTPLUG=1")).isAboutDisplays
                == false)
    }

    @Test("A sound card that comes, goes or is ready is about sound", arguments: ["add", "remove", "change"])
    func sound(action: String) throws {
        let sound = try #require(event("\(action)@/devices/card0", "ACTION=\(action)", "SUBSYSTEM=sound"))
        #expect(sound.isAboutSound)
        #expect(!sound.isAboutDisplays)
    }

    @Test("What is not the kernel's is no event", arguments: ["", "libudev", "\0\0", "no head\0ACTION=change"])
    func strangers(text: String) {
        #expect(UEvent(Array(text.utf8)) == nil)
    }

    @Test("A value may have an equals sign, and a field none")
    func fields() {
        #expect(event("add@/a", "A=b=c", "nothing", "D=")?.fields == ["A": "b=c", "D": ""])
    }
}
