import PlayerCore
import Testing

@testable import Vitrine

@Suite struct SoundOutputTests {
    private let box = SoundRoute(device: "sysdefault:CARD=Box", name: "USB Audio", kind: .usb)
    private let loopback = SoundRoute(device: "sysdefault:CARD=Loopback", name: "Loopback", kind: .virtual)

    private func output(_ preference: SoundPreference, _ routes: [SoundRoute]) -> SoundOutput {
        var options = PlayerOptions()
        options.sound = preference
        let output = SoundOutput(options, { [] })
        _ = output.take(routes)
        output.filmIsOpened()
        return output
    }

    private func standard(isExternal: Bool) -> SoundRoute {
        var route = SoundRoute.configured
        route.isExternal = isExternal
        return route
    }

    @Test func `a route that becomes permitted is new`() {
        let output = output(SoundPreference(allowsExternal: false), [standard(isExternal: true)])
        _ = output.take([standard(isExternal: true)])
        #expect(!output.hasNewRoute && output.devices.first.isEmpty && output.forbidden == ["default"])
        _ = output.take([standard(isExternal: false)])
        #expect(output.hasNewRoute && output.devices.first == ["default"] && output.forbidden.isEmpty)
    }

    @Test func `a preference that finds a route makes it new`() {
        let output = output(SoundPreference(allowsExternal: false), [standard(isExternal: true)])
        output.prefer(SoundPreference(allowsExternal: false))
        #expect(!output.hasNewRoute)
        output.prefer(SoundPreference())
        #expect(output.hasNewRoute && output.forbidden.isEmpty)
        let other = self.output(SoundPreference(), [loopback])
        other.prefer(SoundPreference(["loopback"]))
        #expect(other.hasNewRoute)
        other.filmIsOpened()
        other.prefer(SoundPreference(["loopback"], allowsExternal: false))
        #expect(!other.hasNewRoute)
    }

    @Test(arguments: [true, false])
    func `a server may have what a word names, whatever is forbidden`(allowsExternal: Bool) {
        #expect(output(SoundPreference(["foyer"], allowsExternal: allowsExternal), [box]).needsServer)
        #expect(!output(SoundPreference(["usb"], allowsExternal: allowsExternal), [box]).needsServer)
        let configured = [standard(isExternal: true)]
        #expect(output(SoundPreference(allowsExternal: allowsExternal), configured).needsServer == !allowsExternal)
    }
}
