import Media
import PlayerCore
import Testing

@testable import Vitrine

@Suite("a player's sound")
struct PlayerSoundTests {
    static let television = SoundRoute(device: "hdmi:CARD=PCH,DEV=0", name: "HDMI-A-1, LG TV", kind: .hdmi)
    static let box = SoundRoute(device: "sysdefault:CARD=Box", name: "USB Audio", kind: .usb)
    static let speaker = SoundRoute(device: "speaker", name: "Foyer", kind: .network)

    @Test("routes are reported as they come and go, with the one that is heard")
    func routes() async {
        let media = ScriptedMedia()
        let player = Player(engine: media, actionAtItemEnd: .rewind)
        #expect(player.routes.isEmpty && player.currentRoute == nil)
        player.replaceCurrentItem(with: PlayerItem(Asset("film.mp4")))
        player.play()
        _ = await player.timeControlStatusUpdates.first { $0 == .playing }
        media.happen { _ in .routes([Self.television, Self.box]) }
        media.happen { _ in .route(Self.television) }
        #expect(await player.currentRouteUpdates.first { $0 != nil } == Self.television)
        #expect(player.routes == [Self.television, Self.box])
        media.happen { _ in .routes([Self.box]) }
        media.happen { _ in .route(Self.box) }
        #expect(await player.currentRouteUpdates.first { $0 != Self.television } == Self.box)
        #expect(await player.routesUpdates.first { _ in true } == [Self.box])
        await player.close()
    }

    @Test("what is chosen reaches the engine once for each change, with what is forbidden")
    func choice() async {
        let media = ScriptedMedia()
        var options = PlayerOptions()
        options.sound = SoundPreference(["usb"])
        let player = Player(engine: media, actionAtItemEnd: .rewind, options: options)
        #expect(player.sound.words == ["usb"] && player.allowsExternalPlayback)
        player.selectRoute(Self.television)
        player.selectRoute(Self.television)
        player.allowsExternalPlayback = false
        player.selectRoute(nil)
        #expect(player.sound.words.isEmpty && !player.allowsExternalPlayback)
        await player.close()
        let reported = media.commands.compactMap { if case .setSound(let sound) = $0 { sound } else { nil } }
        #expect(
            reported == [
                SoundPreference([Self.television.id]), SoundPreference([Self.television.id], allowsExternal: false),
                SoundPreference(allowsExternal: false),
            ])
    }

    @Test("a speaker on the network is heard where it is named, unless that is forbidden; never by itself")
    func external() {
        let routes = [Self.speaker, Self.box]
        func first(_ preference: SoundPreference) -> SoundRoute? {
            preference.select(from: routes, connector: nil).first
        }
        #expect(first(SoundPreference()) == Self.box)
        #expect(first(SoundPreference(["foyer"])) == Self.speaker)
        let forbidden = SoundPreference(["foyer"], allowsExternal: false)
        #expect(first(forbidden) == Self.box)
        #expect(forbidden.select(from: routes, connector: nil).unknownWords == ["foyer"])
        #expect(SoundPreference().select(from: [Self.speaker], connector: nil).first == nil)
        // It may choose a speaker on the network.
        let server = [SoundRoute.server]
        #expect(SoundPreference(["pipewire"]).select(from: server, connector: nil).first == .server)
        #expect(SoundPreference(["pipewire"], allowsExternal: false).select(from: server, connector: nil).first == nil)
    }
}
