import PlayerCore
import Testing

@testable import Sound

@Suite struct SoundRoutesTests {
    @Test func `a Raspberry Pi 4 has two HDMI sockets and one for headphones`() throws {
        let routes = try Machine.raspberryPi4.routes()
        #expect(
            routes == [
                SoundRoute(
                    device: "sysdefault:CARD=vc4hdmi0", name: "HDMI-A-1", kind: .hdmi, connector: "HDMI-A-1",
                    problem: "no display is plugged in"),
                SoundRoute(device: "sysdefault:CARD=Headphones", name: "Headphones", kind: .headphones),
                SoundRoute(
                    device: "sysdefault:CARD=vc4hdmi1", name: "HDMI-A-2, LG TV", kind: .hdmi, connector: "HDMI-A-2"),
            ])
        #expect(routes[2].id == "alsa/sysdefault:CARD=vc4hdmi1")
    }

    @Test func `a display without sound is named as what it is`() throws {
        let routes = try Machine.raspberryPi5.routes()
        #expect(routes.map(\.name) == ["HDMI-A-1, Panel", "HDMI-A-2"])
        #expect(routes.map(\.problem) == ["the display has no sound", "no display is plugged in"])
    }

    @Test func `a Raspberry Pi with one connector has a card without a number`() throws {
        var machine = Machine.raspberryPi5
        machine.cards = " 0 [vc4hdmi        ]: vc4-hdmi - vc4-hdmi\n                      vc4-hdmi\n"
        machine.pcm = "00-00: MAI PCM i2s-hifi-0 : MAI PCM i2s-hifi-0 : playback 1\n"
        machine.connectors = ["card0-HDMI-A-1": Machine.edid("LG TV")]
        machine.elds = [:]
        let route = try #require(try machine.routes().first)
        #expect(route.name == "HDMI-A-1, LG TV")
        #expect(route.isUsable)
    }

    @Test func `an Intel computer has its displays by what they say of themselves`() throws {
        #expect(
            try Machine.computer.routes() == [
                SoundRoute(device: "sysdefault:CARD=PCH", name: "Headphones, ALC892", kind: .headphones),
                SoundRoute(device: "iec958:CARD=PCH,DEV=0", name: "Digital, ALC892", kind: .digital),
                SoundRoute(
                    device: "hdmi:CARD=PCH,DEV=0", name: "HDMI-A-1, LG TV", kind: .hdmi, connector: "HDMI-A-1"),
                SoundRoute(
                    device: "hdmi:CARD=PCH,DEV=1", name: "HDMI 2", kind: .hdmi,
                    problem: "no display with sound is plugged in"),
                SoundRoute(device: "hdmi:CARD=PCH,DEV=2", name: "DP-1, DELL U2412M", kind: .hdmi, connector: "DP-1"),
                SoundRoute(device: "sysdefault:CARD=Device", name: "USB Audio Device", kind: .usb),
                SoundRoute(device: "sysdefault:CARD=Loopback", name: "Loopback", kind: .virtual),
                SoundRoute(device: "plughw:CARD=Loopback,DEV=1", name: "Loopback 2", kind: .virtual),
            ])
    }

    @Test func `two displays of the same model have a connector each`() throws {
        var machine = Machine.computer
        machine.connectors = ["card0-DP-1": Machine.edid("LG TV"), "card0-HDMI-A-1": Machine.edid("LG TV")]
        machine.elds[[0, 8]] = Machine.eld("LG TV")
        let displays = try machine.routes().filter { $0.kind == .hdmi && $0.isUsable }
        #expect(displays.map(\.name) == ["DP-1, LG TV", "HDMI-A-1, LG TV"])
    }

    @Test func `a card that may not be asked may be used`() throws {
        var machine = Machine.computer
        machine.elds = [:]
        let displays = try machine.routes().filter { $0.kind == .hdmi }
        #expect(displays.map(\.name) == ["HDMI 1", "HDMI 2", "HDMI 3"])
        #expect(displays.filter(\.isUsable).count == 3)
    }

    @Test func `two cards of the same model have names of their own`() throws {
        let machine = Machine(
            cards: """
                 0 [Dummy          ]: Dummy - Dummy
                                      Dummy 1
                 1 [Dummy_1        ]: Dummy - Dummy
                                      Dummy 2
                """,
            pcm: "00-00: Dummy PCM : Dummy PCM : playback 8\n01-00: Dummy PCM : Dummy PCM : playback 8\n")
        #expect(
            try machine.routes().map(\.name) == [
                "Dummy (sysdefault:CARD=Dummy)", "Dummy (sysdefault:CARD=Dummy_1)",
            ])
    }

    @Test func `two USB boxes of the same model keep their ids in their sockets`() throws {
        func routes(_ sockets: [Int: String]) throws -> [SoundRoute] {
            try Machine(
                cards: """
                     0 [Device         ]: USB-Audio - USB Audio Device
                                          C-Media USB Audio Device at usb-0000:01:00.0-1.1, full speed
                     1 [Device_1       ]: USB-Audio - USB Audio Device
                                          C-Media USB Audio Device at usb-0000:01:00.0-1.4, full speed
                    """,
                pcm: """
                    00-00: USB Audio : USB Audio : playback 1
                    01-00: USB Audio : USB Audio : playback 1
                    01-01: USB Audio : USB Audio #1 : playback 1

                    """,
                devices: sockets
            ).routes()
        }
        let one = try routes([0: "../../../1-1.1:1.0", 1: "../../../1-1.4:1.0"])
        #expect(one.map(\.id) == ["alsa/usb:PORT=1-1.1", "alsa/usb:PORT=1-1.4", "alsa/usb:PORT=1-1.4,DEV=1"])
        #expect(
            one.map(\.name) == [
                "USB Audio Device (usb:PORT=1-1.1)", "USB Audio Device (usb:PORT=1-1.4)", "USB Audio Device 2",
            ])
        // Plugged in the other way round.
        let other = try routes([0: "../../../1-1.4:1.0", 1: "../../../1-1.1:1.0"])
        let preference = SoundPreference([one[0].id])
        #expect(preference.select(from: one, connector: nil).first?.device == "sysdefault:CARD=Device")
        #expect(preference.select(from: other, connector: nil).first?.device == "sysdefault:CARD=Device_1")
        // ALSA's name is understood, too.
        let named = SoundPreference(["alsa/sysdefault:CARD=Device_1"])
        #expect(named.select(from: one, connector: nil).first == one[1])
        // Without sysfs ALSA's name is the id.
        #expect(try routes([:]).map(\.id).first == "alsa/sysdefault:CARD=Device")
    }

    @Test func `without cards there is nothing`() throws {
        #expect(try Machine().routes().isEmpty)
        #expect(SoundRoutes.all(below: "/nonexistent").filter { $0.kind != .configured }.isEmpty)
    }

    @Test(arguments: ["--- no soundcards ---", "[", "]: [0", "x [A]: b - c", "0 [A] b - c"])
    func `lines that are no cards are none`(line: String) throws {
        #expect(try Machine(cards: line + "\n", pcm: line + "\n00-00\n: playback 1\n").routes().isEmpty)
    }

    @Test func `ALSA's default comes first where somebody configured it`() throws {
        let routes = try Machine.raspberryPi4.routes(isConfigured: true)
        #expect(routes.first == .configured)
        #expect(routes.count == 4)
    }

    @Test(
        arguments: [
            ("etc/asound.conf", ""), ("home/.asoundrc", ""), ("home/.config/alsa/asoundrc", ""),
            ("etc/alsa/conf.d/99-pipewire-default.conf", "# PipeWire\npcm.!default {\n  type pipewire\n}\n"),
        ])
    func `a file of somebody's is a configuration`(file: String, text: String) throws {
        #expect(try isConfigured([file: text]))
    }

    @Test(
        arguments: [
            ("etc/alsa/conf.d/60-upmix.conf", "pcm.upmix71 {\n  type upmix\n}\n"),
            ("etc/alsa/conf.d/README", "pcm.!default"),
            ("usr/share/alsa/alsa.conf", "pcm.!default {}"),
        ])
    func `a file of a package's that leaves the default alone is none`(file: String, text: String) throws {
        #expect(try !isConfigured([file: text]))
    }

    private func isConfigured(_ files: [String: String]) throws -> Bool {
        try Machine(files: files).withFolder { ALSAConfiguration.isThere(below: $0, home: "\($0)/home") }
    }

    @Test func `an ELD that is cut off is none`() {
        let eld = Machine.eld("LG TV")
        for length in 0..<20 { #expect(ELD(Array(eld[..<length])) == nil) }
        #expect(ELD(Array(eld[..<22]))?.name == "LG")
        for length in 0..<256 { _ = EDID(Array(Machine.edid("LG TV")[..<length])) }
        #expect(EDID(Array(Machine.edid("LG TV")[..<128]))?.hasSound == false)
    }
}
