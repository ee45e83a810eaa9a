import Foundation
import Logging
import Media
import PlayerCore
import Testing

@testable import Vitrine

/// A film's end during a seek, or while another film waits for its time: on GStreamer.
@Suite("The end of a film that refuses to be sought (A5, M9)", .serialized, .timeLimit(.minutes(1)))
struct FilmEndTests {
    private let player: PlayerLoop
    private let list: QueuePlayer
    private let folder: TemporaryFolder

    /// Two films of 0.4 s; the first has ended, and its last frame stands.
    init() async throws {
        try GStreamer.start()
        let folder = try TemporaryFolder()
        let films = try ["a.avi", "b.avi"].map {
            try MediaLocation(RawFilm.write(frames: 10, name: $0, in: folder.url))
        }
        let options = PlayerOptions(hasOSD: false, hasSound: false)
        let player = PlayerLoop(options: options, log: Logger(label: "test"))
        let list = QueuePlayer(
            playlist: [PlayerItem(Asset(films[0]))],
            PlaybackCore(engine: player, PlaybackMachine(playlistOf: options, .pause)))
        (self.folder, self.player, self.list) = (folder, player, list)
        list.play()
        list.start()
        try await wait { [list] in list.hasEnded && !$0.session.scrubber.isSeeking }
        list.append([PlayerItem(Asset(films[1]))])
    }

    private func wait(_ isSo: @Sendable (isolated PlayerLoop) -> Bool) async throws {
        while await !player.act(isSo) { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Waits until requests have passed from the list to the player, and results back.
    private func settle() async { for _ in 1...4 { await player.act { _ in } } }

    private func end() async { await list.close() }

    @Test func `played again, it is opened anew`() async throws {
        list.choose(.off, of: .legible)
        await settle()
        let run = await player.act { ObjectIdentifier($0.session.run) }
        // One after another on the player's loop, before GStreamer can answer.
        await player.act { [list] player in
            list.play()
            // In its place, and just as vain.
            list.jump(to: .milliseconds(200))
            player.loop.async {
                player.assumeIsolated { player in
                    player.refuseSeek()
                    player.refuseSeek()
                }
                player.loop.async {
                    player.assumeIsolated { player in
                        #expect(player.session.run.endSeek == .rewind)
                        player.refuseSeek()
                    }
                }
            }
        }
        try await wait { ObjectIdentifier($0.session.run) != run && $0.session.mediaInfo != nil }
        #expect(list.currentItem === list.items[0])
        #expect(await player.act { $0.session.tracks.chosen } == [.legible: nil], "what was chosen of it stays")
        await end()
    }

    @Test func `behind a finger that met the last frame alone, it stands there`() async throws {
        for isElsewhere in [false, true] {
            await player.act { player in
                player.seekLast(at: .milliseconds(400))
                player.touch(0.5, answers: isElsewhere ? [360, 200] : [360])
                player.settleEnd()
            }
            await settle()
            #expect(list.hasEnded != isElsewhere)
        }
        await end()
    }

    @Test func `a step behind it leads nowhere, one back leads away`() async throws {
        for count in [1, -1] {
            #expect(list.step(byCount: count))
            await settle()
            try await wait { [list] in !$0.session.scrubber.isSeeking && !list.isSeeking }
            let time = await player.act { $0.session.pipeline?.frames.time }
            #expect(list.hasEnded == (count == 1) && time == .milliseconds(count == 1 ? 360 : 320))
        }
        await end()
    }

    @Test func `played backwards it goes from there to its start, and stands there`() async throws {
        list.defaultRate = -1
        list.play()
        await settle()
        #expect(await player.act { $0.session.run.endSeek != .rewind } && !list.hasEnded)
        try await wait { ($0.session.pipeline?.frames.time ?? .zero) == .milliseconds(200) }
        try await wait { [list] _ in list.rate.isPaused }
        #expect(try await #require(list.position) < .milliseconds(80))
        await end()
    }

    @Test func `played backwards it stands on its very first frame, though that came too late`() async throws {
        list.defaultRate = -1
        list.jump(to: .milliseconds(200))
        await settle()
        try await wait { [list] in !$0.session.scrubber.isSeeking && !list.isSeeking }
        await player.act { $0.reachedEnd() }
        await settle()
        #expect(list.rate.isPaused)
        try await wait { [list] in !$0.session.scrubber.isSeeking && !list.isSeeking }
        #expect(await player.act { $0.session.pipeline?.frames.time } == .zero)
        #expect(await list.position == .zero)
        await player.act { $0.reachedEnd() }
        await settle()
        #expect(await player.act { !$0.session.scrubber.isSeeking }, "it is there")
        await end()
    }
}
