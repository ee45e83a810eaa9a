import Foundation
import Testing

@testable import KMS

@Suite("Choice of card, connector and mode (S2)")
struct DisplayChoiceTests {
    private func choose(
        _ inventory: DisplayInventory, connector: String? = nil, mode: String? = nil
    ) throws(KMSError) -> DisplayChoice {
        try DisplayChoice.choose(
            from: inventory, request: DisplayRequest(connector: connector, mode: mode.flatMap(ModeRequest.init)))
    }

    @Test("The card with a connected connector is taken, whatever its number")
    func cardByCapability() throws {
        let choice = try choose(Inventories.pi())
        #expect(choice.card == "/dev/dri/card1")
        #expect(choice.driver == "vc4")
        #expect(choice.connectorName == "HDMI-A-1")
        #expect(choice.crtcID == 80, "the CRTC that drives the connector already")
        #expect(choice.reasons.contains { $0.contains("HDMI-A-2") }, "the other display is mentioned")
    }

    @Test("A writeback connector is never taken for a display")
    func writebackIsNoDisplay() throws {
        #expect(try choose(Inventories.vkms()).connectorName == "Virtual-1")
    }

    @Test("A disconnected first connector is passed over, and a free CRTC taken")
    func secondConnector() throws {
        let choice = try choose(Inventories.pi(first: .disconnected))
        #expect(choice.connectorName == "HDMI-A-2")
        #expect(choice.crtcID == 70)
        #expect(choice.primaryPlaneID == 71)
    }

    @Test("A 4K display is driven at 1920x1080, whole frames, 60 Hz, and says why")
    func televisionAtFullHD() throws {
        let choice = try choose(Inventories.vkms(modes: Inventories.televisionModes))
        #expect(choice.mode == Inventories.hd60)
        #expect(choice.reasons.contains { $0.hasPrefix("mode 1920x1080@60:") && $0.contains("3840x2160@60") })
    }

    @Test("A display that offers 4K only is driven so")
    func fourKOnly() throws {
        let only = DisplayMode(width: 3840, height: 2160, refreshMillihertz: 30_000, isPreferred: true)
        #expect(try choose(Inventories.vkms(modes: [only])).mode == only)
    }

    @Test("The preferred mode wins over larger ones up to 1920x1080, and an upright panel keeps its own")
    func preferredMode() throws {
        let preferred = DisplayMode(width: 1024, height: 768, refreshMillihertz: 60_004, isPreferred: true)
        #expect(try choose(Inventories.vkms(modes: [Inventories.hd60, preferred])).mode == preferred)
        let upright = DisplayMode(width: 1080, height: 1920, refreshMillihertz: 60_000, isPreferred: true)
        #expect(try choose(Inventories.vkms(modes: [Inventories.vga, upright])).mode == upright)
    }

    @Test("An interlaced mode is not taken though the display prefers it, unless it has no other")
    func preferredInInterlace() throws {
        let preferred = DisplayMode(
            width: 1920, height: 1080, refreshMillihertz: 60_000, isPreferred: true, isInterlaced: true)
        let whole = DisplayMode(width: 1280, height: 720, refreshMillihertz: 60_000)
        #expect(try choose(Inventories.vkms(modes: [preferred, whole])).mode == whole)
        #expect(try choose(Inventories.vkms(modes: [preferred])).mode == preferred)
    }

    @Test("Without a preferred mode the largest up to 1920x1080 is taken")
    func nothingPreferred() throws {
        let large = DisplayMode(width: 2560, height: 1440, refreshMillihertz: 60_000)
        let choice = try choose(Inventories.vkms(modes: [Inventories.vga, large, Inventories.hd50]))
        #expect(choice.mode == Inventories.hd50)
    }

    @Test(
        "A forced mode is matched by size, and by the nearest rate",
        arguments: [
            ("1920x1080", 60_000), ("1920x1080@60", 60_000), ("1920x1080@59.94", 59_940), ("1920x1080@50", 50_000),
            ("3840x2160", 60_000), ("3840x2160@30", 30_000), ("640x480@60", 59_940), ("1920x1080@120", 120_000),
        ])
    func forcedMode(text: String, refresh: Int) throws {
        let choice = try choose(Inventories.vkms(modes: Inventories.televisionModes), mode: text)
        #expect(choice.mode.refreshMillihertz == refresh)
        #expect(text.hasPrefix("\(choice.mode.width)x\(choice.mode.height)"))
        #expect(!choice.mode.isInterlaced)
    }

    @Test("A mode that the display lacks is an error that lists those it has", arguments: ["1281x720", "1920x1080@75"])
    func missingMode(text: String) throws {
        let request = try #require(ModeRequest(text))
        let error = #expect(throws: KMSError.self) {
            try choose(Inventories.vkms(modes: [Inventories.hd60, Inventories.vga]), mode: text)
        }
        #expect(
            error
                == .noSuchMode(
                    requested: request, connector: "Virtual-1", available: [Inventories.hd60, Inventories.vga]))
        #expect(error?.description.contains("1920x1080@60, 640x480@59.94") == true)
    }

    @Test("A forced connector is taken")
    func forcedConnector() throws {
        var inventory = Inventories.pi()
        inventory.cards[1].connectors[0].crtcID = 70
        let choice = try choose(inventory, connector: "HDMI-A-2")
        #expect(choice.connectorID == 43)
        #expect(choice.crtcID == 80, "not the one that drives the other display")
    }

    @Test("A forced connector that does not exist is an error that lists those that do")
    func missingConnector() {
        #expect(throws: KMSError.noSuchConnector(name: "DP-1", available: ["HDMI-A-1", "HDMI-A-2"])) {
            try choose(Inventories.pi(), connector: "DP-1")
        }
    }

    @Test("A forced connector without a display, and no display at all, are two errors")
    func nothingConnected() {
        #expect(throws: KMSError.connectorNotConnected(name: "HDMI-A-1")) {
            try choose(Inventories.pi(first: .disconnected), connector: "HDMI-A-1")
        }
        var inventory = Inventories.vkms()
        inventory.cards[0].connectors[1].status = .disconnected
        #expect(throws: KMSError.noConnectedDisplay(connectors: ["Virtual-1"])) { try choose(inventory) }
        #expect(throws: KMSError.noCard) { try choose(Inventories.inventory()) }
    }

    @Test("A display on a card that may not be opened is a question of permission, not of cables")
    func unreadableCard() {
        var inventory = Inventories.vkms()
        inventory.cards[0].connectors[1].status = .disconnected
        inventory.unreadable = [.init(path: "/dev/dri/card1", group: "video")]
        #expect(throws: KMSError.noPermission(card: "/dev/dri/card1", group: "video")) { try choose(inventory) }
    }

    @Test("A display that nobody has looked for, on a card that another program holds, is held")
    func heldAndUnknown() {
        var inventory = Inventories.vkms(modes: [])
        inventory.cards[0].connectors[1].status = .unknown
        inventory.cards[0].isHeld = true
        inventory.cards[0].holders = [DeviceHolder(processID: 7, name: "weston")]
        let held = KMSError.displayHeld(
            card: "/dev/dri/card0", holders: [DeviceHolder(processID: 7, name: "weston")])
        #expect(throws: held) { try choose(inventory) }
        #expect(held.description.contains("weston (process 7)"))
        #expect(held.remedy.contains("weston"))
    }

    @Test("A panel that cannot be detected is taken where nothing is connected, and it is the only one with modes")
    func undetected() throws {
        var inventory = Inventories.pi(first: .unknown)
        #expect(try choose(inventory).connectorID == 43, "what is connected goes first")
        inventory.cards[1].connectors[1].status = .disconnected
        #expect(try choose(inventory).connectorID == 32)
        let names = ["HDMI-A-1", "HDMI-A-2"]
        for change in [
            { $0.cards[1].connectors[1].status = .unknown }, { $0.cards[1].connectors[0].modes = [] },
        ] as [(inout DisplayInventory) -> Void] {
            var other = inventory
            change(&other)
            #expect(throws: KMSError.noConnectedDisplay(connectors: names)) { try choose(other) }
        }
        inventory.cards[1].isHeld = true
        #expect(throws: KMSError.displayHeld(card: "/dev/dri/card1", holders: [])) { try choose(inventory) }
    }

    @Test("A connector that no CRTC can drive is an error")
    func noCRTC() {
        var inventory = Inventories.vkms()
        inventory.cards[0].connectors[1].possibleCRTCs = []
        #expect(throws: KMSError.noCRTC(card: "/dev/dri/card0", connector: "Virtual-1")) { try choose(inventory) }
    }

    @Test("Modes are read as people write them, and nothing else is")
    func modeText() {
        #expect(ModeRequest("1280x720") == ModeRequest(width: 1280, height: 720))
        #expect(
            ModeRequest("1920x1080@59.94") == ModeRequest(width: 1920, height: 1080, refreshMillihertz: 59_940))
        for wrong in ["", "1280", "1280x", "x720", "1280x720@", "1280x720@0", "0x720", "-1x720", "1x2x3", "1x2@3@4"] {
            #expect(ModeRequest(wrong) == nil, "\(wrong)")
        }
        #expect(ModeRequest(width: 1, height: 2, refreshMillihertz: 59_940).description == "1x2@59.94")
        let mode = DisplayMode(width: 1024, height: 768, refreshMillihertz: 60_004)
        #expect(mode.description == "1024x768@60")
        #expect(DisplayMode(width: 1, height: 2, refreshMillihertz: 50_050).description == "1x2@50.05")
    }

    @Test("Inventory and choice survive JSON, formats as their four characters")
    func json() throws {
        let inventory = Inventories.pi()
        let data = try JSONEncoder().encode(inventory)
        #expect(try JSONDecoder().decode(DisplayInventory.self, from: data) == inventory)
        #expect(String(decoding: data, as: UTF8.self).contains(#"["XR24","AR24","YU12","NV12"]"#))
        let choice = try choose(inventory)
        #expect(try JSONDecoder().decode(DisplayChoice.self, from: JSONEncoder().encode(choice)) == choice)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([PixelFormat].self, from: Data(#"["NV123"]"#.utf8))
        }
    }
}
