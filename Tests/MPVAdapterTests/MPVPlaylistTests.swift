import Control
import Foundation
import Logging
import Media
import PlayerCore
import Synchronization
import Testing
import Vitrine

@testable import MPVAdapter

@Suite("The playlist as mpv's clients see it, before anything is opened")
struct MPVPlaylistTests {
    private func play(_ player: QueuePlayer, _ place: Int) { player.play(player.items[place]) }

    private func place(_ player: QueuePlayer) -> Int? { player.items.firstIndex { $0 === player.currentItem } }

    @Test("a playlist's entries have numbers that never come again; loadfile and loadlist return the first")
    func entries() async throws {
        let (player, adapter) = try makePlayer()
        func ids() async throws -> [JSONValue?] {
            guard case .array(let entries) = try await adapter.property("playlist") else { return [] }
            return entries.map { if case .object(let entry) = $0 { entry["id"] } else { nil } }
        }
        #expect(try await ids() == [1, 2])
        let appended = try await adapter.run(.loadFile(url: "http://127.0.0.1/c.mp4", mode: .append, options: [:]))
        #expect(appended == ["playlist_entry_id": 3])
        play(player, 1)
        _ = try await adapter.run(.playlistClear)
        #expect(try await ids() == [2])
        let loaded = try await adapter.run(.loadList(url: "http://127.0.0.1/d.mp4", mode: .replace))
        #expect(loaded == ["playlist_entry_id": 4, "num_entries": 1])
        #expect(try await ids() == [4])
    }

    private func load(
        _ name: String, _ mode: MPVLoadMode, index: Int = -1, _ options: [String: String] = [:]
    ) -> MPVCommand {
        .loadFile(url: "http://127.0.0.1/\(name).mp4", mode: mode, index: index, options: options)
    }

    @Test("options of one entry after another leave no trace on a third one")
    func optionsInARow() async throws {
        let (player, adapter) = try makePlayer()
        let options = ["pause": "yes", "loop-file": "inf", "speed": "2", "volume": "20"]
        for name in ["c", "d"] {
            _ = try await adapter.run(load(name, .replace, options))
            #expect(player.rate.isPaused && player.itemRepetition == .forever)
            #expect(player.defaultRate == 2 && player.volume == 20)
        }
        _ = try await adapter.run(load("e", .replace))
        #expect(!player.rate.isPaused && player.itemRepetition == .none)
        #expect(player.defaultRate == .normal && player.volume == 100)
    }

    private func names(_ player: QueuePlayer) -> String {
        player.items.map(\.fileTitle).joined()
    }

    @Test("where a film is to start is read, also of one that is appended, or refused")
    func starts() async throws {
        let (player, adapter) = try makePlayer()
        for mode in MPVLoadMode.allCases {
            for start in ["101%", "#2", "soon", "-", ""] {
                await #expect(throws: MPVError.invalidParameter) {
                    try await adapter.run(load("c", mode, ["start": start]))
                }
            }
        }
        #expect(player.items.count == 2)
        for start in ["1:30", "+90", "90.00000000001", "none", "50%", "-1:30"] {
            _ = try await adapter.run(load("c", .append, ["start": start]))
        }
        let starts = player.items.map(\.start)
        let places: [StartPlace?] = [
            nil, nil, .time(.seconds(90)), .time(.seconds(90)), .time(.seconds(90)), nil, .part(0.5),
            .beforeEnd(.seconds(90)),
        ]
        #expect(starts == places)
    }

    @Test("loadfile and loadlist put films where they are asked to")
    func places() async throws {
        let (player, adapter) = try makePlayer()
        play(player, 0)
        for command in [
            load("c", .append, index: 0), load("d", .insertNext), load("e", .insertAt, index: 0),
            load("f", .insertAt), load("g", .insertAtPlay, index: 99), load("h", .insertNextPlay),
            .loadList(url: "http://127.0.0.1/i.mp4", mode: .insertAt, index: 1),
        ] {
            _ = try await adapter.run(command)
        }
        #expect(names(player) == "eiahdbcfg")
        #expect(place(player) == 2, "what plays plays on")
        #expect(try await adapter.property("playlist-pos-1") == 3)
        player.stop()
        #expect(try await adapter.property("playlist-pos-1") == -1)
        _ = try await adapter.run(load("j", .insertNext))
        #expect(names(player) == "eiahdbcfgj", "where nothing plays, it comes last")
        _ = try await adapter.run(load("k", .insertAtPlay, index: 1))
        #expect(try await adapter.property("playlist-pos") == 1)
        #expect(names(player) == "ekiahdbcfgj")
    }

    @Test("entries are moved, removed and shuffled under the film that plays")
    func rearranging() async throws {
        let (player, adapter) = try makePlayer()
        for name in ["c", "d"] { _ = try await adapter.run(load(name, .append)) }
        _ = try await adapter.run(.playlistPlayIndex(.place(1)))
        _ = try await adapter.run(.playlistMove(from: 0, to: 3))
        #expect(names(player) == "bcad")
        #expect(place(player) == 0)
        _ = try await adapter.run(.playlistMove(from: 0, to: 99))
        #expect(names(player) == "cadb")
        #expect(place(player) == 3)
        _ = try await adapter.run(.playlistRemove(.place(0)))
        #expect(place(player) == 2)
        for wrong: MPVCommand in [
            .playlistMove(from: 9, to: 0), .playlistMove(from: -1, to: 0), .playlistRemove(.place(3)),
            .playlistPlayIndex(.place(3)),
        ] {
            await #expect(throws: MPVError.errorRunningCommand) { try await adapter.run(wrong) }
        }
        _ = try await adapter.run(.playlistShuffle)
        #expect(player.currentItem?.fileTitle == "b")
        _ = try await adapter.run(.playlistUnshuffle)
        #expect(names(player) == "adb")
        _ = try await adapter.run(.playlistPlayIndex(.place(0)))
        _ = try await adapter.run(.playlistRemove(.current))
        #expect(names(player) == "db")
        #expect(try await adapter.property("playlist-pos") == 0, "the next one plays")
        _ = try await adapter.run(.playlistPlayIndex(.place(1)))
        _ = try await adapter.run(.playlistRemove(.current))
        #expect(player.currentItem == nil, "there is no next one")
        await #expect(throws: MPVError.errorRunningCommand) { try await adapter.run(.playlistRemove(.current)) }
        try await adapter.setProperty("loop-playlist", to: "inf")
        for name in ["e", "f"] { _ = try await adapter.run(load(name, .append)) }
        _ = try await adapter.run(.playlistPlayIndex(.place(2)))
        _ = try await adapter.run(.playlistRemove(.current))
        #expect(names(player) == "de")
        #expect(try await adapter.property("playlist-pos") == 0, "the first one follows the last")
        _ = try await adapter.run(.playlistPlayIndex(.nothing))
        #expect(try await adapter.property("playlist-pos") == -1)
    }

    @Test("options that would not be kept are refused")
    func refusedOptions() async throws {
        let (player, adapter) = try makePlayer()
        for (name, value) in [
            ("sub-files", "/x.srt"), ("end", "2"), ("pause", "maybe"), ("volume", "5000"), ("speed", "100"),
            ("loop-file", "often"), ("aid", "first"), ("path", "x"),
        ] {
            await #expect(throws: MPVError.invalidParameter, "\(name)") {
                try await adapter.run(load("c", .replace, ["start": "1", name: value]))
            }
        }
        #expect(names(player) == "ab")
    }

    @Test("a film's options hold while it plays, and what held before holds again afterwards")
    func options() async throws {
        let (player, adapter) = try makePlayer()
        let options = [
            "pause": "yes", "loop-file": "2", "volume": "20", "mute": "yes", "speed": "2", "aid": "no", "sid": "3",
        ]
        _ = try await adapter.run(load("c", .append, options))
        func holds() async throws -> [JSONValue] {
            var values: [JSONValue] = []
            for name in ["pause", "loop-file", "volume", "mute", "speed"] {
                values.append(try await adapter.property(name))
            }
            return values
        }
        let usual: [JSONValue] = [false, false, 100.0, false, 1.0]
        #expect(try await holds() == usual)
        for _ in 0..<2 {
            _ = try await adapter.run(.playlistPlayIndex(.place(2)))
            #expect(try await holds() == [true, 2, 20.0, true, 2.0])
            #expect(player.currentItem?.choice(of: .audible) == .off)
            #expect(player.currentItem?.choice(of: .legible) == .track(2))
            // A value that is set while the entry plays ends with it, too.
            try await adapter.setProperty("volume", to: 70)
            try await adapter.setProperty("pause", to: false)
            _ = try await adapter.run(.playlistPlayIndex(.place(0)))
            #expect(try await holds() == usual)
            #expect(player.currentItem?.choice(of: .audible) == .automatic)
        }
        try await adapter.setProperty("volume", to: 60)
        _ = try await adapter.run(load("d", .replace, ["volume": "30", "loop": "inf"]))
        #expect(try await holds() == [false, "inf", 30.0, false, 1.0])
        _ = try await adapter.run(.stop(keepPlaylist: false))
        #expect(try await holds() == [false, false, 60.0, false, 1.0])
    }

    @Test("an empty list is the program's matter where it has films of its own")
    func emptyLists() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (player, adapter) = try makePlayer()
        _ = try await adapter.run(.loadList(url: folder.path, mode: .replace))
        #expect(player.currentItem?.asset.location == .testPicture)
        let calls = Mutex(0)
        let kiosk = MPVAdapter(
            player, hasOSD: false, isFullscreen: true, log: Logger(label: "test"),
            whenListIsEmpty: { calls.withLock { $0 += 1 } }, quit: { _ in })
        #expect(try await kiosk.run(.loadList(url: folder.path, mode: .replace)) == ["num_entries": 0])
        #expect(calls.withLock { $0 } == 1 && player.items.isEmpty)
        await #expect(throws: MPVError.loadingFailed) {
            try await kiosk.run(.loadList(url: folder.path, mode: .append))
        }
    }
}
