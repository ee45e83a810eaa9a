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

    @Test("where a film is to start is read, also of one that is appended, or refused")
    func starts() async throws {
        let (player, remote) = try player()
        for mode in MPVLoadMode.allCases {
            await #expect(throws: MPVError.invalidParameter) {
                try await remote.run(.loadFile(url: "http://127.0.0.1/c.mp4", mode: mode, options: ["start": "50%"]))
            }
        }
        #expect(await player.playlist.count == 2)
        for start in ["1:30", "+90", "90.00000000001", "none"] {
            _ = try await remote.run(.loadFile(url: "http://127.0.0.1/c.mp4", mode: .append, options: ["start": start]))
        }
        #expect(await player.starts == [3: .seconds(90), 4: .seconds(90), 5: .seconds(90)])
        await player.clearPlaylist()
        #expect(await player.starts.isEmpty)
    }

    @Test("loop-playlist counts how often the list is played, loop-file how often a film is repeated, as mpv does")
    func loops() async throws {
        let (player, remote) = try player()
        try await remote.setProperty("loop-playlist", to: 2)
        #expect(await player.repetitions.playlist == .times(1))
        #expect(try await remote.property("loop-playlist") == 2)
        try await remote.setProperty("loop-playlist", to: "1")
        #expect(try await remote.property("loop-playlist") == false)
        for wrong: JSONValue in [0, "0", 10_001, "often"] {
            await #expect(throws: MPVError.unsupportedPropertyFormat) {
                try await remote.setProperty("loop-playlist", to: wrong)
            }
        }
        try await remote.setProperty("loop-file", to: 2)
        #expect(await player.repetitions.film == .times(2))
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
        #expect(await player.gravity == .resizeAspectFill)
        try await remote.setProperty("keepaspect", to: false)
        #expect(await player.gravity == .resize)
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
        #expect(await player.choice.sound.volume == 100)
        await withDiscardingTaskGroup { clients in
            for _ in 0..<51 { clients.addTask { _ = try? await remote.run(.cycle(property: "mute", step: 1)) } }
        }
        #expect(await player.choice.sound.isMuted)
    }

    @Test("what add, multiply and cycle are for (A8, S4)")
    func properties() async throws {
        let (player, remote) = try player()
        _ = try await remote.run(.add(property: "speed", amount: 0.5))
        _ = try await remote.run(.multiply(property: "speed", factor: 2))
        #expect(await player.rate.factor == 3)
        _ = try await remote.run(.multiply(property: "speed", factor: 100))
        #expect(await player.rate == .fastest)
        _ = try await remote.run(.add(property: "panscan", amount: 0.1))
        #expect(await player.gravity == .resizeAspectFill)
        _ = try await remote.run(.cycle(property: "keepaspect", step: 1))
        #expect(await player.gravity == .resize)
        _ = try await remote.run(.cycle(property: "loop-file", step: 1))
        #expect(await player.repetitions.film == .forever)
        _ = try await remote.run(.cycle(property: "loop-playlist", step: 1))
        _ = try await remote.run(.cycle(property: "loop-playlist", step: 1))
        #expect(await player.repetitions.playlist == Repetition.none)
        await #expect(throws: MPVError.errorRunningCommand) {
            try await remote.run(.multiply(property: "pause", factor: 2))
        }
        #expect(try await remote.property("filename/no-ext") == "a")
        await #expect(throws: MPVError.propertyUnavailable) { try await remote.property("metadata/by-key/title") }
        await #expect(throws: MPVError.propertyNotFound) { try await remote.property("metadata/by-name/title") }
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
        let choice = await player.choice
        #expect(choice.audio == .any && choice.chosen.isEmpty)
    }

    @Test("a client's words stand before the player's own, which are there again afterwards")
    func words() async throws {
        let (player, remote) = try player()
        await player.setMessage("No connection")
        _ = try await remote.run(.showText("Hello", milliseconds: 100_000, level: 0))
        #expect(try await remote.property("vitrine/message") == "Hello")
        _ = try await remote.run(.showText("Hello", milliseconds: 0, level: 0))
        while try await remote.property("vitrine/message") == "Hello" { await Task.yield() }
        #expect(try await remote.property("vitrine/message") == "No connection")
        // The end of the first one's time is not that of the second's.
        _ = try await remote.run(.showText("First", milliseconds: 1, level: 0))
        _ = try await remote.run(.showText("Again", milliseconds: 100_000, level: 0))
        try await Task.sleep(for: .milliseconds(100))  // Nothing is what must happen.
        #expect(try await remote.property("vitrine/message") == "Again")
        _ = try await remote.run(.showText("", milliseconds: nil, level: 0))
        #expect(try await remote.property("vitrine/message") == "No connection")
    }
}
