import PlayerCore
import Testing

@Suite struct SoundRouterTests {
    private let television = SoundRoute(
        device: "sysdefault:CARD=vc4hdmi0", name: "HDMI-A-1, LG TV", kind: .hdmi, connector: "HDMI-A-1")
    private let monitor = SoundRoute(
        device: "sysdefault:CARD=vc4hdmi1", name: "HDMI-A-2, Dell", kind: .hdmi, connector: "HDMI-A-2")
    private let headphones = SoundRoute(device: "sysdefault:CARD=Headphones", name: "Headphones", kind: .headphones)
    private let usb = SoundRoute(device: "sysdefault:CARD=Device", name: "USB Audio Device", kind: .usb)
    private let loopback = SoundRoute(device: "sysdefault:CARD=Loopback", name: "Loopback", kind: .virtual)
    private var all: [SoundRoute] { [loopback, usb, monitor, headphones, television] }

    private func unusable(_ route: SoundRoute) -> SoundRoute {
        var route = route
        route.problem = "no display is plugged in"
        return route
    }

    private func names(_ preference: [String], _ routes: [SoundRoute], connector: String? = "HDMI-A-1") -> [String] {
        SoundPreference(preference).select(from: routes, connector: connector).outputs.compactMap(\.routes.first?.name)
    }

    @Test func `sound goes to the display that shows the film`() {
        #expect(names([], all) == [television.name])
        #expect(names([], all, connector: "HDMI-A-2") == [monitor.name])
        #expect(SoundPreference.automatic.select(from: all, connector: "HDMI-A-1").outputs[0].reason == .display)
    }

    @Test func `without sound in the display it goes to headphones, then to USB, then to another display`() {
        #expect(names([], [usb, monitor, headphones, unusable(television)]) == [headphones.name])
        #expect(names([], [usb, monitor, unusable(television)]) == [usb.name])
        #expect(names([], [monitor, unusable(television)]) == [monitor.name])
        #expect(names([], [unusable(monitor), unusable(television)]).isEmpty)
        #expect(names([], all, connector: nil) == [headphones.name])
    }

    @Test func `a display whose connector nobody knows may be the film's`() {
        let unknown = SoundRoute(device: "hdmi:CARD=PCH,DEV=0", name: "HDMI 1", kind: .hdmi)
        #expect(names([], [headphones, unknown]) == [unknown.name])
        #expect(names([], [headphones, unknown], connector: nil) == [headphones.name])
    }

    @Test func `what somebody configured stays, and nothing takes its place`() {
        let selection = SoundPreference.automatic.select(from: [.configured] + all, connector: "HDMI-A-1")
        #expect(selection.outputs.map(\.routes) == [[.configured]])
        #expect(selection.outputs.map(\.reason) == [.configured])
        #expect(names(["usb"], [.configured] + all) == [usb.name])
        var router = SoundRouter()
        router.list([.configured] + all)
        router.fail(SoundRoute.configured.device, .busy, at: .milliseconds(0))
        #expect(router.selection.outputs.isEmpty)
    }

    @Test func `a default that may leave the machine is not used while that is forbidden`() {
        var configured = SoundRoute.configured
        configured.isExternal = true
        for words in [[], ["default"], ["hifi"]] {
            let allowed = SoundPreference(words).select(from: [configured] + all, connector: "HDMI-A-1")
            #expect(allowed.first == configured)
            let forbidden = SoundPreference(words, allowsExternal: false)
            #expect(forbidden.select(from: [configured] + all, connector: "HDMI-A-1").first == television)
            #expect(forbidden.select(from: [.configured] + all, connector: "HDMI-A-1").first == .configured)
        }
    }

    @Test(
        arguments: [
            ("hdmi", "HDMI-A-1, LG TV"), ("HDMI", "HDMI-A-1, LG TV"), ("headphones", "Headphones"),
            ("usb", "USB Audio Device"),
            ("lg", "HDMI-A-1, LG TV"), ("HDMI-A-2", "HDMI-A-2, Dell"), ("vc4hdmi1", "HDMI-A-2, Dell"),
            ("alsa/sysdefault:CARD=Loopback", "Loopback"), ("loopback", "Loopback"), ("default", "ALSA's default"),
        ])
    func `a word names a kind or a part of a name`(word: String, name: String) {
        let selection = SoundPreference([word]).select(from: all, connector: "HDMI-A-1")
        #expect(selection.first?.name == name)
        #expect(selection.outputs.first?.reason == .preferred(word))
        #expect(selection.unknownWords.isEmpty)
    }

    @Test func `in place of what is not there comes what the player would choose`() {
        let selection = SoundPreference(["hifi"]).select(from: all, connector: "HDMI-A-1")
        #expect(selection.first == television)
        #expect(selection.outputs[0].reason == .inPlaceOf("hifi"))
        #expect(selection.unknownWords == ["hifi"])
    }

    @Test func `what is there and cannot be used is not unknown`() {
        let selection = SoundPreference(["LG"]).select(from: [headphones, unusable(television)], connector: "HDMI-A-1")
        #expect(selection.first == headphones)
        #expect(selection.outputs[0].reason == .inPlaceOf("LG"))
        #expect(selection.unknownWords.isEmpty)
    }

    @Test func `two words are two places at once, and never the same one`() {
        #expect(names(["hdmi", "usb"], all) == [television.name, usb.name])
        #expect(names(["usb", "usb"], all) == [usb.name])
        #expect(names(["hdmi", "hifi"], all) == [television.name])
        #expect(names(["hifi", "usb"], all) == [television.name, usb.name])
        #expect(names(["hdmi", "usb", "headphones"], all) == [television.name, usb.name])
    }

    @Test func `a second place is only what was meant, where there are several the best first`() {
        let box = SoundRoute(device: "sysdefault:CARD=Box", name: "USB Box", kind: .usb)
        func seconds(_ words: [String], _ routes: [SoundRoute]) -> [String]? {
            let outputs = SoundPreference(words).select(from: routes, connector: "HDMI-A-1").outputs
            return outputs.count == 2 ? outputs[1].routes.map(\.name) : nil
        }
        #expect(seconds(["hdmi", "usb"], all + [box]) == [usb.name, box.name])
        #expect(seconds(["usb", "usb"], all + [box]) == [box.name])
        #expect(seconds(["hdmi", "usb"], [television, unusable(usb)]) == nil)
        // It takes the first one's place.
        #expect(seconds(["hdmi", "usb"], [unusable(television), usb]) == nil)
    }

    @Test(
        arguments: [
            ("auto", []), ("", []), ("hdmi", ["hdmi"]), ("hdmi, usb", ["hdmi", "usb"]), ("LG TV", ["LG TV"]),
            ("alsa/hdmi:CARD=PCH,DEV=0", ["alsa/hdmi:CARD=PCH,DEV=0"]),
            ("hdmi:CARD=PCH,DEV=0", ["hdmi:CARD=PCH,DEV=0"]),
            ("USB Audio Device 2 (usb:PORT=1-1.4,DEV=1)", ["USB Audio Device 2 (usb:PORT=1-1.4,DEV=1)"]),
        ])
    func `a text is words with commas between them, or one PCM`(text: String, words: [String]) {
        #expect(SoundPreference(text: text).words == words)
        #expect(SoundPreference(text: SoundPreference(text: text).text).words == words)
    }

    @Test(arguments: [[], ["auto"], ["AUTO", ""]]) func `auto is no preference`(words: [String]) {
        #expect(SoundPreference(words) == .automatic)
    }

    @Test func `a route that vanishes is followed by the next one, and taken again when it is back`() {
        var router = SoundRouter()
        router.connector = "HDMI-A-1"
        router.list(all)
        #expect(router.selection.first == television)
        router.list([usb, headphones, unusable(television)])
        #expect(router.selection.first == headphones)
        router.list([usb])
        #expect(router.selection.first == usb)
        router.list(all)
        #expect(router.selection.first == television)
    }

    @Test func `a name that is exactly one route's means that one`() {
        let foyer = SoundRoute(node: "raop-sink-245-32", name: "Foyer", kind: .network)
        let other = SoundRoute(node: "raop-sink-245-33", name: "Foyer 2", kind: .network)
        #expect(names([foyer.word], [other, foyer]) == ["Foyer"])
        #expect(usb.word == usb.id)
    }

    @Test(arguments: ["usb:PORT=1-1.4", "alsa/usb:PORT=1-1.4"])
    func `a USB socket means its output and no other`(word: String) {
        var (first, second) = (usb, usb)
        (first.socket, second.socket) = ("usb:PORT=1-1.4", "usb:PORT=1-1.4,DEV=1")
        (first.name, second.name) = ("Device (usb:PORT=1-1.4)", "Device (usb:PORT=1-1.4,DEV=1)")
        #expect(names([word], [second, first]) == [first.name])
    }

    @Test(arguments: [SoundRouter.Failure.busy, .noServer])
    func `a busy route, or one without its server, is tried again after a while`(failure: SoundRouter.Failure) {
        var router = SoundRouter()
        router.connector = "HDMI-A-1"
        router.list(all)
        #expect(router.deadline == nil)
        router.fail(television.device, failure, at: .milliseconds(1000))
        #expect(router.selection.first == headphones)
        let due = MonotonicTime.milliseconds(1000) + SoundRouter.patience
        #expect(router.deadline == due)
        router.wake(at: .milliseconds(2000))
        #expect(router.selection.first == headphones)
        router.wake(at: due)
        #expect(router.selection.first == television)
        #expect(router.deadline == nil)
    }

    @Test func `a broken route is left alone until something changes`() {
        var router = SoundRouter()
        router.connector = "HDMI-A-1"
        router.list(all)
        router.fail(television.device, .lost, at: .milliseconds(0))
        #expect(router.deadline == nil)
        router.wake(at: .milliseconds(3_600_000))
        #expect(router.selection.first == headphones)
        router.list(all)
        #expect(router.selection.first == television)
    }
}
