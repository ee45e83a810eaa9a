import Control
import Media
import PlayerCore
import Testing

@testable import Vitrine

@Suite("The player as mpv's clients see it, before anything is opened")
struct RemotePlayerTests {
    private func player() throws -> (VitrinePlayer, RemotePlayer) {
        let films = try ["http://127.0.0.1/a.mp4", "http://127.0.0.1/b.mp4"].map { try MediaLocation($0) }
        let player = VitrinePlayer(options: PlayerOptions(playlist: films), display: nil)
        return (player, RemotePlayer(player))
    }

    @Test("seeks as far as numbers go lead to the end of what there may be, or are refused (M6)")
    func farSeeks() async throws {
        let (player, remote) = try player()
        for target in [9e9, 9e9, 9.2e9, -9.1e9, 9e9, 1e300, 9e9] {
            _ = try? await remote.run(.seek(MPVSeek(.relative(target))))
            _ = try? await remote.run(.add(property: "time-pos", amount: target))
        }
        #expect(await player.currentTime == MediaTime.farthest)
        _ = try await remote.run(.seek(MPVSeek(.absolute(9e9), precision: .exact)))
        #expect(await player.currentTime == MediaTime.farthest)
        _ = try await remote.run(.seek(MPVSeek(.relative(-9.1e9))))
        #expect(await player.currentTime == .zero)
        await player.seek(to: .unlimited)
        #expect(await player.currentTime == MediaTime.farthest)
    }

    @Test("a playlist's entries have numbers that never come again; loadfile and loadlist tell the first")
    func entries() async throws {
        let (player, remote) = try player()
        func ids() async throws -> [JSONValue?] {
            guard case .array(let entries) = try await remote.property("playlist") else { return [] }
            return entries.map { if case .object(let entry) = $0 { entry["id"] } else { nil } }
        }
        #expect(try await ids() == [1, 2])
        let appended = try await remote.run(.loadFile(url: "http://127.0.0.1/c.mp4", mode: .append, options: [:]))
        #expect(appended == ["playlist_entry_id": 3])
        #expect(await player.play(entry: 1))
        _ = try await remote.run(.playlistClear)
        #expect(try await ids() == [2])
        let loaded = try await remote.run(.loadList(url: "http://127.0.0.1/d.mp4", mode: .replace))
        #expect(loaded == ["playlist_entry_id": 4, "num_entries": 1])
        #expect(try await ids() == [4])
    }

    private func load(
        _ name: String, _ mode: MPVLoadMode, index: Int = -1, _ options: [String: String] = [:]
    ) -> MPVCommand {
        .loadFile(url: "http://127.0.0.1/\(name).mp4", mode: mode, index: index, options: options)
    }

    private func names(_ player: VitrinePlayer) async -> String {
        await player.queue.films.map { $0.fileTitle }.joined()
    }

    @Test("where a film is to start is read, also of one that is appended, or refused")
    func starts() async throws {
        let (player, remote) = try player()
        for mode in MPVLoadMode.allCases {
            for start in ["101%", "#2", "soon", "-", ""] {
                await #expect(throws: MPVError.invalidParameter) {
                    try await remote.run(load("c", mode, ["start": start]))
                }
            }
        }
        #expect(await player.queue.count == 2)
        for start in ["1:30", "+90", "90.00000000001", "none", "50%", "-1:30"] {
            _ = try await remote.run(load("c", .append, ["start": start]))
        }
        let starts = await player.act { player in
            player.queue.list.items.map { player.queue.options(of: $0)?.start }
        }
        let places: [StartPlace?] = [
            nil, nil, .time(.seconds(90)), .time(.seconds(90)), .time(.seconds(90)), nil, .part(0.5),
            .beforeEnd(.seconds(90)),
        ]
        #expect(starts == places)
        await player.clearPlaylist()
        #expect(
            await player.act { player in (3...8).allSatisfy { player.queue.options(of: ItemID(number: $0)) == nil } })
    }

    @Test("loadfile and loadlist put films where they are asked to")
    func places() async throws {
        let (player, remote) = try player()
        #expect(await player.play(entry: 0))
        for command in [
            load("c", .append, index: 0), load("d", .insertNext), load("e", .insertAt, index: 0),
            load("f", .insertAt), load("g", .insertAtPlay, index: 99), load("h", .insertNextPlay),
            .loadList(url: "http://127.0.0.1/i.mp4", mode: .insertAt, index: 1),
        ] {
            _ = try await remote.run(command)
        }
        #expect(await names(player) == "eiahdbcfg")
        #expect(await player.queue.place == 2, "what plays plays on")
        #expect(try await remote.property("playlist-pos-1") == 3)
        await player.stop(keepsPlaylist: true)
        #expect(try await remote.property("playlist-pos-1") == -1)
        _ = try await remote.run(load("j", .insertNext))
        #expect(await names(player) == "eiahdbcfgj", "where nothing plays, it comes last")
        _ = try await remote.run(load("k", .insertAtPlay, index: 1))
        #expect(try await remote.property("playlist-pos") == 1)
        #expect(await names(player) == "ekiahdbcfgj")
    }

    @Test("entries are moved, removed and shuffled under the film that plays")
    func rearranging() async throws {
        let (player, remote) = try player()
        for name in ["c", "d"] { _ = try await remote.run(load(name, .append)) }
        _ = try await remote.run(.playlistPlayIndex(.place(1)))
        _ = try await remote.run(.playlistMove(from: 0, to: 3))
        #expect(await names(player) == "bcad")
        #expect(await player.queue.place == 0)
        _ = try await remote.run(.playlistMove(from: 0, to: 99))
        #expect(await names(player) == "cadb")
        #expect(await player.queue.place == 3)
        _ = try await remote.run(.playlistRemove(.place(0)))
        #expect(await player.queue.place == 2)
        for wrong: MPVCommand in [
            .playlistMove(from: 9, to: 0), .playlistMove(from: -1, to: 0), .playlistRemove(.place(3)),
            .playlistPlayIndex(.place(3)),
        ] {
            await #expect(throws: MPVError.errorRunningCommand) { try await remote.run(wrong) }
        }
        _ = try await remote.run(.playlistShuffle)
        #expect(await player.queue.current?.fileTitle == "b")
        _ = try await remote.run(.playlistUnshuffle)
        #expect(await names(player) == "adb")
        _ = try await remote.run(.playlistPlayIndex(.place(0)))
        _ = try await remote.run(.playlistRemove(.current))
        #expect(await names(player) == "db")
        #expect(try await remote.property("playlist-pos") == 0, "the next one plays")
        _ = try await remote.run(.playlistPlayIndex(.place(1)))
        _ = try await remote.run(.playlistRemove(.current))
        #expect(await player.queue.isIdle, "there is no next one")
        await #expect(throws: MPVError.errorRunningCommand) { try await remote.run(.playlistRemove(.current)) }
        try await remote.setProperty("loop-playlist", to: "inf")
        for name in ["e", "f"] { _ = try await remote.run(load(name, .append)) }
        _ = try await remote.run(.playlistPlayIndex(.place(2)))
        _ = try await remote.run(.playlistRemove(.current))
        #expect(await names(player) == "de")
        #expect(try await remote.property("playlist-pos") == 0, "the first one follows the last")
        _ = try await remote.run(.playlistPlayIndex(.nothing))
        #expect(try await remote.property("playlist-pos") == -1)
    }

    @Test("options that would not be kept are refused")
    func refusedOptions() async throws {
        let (player, remote) = try player()
        for (name, value) in [
            ("sub-files", "/x.srt"), ("end", "2"), ("pause", "maybe"), ("volume", "5000"), ("speed", "100"),
            ("loop-file", "often"), ("aid", "first"), ("path", "x"),
        ] {
            await #expect(throws: MPVError.invalidParameter, "\(name)") {
                try await remote.run(load("c", .replace, ["start": "1", name: value]))
            }
        }
        #expect(await names(player) == "ab")
    }

    @Test("a film's options hold while it plays, and what held before holds again afterwards")
    func options() async throws {
        let (player, remote) = try player()
        let run = Task { await player.play() }
        defer { run.cancel() }
        let options = [
            "pause": "yes", "loop-file": "2", "volume": "20", "mute": "yes", "speed": "2", "aid": "no", "sid": "3",
        ]
        _ = try await remote.run(load("c", .append, options))
        func holds() async throws -> [JSONValue] {
            var values: [JSONValue] = []
            for name in ["pause", "loop-file", "volume", "mute", "speed"] {
                values.append(try await remote.property(name))
            }
            return values
        }
        let chosen: [MediaCharacteristic: Int?] = [.audible: nil, .legible: 3]
        let usual: [JSONValue] = [false, false, 100.0, false, 1.0]
        #expect(try await holds() == usual)
        for _ in 0..<2 {
            _ = try await remote.run(.playlistPlayIndex(.place(2)))
            #expect(try await holds() == [true, 2, 20.0, true, 2.0])
            #expect(await player.act { $0.session.tracks.chosen } == chosen)
            // What is set while it plays ends with it, too.
            try await remote.setProperty("volume", to: 70)
            try await remote.setProperty("pause", to: false)
            _ = try await remote.run(.playlistPlayIndex(.place(0)))
            #expect(try await holds() == usual)
            #expect(await player.act { $0.session.tracks.chosen.isEmpty })
        }
        try await remote.setProperty("volume", to: 60)
        _ = try await remote.run(load("d", .replace, ["volume": "30", "loop": "inf"]))
        #expect(try await holds() == [false, "inf", 30.0, false, 1.0])
        _ = try await remote.run(.stop(keepPlaylist: false))
        #expect(try await holds() == [false, false, 60.0, false, 1.0])
        await player.end(.ended(code: 0))
        _ = await run.value
    }

    @Test("what clients ask for by mpv's other names, and what a kiosk has of it")
    func names() async throws {
        let (player, remote) = try player()
        try await remote.setProperty("loop", to: "inf")
        #expect(try await remote.property("loop-file") == "inf")
        let changes = player.hub.changes()
        _ = try await remote.run(.cycle(property: "loop", step: 1))
        var told = changes.makeAsyncIterator()
        #expect(await told.next() == ["loop-file", "loop"])
        #expect(try await remote.property("loop") == false)
        #expect(try await remote.property("fullscreen") == true)
        try await remote.setProperty("fullscreen", to: true)
        await #expect(throws: MPVError.errorAccessingProperty) { try await remote.setProperty("fs", to: false) }
        #expect(try await remote.property("volume-max") == 100.0)
        try await remote.setProperty("volume", to: 110)
        #expect(try await remote.property("volume") == 100.0)
        for wrong: JSONValue in [-2, 1001] {
            await #expect(throws: MPVError.unsupportedPropertyFormat) {
                try await remote.setProperty("volume", to: wrong)
            }
        }
        try await remote.setProperty("sub-visibility", to: "no")
        #expect(await !player.preferences.areSubtitlesShown)
        _ = try await remote.run(.cycle(property: "sub-visibility", step: 1))
        #expect(try await remote.property("sub-visibility") == true)
        #expect(Set(remote.propertyNames).isSuperset(of: ["loop", "audio", "sub", "fs"]))
    }

    @Test("without an on-screen display, what is to be shown is refused")
    func noOSD() async throws {
        let player = VitrinePlayer(options: PlayerOptions(hasOSD: false), display: nil)
        for command: MPVCommand in [.showText("a", milliseconds: nil, level: 0), .showProgress] {
            await #expect(throws: MPVError.errorRunningCommand) { try await RemotePlayer(player).run(command) }
        }
    }

    @Test("loop-playlist counts how often the list is played, loop-file how often a film is repeated, as mpv does")
    func loops() async throws {
        let (player, remote) = try player()
        try await remote.setProperty("loop-playlist", to: 2)
        #expect(await player.queue.list.repetition == .times(1))
        #expect(try await remote.property("loop-playlist") == 2)
        try await remote.setProperty("loop-playlist", to: "1")
        #expect(try await remote.property("loop-playlist") == false)
        for wrong: JSONValue in [0, "0", 10_001, "often"] {
            await #expect(throws: MPVError.unsupportedPropertyFormat) {
                try await remote.setProperty("loop-playlist", to: wrong)
            }
        }
        try await remote.setProperty("loop-file", to: 2)
        #expect(await player.queue.list.itemRepetition == .times(2))
        #expect(try await remote.property("loop-file") == 2)
        try await remote.setProperty("loop-file", to: 0)
        #expect(try await remote.property("loop-file") == false)
    }

    @Test("panscan and keepaspect change nothing where they are what they are set to")
    func gravities() async throws {
        let (player, remote) = try player()
        await player.setGravity(.resizeAspectFill)
        try await remote.setProperty("keepaspect", to: true)
        #expect(try await remote.property("panscan") == 1.0)
        await player.setGravity(.resize)
        try await remote.setProperty("panscan", to: 0)
        #expect(try await remote.property("keepaspect") == false)
        try await remote.setProperty("panscan", to: 1)
        #expect(await player.act { $0.stage.gravity } == .resizeAspectFill)
        try await remote.setProperty("keepaspect", to: false)
        #expect(await player.act { $0.stage.gravity } == .resize)
    }

    @Test("steps of two clients at once both count")
    func steps() async throws {
        let (player, remote) = try player()
        await player.setVolume(0)
        await withDiscardingTaskGroup { clients in
            for _ in 0..<20 {
                clients.addTask { _ = try? await remote.run(.add(property: "volume", amount: 5)) }
            }
        }
        #expect(await player.preferences.sound.volume == 100)
        await withDiscardingTaskGroup { clients in
            for _ in 0..<51 { clients.addTask { _ = try? await remote.run(.cycle(property: "mute", step: 1)) } }
        }
        #expect(await player.preferences.sound.isMuted)
    }

    @Test("what add, multiply and cycle are for (A8, S4)")
    func properties() async throws {
        let (player, remote) = try player()
        _ = try await remote.run(.add(property: "speed", amount: 0.5))
        _ = try await remote.run(.multiply(property: "speed", factor: 2))
        #expect(await player.act { $0.session.wantedRate.factor } == 3)
        _ = try await remote.run(.multiply(property: "speed", factor: 100))
        #expect(await player.act { $0.session.wantedRate } == .fastest)
        _ = try await remote.run(.add(property: "panscan", amount: 0.1))
        #expect(await player.act { $0.stage.gravity } == .resizeAspectFill)
        _ = try await remote.run(.cycle(property: "keepaspect", step: 1))
        #expect(await player.act { $0.stage.gravity } == .resize)
        _ = try await remote.run(.cycle(property: "loop-file", step: 1))
        #expect(await player.queue.list.itemRepetition == .forever)
        _ = try await remote.run(.cycle(property: "loop-playlist", step: 1))
        _ = try await remote.run(.cycle(property: "loop-playlist", step: 1))
        #expect(await player.queue.list.repetition == Repetition.none)
        await #expect(throws: MPVError.errorRunningCommand) {
            try await remote.run(.multiply(property: "pause", factor: 2))
        }
        #expect(try await remote.property("filename/no-ext") == "a")
        await #expect(throws: MPVError.propertyUnavailable) { try await remote.property("metadata/by-key/title") }
        await #expect(throws: MPVError.propertyUnavailable) { try await remote.property("metadata/list/count") }
        await #expect(throws: MPVError.propertyNotFound) { try await remote.property("path/title") }
    }

    @Test("aid and sid auto bring back what was wished for (A11)")
    func automatic() async throws {
        let (player, remote) = try player()
        try await remote.setProperty("slang", to: "de")
        try await remote.setProperty("sid", to: "no")
        #expect(try await remote.property("slang") == [])
        try await remote.setProperty("sid", to: "auto")
        #expect(try await remote.property("slang") == ["de"])
        try await remote.setProperty("aid", to: "no")
        try await remote.setProperty("aid", to: "auto")
        #expect(await player.act { $0.preferences.audio == .any && $0.session.tracks.chosen.isEmpty })
    }

    @Test("a client's words stand before the player's own, which are there again afterwards")
    func words() async throws {
        let rehearsal = try await Rehearsal(["a.mp4"]) { $0.hasOSD = true }
        let remote = RemotePlayer(rehearsal.player)
        await rehearsal.player.setMessage("No connection")
        _ = try await remote.run(.showText("Hello", milliseconds: 3_000, level: 0))
        await rehearsal.turn(.milliseconds(2_999))
        #expect(try await remote.property("vitrine/message") == "Hello")
        await rehearsal.turn(.milliseconds(1))
        #expect(try await remote.property("vitrine/message") == "No connection")
        // The end of the first one's time is not that of the second's.
        _ = try await remote.run(.showText("First", milliseconds: 1, level: 0))
        _ = try await remote.run(.showText("Again", milliseconds: 100_000, level: 0))
        await rehearsal.turn(.seconds(9))
        #expect(try await remote.property("vitrine/message") == "Again")
        _ = try await remote.run(.showText("", milliseconds: nil, level: 0))
        #expect(try await remote.property("vitrine/message") == "No connection")
        await rehearsal.end()
    }
}
