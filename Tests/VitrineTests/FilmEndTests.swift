import Foundation
import Media
import PlayerCore
import Testing

@testable import Vitrine

/// What becomes of a film's end while something is sought, or another film waits for its time: on GStreamer.
@Suite("The end of a film that refuses to be sought (A5, M9)", .serialized, .timeLimit(.minutes(1)))
struct FilmEndTests {
    let player: VitrinePlayer
    private let folder: TemporaryFolder
    private let run: Task<PlayerOutcome, Never>

    /// Two films of 0.4 s; the first has ended, and its last picture stands.
    init() async throws {
        try GStreamer.start()
        let folder = try TemporaryFolder()
        let films = try ["a.avi", "b.avi"].map {
            try MediaLocation(RawFilm.write(pictures: 10, name: $0, in: folder.url))
        }
        let options = PlayerOptions(playlist: [films[0]], actionAtQueueEnd: .pause, hasOSD: false, hasSound: false)
        let player = VitrinePlayer(options: options, display: nil)
        (self.folder, self.player) = (folder, player)
        run = Task { await player.play() }
        try await wait { $0.hasEnded && !$0.session.scrubber.isSeeking }
        await player.append([films[1]])
    }

    private func wait(_ isSo: @Sendable (isolated VitrinePlayer) -> Bool) async throws {
        while await !player.act(isSo) { try await Task.sleep(for: .milliseconds(5)) }
    }

    private func end() async {
        await player.end(.ended(code: 0))
        _ = await run.value
    }

    @Test func `played again, it is opened anew`() async throws {
        let run = await player.act { player in
            _ = player.select(.legible, nil)
            defer { player.setPlaying(true) }
            return ObjectIdentifier(player.session.run)
        }
        await player.act { player in
            // In its place, and as much in vain.
            player.seek(to: .milliseconds(200))
            player.refuseSeek()
            player.refuseSeek()
            #expect(player.session.run.endSeek == .rewind && !player.hasEnded)
            player.refuseSeek()
        }
        try await wait { ObjectIdentifier($0.session.run) != run && $0.session.facts != nil }
        #expect(await player.queue.place == 0)
        #expect(await player.act { $0.session.tracks.chosen } == [.legible: nil], "what was chosen of it stays")
        await end()
    }

    @Test func `behind a finger that met the last picture alone, it stands there`() async throws {
        for isElsewhere in [false, true] {
            let hasEnded = await player.act { player in
                player.seekLast(at: .milliseconds(400))
                player.touch(0.5, answers: isElsewhere ? [360, 200] : [360])
                player.settleEnd()
                return player.hasEnded
            }
            #expect(hasEnded != isElsewhere)
        }
        await end()
    }

    @Test func `a step behind it leads nowhere, one back leads away`() async throws {
        for count in [1, -1] {
            await player.act { player in
                #expect(player.step(byCount: count) && !player.hasEnded)
            }
            try await wait { !$0.session.scrubber.isSeeking }
            let (hasEnded, time) = await player.act { ($0.hasEnded, $0.session.pipeline?.pictures.time) }
            #expect(hasEnded == (count == 1) && time == .milliseconds(count == 1 ? 360 : 320))
        }
        await end()
    }

    @Test func `played backwards it goes from there to its start, and stands there`() async throws {
        await player.act { player in
            _ = player.setRate(-1)
            player.setPlaying(true)
            #expect(player.session.run.endSeek != .rewind && !player.hasEnded)
        }
        try await wait { ($0.session.pipeline?.pictures.time ?? .zero) == .milliseconds(200) }
        try await wait { !$0.isPlaying }
        #expect(await player.currentTime < .milliseconds(80))
        await end()
    }

    @Test func `played backwards it stands on its very first picture, though that came too late`() async throws {
        await player.act { player in
            _ = player.setRate(-1)
            player.seek(to: .milliseconds(200))
        }
        try await wait { !$0.session.scrubber.isSeeking }
        await player.act { player in
            player.reachedEnd()
            player.decideAll()
            #expect(player.session.scrubber.isSeeking && !player.isPlaying)
        }
        try await wait { !$0.session.scrubber.isSeeking }
        await player.act { player in
            #expect(player.session.pipeline?.pictures.time == .zero && player.currentTime == .zero)
            player.reachedEnd()
            player.decideAll()
            #expect(!player.session.scrubber.isSeeking, "it is there")
        }
        await end()
    }
}
