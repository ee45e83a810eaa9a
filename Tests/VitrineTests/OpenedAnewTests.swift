import Foundation
import KMS
import Logging
import Media
import PlayerCore
import Testing

@testable import Vitrine

/// A film, and the choices for it, across pipelines: on GStreamer, driven as by the library.
@Suite("One film in more than one pipeline", .serialized, .timeLimit(.minutes(1)))
struct OpenedAnewTests {
    let folder: TemporaryFolder
    let player: PlayerLoop
    let loadID = LoadID(number: 1)
    private let news: AsyncStream<FilmNews>

    init() async throws {
        try GStreamer.start()
        folder = try TemporaryFolder()
        let (news, continuation) = AsyncStream.makeStream(of: FilmNews.self)
        let player = PlayerLoop(
            options: PlayerOptions(hasOSD: false, hasSound: false), log: Logger(label: "test"))
        player.attach { continuation.yield($0) }
        (self.news, self.player) = (news, player)
        await player.start()
    }

    private func write(frames: Int) throws -> MediaLocation {
        try MediaLocation(RawFilm.write(frames: frames, in: folder.url))
    }

    private func open(_ location: MediaLocation, _ loadID: LoadID) async {
        await player.open(FilmSession.Film(item: ItemID(number: loadID.number), location: location), loadID, nil)
    }

    /// Two of one language, of which the first is chosen by the language.
    private func writeSubtitles() throws {
        for name in ["film.de.srt", "film.de.sdh.srt"] {
            try Data("1\n00:00:00,000 --> 00:00:03,000\n\(name)\n".utf8).write(to: folder.url.appending(path: name))
        }
    }

    /// The reports before this one.
    @discardableResult
    private func hear(until isLast: (FilmNews) -> Bool) async -> [FilmNews] {
        var reported: [FilmNews] = []
        for await one in news {
            if isLast(one) { break }
            reported.append(one)
        }
        return reported
    }

    private func isOpened(_ news: FilmNews) -> Bool { if case .opened = news { true } else { false } }

    private func isEnded(_ news: FilmNews) -> Bool { if case .ended = news { true } else { false } }

    private func selection(_ number: Int) -> (FilmNews) -> Bool {
        { news in
            guard case .selection(_, let group) = news else { return false }
            return group.characteristic == .legible && group.options.count == 2
                && group.selectedOption?.number == number
        }
    }

    private func end() async {
        await player.end()
    }

    @Test func `without its sound card it goes on with what was chosen, and to where it was sought`() async throws {
        try writeSubtitles()
        await open(try write(frames: 100), loadID)
        await player.perform(.select(loadID, .legible, .track(1)))
        await hear(until: selection(2))
        await player.act { [loadID] player in
            player.perform(.seek(loadID, FilmSeek(number: 7, target: SeekTarget(.seconds(2)))))
            player.failed(MediaFailure(reason: .audioLost, message: "the card went away"))
        }
        let reported = await hear { if case .sought = $0 { true } else { false } }
        #expect(reported.contains(where: isOpened), "the seek is answered with a picture")
        #expect(reported.contains { if case .warning = $0 { true } else { false } })
        let (time, number) = await player.act { ($0.session.pipeline?.frames.time, $0.selectedTrack(.legible)) }
        #expect(time == .seconds(2) && number == 2)
        await end()
    }

    @Test func `a decoder that fails is left, once, and where it was sought is reached with another one`() async throws
    {
        await open(try write(frames: 100), loadID)
        await hear(until: isOpened)
        let decoder = VideoDecoder(name: "v4l2slh264dec", isHardware: true)
        var failure = MediaFailure(reason: .broken, message: "Invalid argument")
        failure.decoder = decoder
        await player.act { [loadID, failure] player in
            player.perform(.seek(loadID, FilmSeek(number: 7, target: SeekTarget(.seconds(2)))))
            player.failed(failure)
        }
        let reported = await hear { if case .sought = $0 { true } else { false } }
        #expect(reported.contains { if case .warning = $0 { true } else { false } })
        let avoided = await player.act { player in player.session.location.map { player.output(of: $0).avoidedDecoders }
        }
        #expect(avoided == AvoidedDecoders(names: ["v4l2slh264dec"]))
        // It used the same decoder because there is no other.
        await player.act { [failure] player in player.failed(failure) }
        await hear { if case .failed = $0 { true } else { false } }
        await end()
    }

    @Test func `a decoder that lacks the form a load needs is avoided in such loads alone`()
        async throws
    {
        await open(try write(frames: 100), loadID)
        await hear(until: isOpened)
        var failure = MediaFailure(reason: .cannotBuild, message: "not negotiated")
        failure.decoder = VideoDecoder(name: "v4l2slh264dec", isHardware: true)
        failure.needsOtherForm = true
        let avoided = await player.act { [failure] player in
            player.failed(failure)
            let plane = FilmOutput.Plane(fileDescriptor: -1, connectorID: 1, planeID: 2)
            let screen = FilmOutput.Screen(
                sink: .plane(plane), width: 640, height: 480, canScale: true, formats: ["NV12"])
            return player.session.location.map { film in
                // It was opened without a screen, which takes no frames unchanged.
                [nil, screen].map { player.logged.avoidedDecoders(of: film, on: $0).names }
            }
        }
        #expect(avoided == [["v4l2slh264dec"], []])
        await hear(until: isOpened)
        await end()
    }

    @Test func `a finger takes a seek's place, and a place is reported only where it has led there`() async throws {
        await open(try write(frames: 100), loadID)
        await hear(until: isOpened)
        for isRefused in [true, false] {
            await player.act { [loadID] player in
                player.perform(.seek(loadID, FilmSeek(number: 7, target: SeekTarget(.seconds(3)))))
                player.scrub(.slider(.touchDown(0.5, at: .now)), at: .now)
                if isRefused { for _ in 1...5 { player.refuseSeek() } }
                player.scrub(.slider(.touchUp(0.5, at: .now)), at: .now)
                if isRefused { player.refuseSeek() }
            }
            await hear { if case .touched(_, true) = $0 { true } else { false } }
            let reported = await hear { if case .touched(_, false) = $0 { true } else { false } }
            let isAnswered = reported.contains { if case .sought(_, 7, nil) = $0 { true } else { false } }
            #expect(isAnswered, "once the finger is known")
            let places = reported.compactMap { if case .position(_, let time) = $0 { time } else { nil } }
            #expect(places == (isRefused ? [] : [.seconds(2)]))
        }
        await end()
    }

    @Test func `a step is answered with its frame; under a finger, and where it is refused, it came to nothing`()
        async throws
    {
        await player.perform(.setRate(.paused))
        await open(try write(frames: 100), loadID)
        await hear(until: isOpened)
        func answer(_ number: UInt64) async -> MediaTime? {
            var place: MediaTime?
            await hear { news in
                guard case .sought(_, number, let time) = news else { return false }
                place = time
                return true
            }
            return place
        }
        await player.perform(.step(loadID, number: 7, by: 3))
        #expect(await answer(7) == .milliseconds(120))
        // From the target of a seek, here one frame back.
        await player.act { [loadID] player in
            player.perform(.seek(loadID, FilmSeek(number: 8, target: SeekTarget(.milliseconds(80)))))
            player.perform(.step(loadID, number: 9, by: 1))
        }
        #expect(await answer(9) == .milliseconds(120))
        await player.act { [loadID] player in
            player.perform(.step(loadID, number: 10, by: 1))
            player.scrub(.slider(.touchDown(0.5, at: .now)), at: .now)
            player.perform(.step(loadID, number: 11, by: 1))
            player.scrub(.slider(.touchUp(0.5, at: .now)), at: .now)
        }
        #expect(await answer(10) == nil)
        #expect(await answer(11) == nil)
        await hear { if case .touched(_, false) = $0 { true } else { false } }
        // In another pipeline it is where it was going.
        await player.act { [loadID] player in
            player.perform(.step(loadID, number: 13, by: 1))
            player.failed(MediaFailure(reason: .audioLost, message: "the card went away"))
        }
        #expect(await answer(13) == .milliseconds(2040))
        await player.act { [loadID] player in
            player.perform(.step(loadID, number: 12, by: 1))
            player.refuseSeeks()
        }
        #expect(await answer(12) == nil)
        await end()
    }

    @Test(arguments: [false, true])
    func `a finger that met the last frame alone has led nowhere`(isElsewhere: Bool) async throws {
        try await playToEnd()
        await player.act { player in
            player.seekLast(at: .seconds(1))
            player.touch(0.5, answers: isElsewhere ? [960, 480] : [960])
        }
        #expect(await isMovedByFinger() == isElsewhere)
        await end()
    }

    private func playToEnd() async throws {
        await open(try write(frames: 25), loadID)
        await player.perform(.setRate(.normal))
        await hear(until: isEnded)
        await player.perform(.setRate(.paused))
    }

    private func isMovedByFinger() async -> Bool {
        await hear { if case .touched(_, true) = $0 { true } else { false } }
        let reported = await hear { if case .touched(_, false) = $0 { true } else { false } }
        return reported.contains { if case .position = $0 { true } else { false } }
    }

    @Test func `a still that loops stands on`() async throws {
        await open(try write(frames: 1), loadID)
        await player.perform(.setLooping(true))
        await player.perform(.setRate(.normal))
        await hear { if case .running(_, .normal) = $0 { true } else { false } }
        while await player.act({ $0.session.run.stillDeadline == nil }) { try await Task.sleep(for: .milliseconds(5)) }
        for _ in 1...2 {
            await player.act { $0.stillEnded() }
            let reported = await hear { if case .ended = $0 { true } else { false } }
            #expect(!reported.contains(where: isOpened))
        }
        #expect(await player.act { $0.session.run.stillDeadline } != nil)
        await end()
    }

    @Test func `a display's move does not wait for a film that is stuck, and neither does the next film`() async throws
    {
        let film = try write(frames: 100)
        await open(film, loadID)
        await hear(until: isOpened)
        let stuck = Gate()
        stuck.lock()
        // A test that waits for it directly would never end.
        let alarm = Task {
            try await Task.sleep(for: .seconds(30))
            stuck.open()
        }
        await player.afterFilmWork { _ in await stuck.pass() }
        let isThere = await player.move(to: { () throws(KMSError) in throw KMSError.noCard })
        #expect(!isThere)
        await hear(until: isOpened)
        await open(film, LoadID(number: 2))
        await hear(until: isOpened)
        #expect(stuck.isLocked, "it was waited for")
        alarm.cancel()
        stuck.open()
        await end()
    }

    @Test func `a missing decoder has GStreamer's domain and number`() async throws {
        let film = try RawFilm.write(frames: 10, codec: "NONE", name: "none.avi", in: folder.url)
        await open(try MediaLocation(film), loadID)
        var failure: MediaFailure?
        await hear { news in
            if case .failed(_, let reported) = news { failure = reported }
            return failure != nil
        }
        let reported = try #require(failure)
        #expect(reported.reason == .missingPlugin(package: nil) && reported.code?.description == "core 12")
        #expect(reported.details?.contains("decoder-video/") == true)
        await end()
    }

    @Test func `messages for the viewer are reported, while it buffers, too`() async throws {
        await open(try write(frames: 100), loadID)
        await hear(until: isOpened)
        for (percent, words) in [(40, "Buffering 40%"), (70, "Buffering 70%"), (100, nil)] {
            await player.act { $0.handle(.buffering(percent: percent)) }
            await hear { if case .message(words) = $0 { true } else { false } }
        }
        await end()
    }

    @Test func `what failed says so to the viewer until something else is opened`() async throws {
        let broken = folder.url.appending(path: "broken.avi")
        try Data("this is no film at all".utf8).write(to: broken)
        await open(try MediaLocation(broken.path), loadID)
        var words: String?
        await hear { news in
            if case .message(let text) = news { words = text }
            if case .failed = news { return true }
            return false
        }
        #expect(words == "broken: This is not a film. Copy it again.")
        // The next film does not remove the message before it can be read.
        await open(try write(frames: 100), LoadID(number: 2))
        let reported = await hear(until: isOpened)
        #expect(!reported.contains { if case .message = $0 { true } else { false } })
        #expect(await player.act { $0.osd.message } == words)
        // Only the next one removes it, or closing.
        await player.perform(.close)
        #expect(await player.act { $0.osd.message } == nil)
        await player.refuse(MediaFailure(reason: .noSuchFile, message: "there is none"), "/films/lost.mp4")
        #expect(await player.act { $0.osd.message } == "lost: This film is not there. Copy it again.")
        await player.perform(.close)
        #expect(await player.act { $0.osd.message } == nil)
        await end()
    }
}
