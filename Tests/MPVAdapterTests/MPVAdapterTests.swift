import Control
import Logging
import Media
import PlayerCore
import Testing
import Vitrine

@testable import MPVAdapter

/// A player of two films that opens nothing, and its adapter.
func makePlayer(hasOSD: Bool = false) throws -> (QueuePlayer, MPVAdapter) {
    let items = try ["http://127.0.0.1/a.mp4", "http://127.0.0.1/b.mp4"].map {
        PlayerItem(Asset(try MediaLocation($0)))
    }
    let player = QueuePlayer(playlist: items, options: PlayerOptions(hasOSD: hasOSD, hasSound: false))
    player.play()
    return (player, MPVAdapter(player, hasOSD: hasOSD, isFullscreen: true, log: Logger(label: "test")) { _ in })
}

@Suite("The player as mpv's clients see it, before anything is opened")
struct MPVAdapterTests {
    @Test("seeks as far as numbers go lead to the end of what there may be, or are refused (M6)")
    func farSeeks() async throws {
        let (player, adapter) = try makePlayer()
        for target in [9e9, 9e9, 9.2e9, -9.1e9, 9e9, 1e300, 9e9] {
            _ = try? await adapter.run(.seek(MPVSeek(.relative(target))))
            _ = try? await adapter.run(.add(property: "time-pos", amount: target))
        }
        #expect(await player.position == MediaTime.farthest)
        _ = try await adapter.run(.seek(MPVSeek(.absolute(9e9), precision: .exact)))
        #expect(await player.position == MediaTime.farthest)
        _ = try await adapter.run(.seek(MPVSeek(.relative(-9.1e9))))
        #expect(await player.position == .zero)
        player.jump(to: .unlimited)
        #expect(await player.position == MediaTime.farthest)
    }

    @Test("what clients ask for by mpv's other names, and what a kiosk has of it")
    func names() async throws {
        let (player, adapter) = try makePlayer()
        try await adapter.setProperty("loop", to: "inf")
        #expect(try await adapter.property("loop-file") == "inf")
        let changes = adapter.changes()
        let run = Task { await adapter.run() }
        _ = try await adapter.run(.cycle(property: "loop", step: 1))
        #expect(await changes.contains { $0.isSuperset(of: ["loop-file", "loop"]) })
        run.cancel()
        await run.value
        #expect(try await adapter.property("loop") == false)
        #expect(try await adapter.property("fullscreen") == true)
        try await adapter.setProperty("fullscreen", to: true)
        await #expect(throws: MPVError.errorAccessingProperty) { try await adapter.setProperty("fs", to: false) }
        #expect(try await adapter.property("volume-max") == 100.0)
        try await adapter.setProperty("volume", to: 110)
        #expect(try await adapter.property("volume") == 100.0)
        for wrong: JSONValue in [-2, 1001] {
            await #expect(throws: MPVError.unsupportedPropertyFormat) {
                try await adapter.setProperty("volume", to: wrong)
            }
        }
        try await adapter.setProperty("sub-visibility", to: "no")
        #expect(!player.showsSubtitles)
        _ = try await adapter.run(.cycle(property: "sub-visibility", step: 1))
        #expect(try await adapter.property("sub-visibility") == true)
        #expect(Set(adapter.propertyNames).isSuperset(of: ["loop", "audio", "sub", "fs"]))
    }

    @Test("without an on-screen display, what is to be shown is refused")
    func noOSD() async throws {
        let (_, adapter) = try makePlayer()
        for command: MPVCommand in [.showText("a", milliseconds: nil, level: 0), .showProgress] {
            await #expect(throws: MPVError.errorRunningCommand) { try await adapter.run(command) }
        }
    }

    @Test("loop-playlist counts how often the list is played, loop-file how often a film is repeated, as mpv does")
    func loops() async throws {
        let (player, adapter) = try makePlayer()
        try await adapter.setProperty("loop-playlist", to: 2)
        #expect(player.repetition == .times(1))
        #expect(try await adapter.property("loop-playlist") == 2)
        try await adapter.setProperty("loop-playlist", to: "1")
        #expect(try await adapter.property("loop-playlist") == false)
        for wrong: JSONValue in [0, "0", 10_001, "often"] {
            await #expect(throws: MPVError.unsupportedPropertyFormat) {
                try await adapter.setProperty("loop-playlist", to: wrong)
            }
        }
        try await adapter.setProperty("loop-file", to: 2)
        #expect(player.itemRepetition == .times(2))
        #expect(try await adapter.property("loop-file") == 2)
        try await adapter.setProperty("loop-file", to: 0)
        #expect(try await adapter.property("loop-file") == false)
    }

    @Test("panscan and keepaspect change nothing where they are what they are set to")
    func gravities() async throws {
        let (player, adapter) = try makePlayer()
        player.gravity = .resizeAspectFill
        try await adapter.setProperty("keepaspect", to: true)
        #expect(try await adapter.property("panscan") == 1.0)
        player.gravity = .resize
        try await adapter.setProperty("panscan", to: 0)
        #expect(try await adapter.property("keepaspect") == false)
        try await adapter.setProperty("panscan", to: 1)
        #expect(player.gravity == .resizeAspectFill)
        try await adapter.setProperty("keepaspect", to: false)
        #expect(player.gravity == .resize)
    }

    @Test("steps of two clients at once both count")
    func steps() async throws {
        let (player, adapter) = try makePlayer()
        player.volume = 0
        await withDiscardingTaskGroup { clients in
            for _ in 0..<20 {
                clients.addTask { _ = try? await adapter.run(.add(property: "volume", amount: 5)) }
            }
        }
        #expect(player.volume == 100)
        await withDiscardingTaskGroup { clients in
            for _ in 0..<51 { clients.addTask { _ = try? await adapter.run(.cycle(property: "mute", step: 1)) } }
        }
        #expect(player.isMuted)
    }

    @Test("what add, multiply and cycle are for (A8, S4)")
    func properties() async throws {
        let (player, adapter) = try makePlayer()
        _ = try await adapter.run(.add(property: "speed", amount: 0.5))
        _ = try await adapter.run(.multiply(property: "speed", factor: 2))
        #expect(player.defaultRate.factor == 3)
        _ = try await adapter.run(.multiply(property: "speed", factor: 100))
        #expect(player.defaultRate == .fastest)
        _ = try await adapter.run(.add(property: "panscan", amount: 0.1))
        #expect(player.gravity == .resizeAspectFill)
        _ = try await adapter.run(.cycle(property: "keepaspect", step: 1))
        #expect(player.gravity == .resize)
        _ = try await adapter.run(.cycle(property: "loop-file", step: 1))
        #expect(player.itemRepetition == .forever)
        _ = try await adapter.run(.cycle(property: "loop-playlist", step: 1))
        _ = try await adapter.run(.cycle(property: "loop-playlist", step: 1))
        #expect(player.repetition == Repetition.none)
        await #expect(throws: MPVError.errorRunningCommand) {
            try await adapter.run(.multiply(property: "pause", factor: 2))
        }
        #expect(try await adapter.property("filename/no-ext") == "a")
        await #expect(throws: MPVError.propertyUnavailable) { try await adapter.property("metadata/by-key/title") }
        await #expect(throws: MPVError.propertyUnavailable) { try await adapter.property("metadata/list/count") }
        await #expect(throws: MPVError.propertyNotFound) { try await adapter.property("path/title") }
    }

    @Test("aid and sid auto restore the preference (A11)")
    func automatic() async throws {
        let (player, adapter) = try makePlayer()
        try await adapter.setProperty("slang", to: "de")
        try await adapter.setProperty("sid", to: "no")
        #expect(try await adapter.property("slang") == [])
        try await adapter.setProperty("sid", to: "auto")
        #expect(try await adapter.property("slang") == ["de"])
        try await adapter.setProperty("aid", to: "no")
        try await adapter.setProperty("aid", to: "auto")
        #expect(player.mediaSelectionCriteria(for: .audible) == .any)
        #expect(player.currentItem?.choice(of: .audible) == .automatic)
    }

    @Test("a client's words stand before the player's own, which are there again afterwards", .timeLimit(.minutes(1)))
    func words() async throws {
        let (player, adapter) = try makePlayer(hasOSD: true)
        var messages = player.messages.makeAsyncIterator()
        func shown(_ text: String) async throws {
            while let message = await messages.next(), message != text {}
            #expect(try await adapter.property("vitrine/message") == .string(text))
        }
        player.setMessage("No connection")
        try await shown("No connection")
        _ = try await adapter.run(.showText("Hello", milliseconds: 100_000, level: 0))
        try await shown("Hello")
        _ = try await adapter.run(.showText("", milliseconds: nil, level: 0))
        try await shown("No connection")
        await player.close()
    }

    @Test("an observer at the end is notified that the program quits, and then of nothing more")
    func end() async throws {
        let (_, adapter) = try makePlayer()
        let (events, changes) = (adapter.events(), adapter.changes())
        let run = Task { await adapter.run() }
        run.cancel()
        await run.value
        var last: MPVEvent?
        for await event in events { last = event }
        for await _ in changes {}
        #expect(last == .shutdown)
    }
}
