import Testing

@testable import KMS

@Suite("Errors of the display")
struct KMSErrorTests {
    @Test("A failed call names what was tried, on what, and errno as number and text")
    func systemCall() {
        let error = KMSError.failed("drmModeSetCrtc", on: "HDMI-A-1 of /dev/dri/card1", code: 22)
        #expect(error.description == "drmModeSetCrtc on HDMI-A-1 of /dev/dri/card1 failed: Invalid argument (22)")
    }

    @Test("A refused card names the group and the command that joins it")
    func permission() {
        let error = KMSError.noPermission(card: "/dev/dri/card0", group: "video")
        #expect(error.description.contains("/dev/dri/card0") && error.description.contains("video"))
        #expect(error.remedy.contains("usermod -aG video") && error.remedy.contains("DeviceAllow= must name char-drm"))
    }

    @Test("A card that is no card is a failed call, not a crash", arguments: ["/dev/dri/nothing-here"])
    func noSuchNode(path: String) {
        let error = #expect(throws: KMSError.self) { try CardHandle(path: path) }
        #expect(error == .systemCall(operation: "open", object: path, code: 2))
    }

    @Test("Who holds a device is looked up without harm, also for one that does not exist")
    func holders() {
        #expect(DeviceHolder.holders(of: "/dev/dri/nothing-here").isEmpty)
        #expect(DeviceHolder.holders(of: "/etc/hostname").isEmpty, "a file is not a device")
    }

    @Test("A format is printed as its characters")
    func format() {
        #expect(PixelFormat.yuv420.description == "YU12")
        #expect(PixelFormat.argb8888.description == "AR24")
        #expect(PixelFormat(rawValue: 0x2020_3852).description == "R8")
    }
}
