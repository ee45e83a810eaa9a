import Foundation
import Media
import PlayerCore
import Testing

@testable import Vitrine

/// A film that is preloaded while another one plays (A13), on GStreamer.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct PrerollHoldTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        try GStreamer.start()
        folder = try TemporaryFolder()
        path = try RawFilm.write(frames: 100, in: folder.url)
    }

    private func makeHolding(_ path: String) throws -> FilmPipeline {
        let film = try FilmPipeline(
            MediaLocation(path), output: FilmOutput(screen: nil, hasSound: false), holdsPreroll: true)
        film.preload()
        return film
    }

    /// The events up to an awaited one.
    private func news(of film: FilmPipeline, until isLast: (MediaEvent) -> Bool) async -> [MediaEvent] {
        var reported: [MediaEvent] = []
        for await event in film.events {
            reported.append(event)
            if isLast(event) { break }
        }
        return reported
    }

    private func open(_ film: FilmPipeline, at time: MediaTime? = nil) {
        film.open(at: time, playing: false)
        film.takeCard()
    }

    private func isReady(_ event: MediaEvent) -> Bool { if case .ready = event { true } else { false } }

    private func isPicture(_ event: MediaEvent) -> Bool { if case .frame = event { true } else { false } }

    @Test func `it shows nothing until it is opened, and then its first frame`() async throws {
        let film = try makeHolding(path)
        let before = await news(of: film) { if case .state(.paused) = $0 { true } else { false } }
        #expect(!before.contains(where: isReady) && film.frames.shown == 0)
        open(film)
        let after = await news(of: film, until: isReady)
        #expect(after.contains(where: isPicture) && film.frames.shown == 1 && film.frames.time == .zero)
        let mediaInfo = try #require(
            after.compactMap { if case .ready(let mediaInfo) = $0 { mediaInfo } else { nil } }.last)
        #expect(mediaInfo.duration == .seconds(4) && mediaInfo.hasVideo && mediaInfo.isSeekable)
        #expect(await film.close())
    }

    @Test func `its first frame waits for the plane alone`() async throws {
        let film = try makeHolding(path)
        film.open(at: nil, playing: true)
        let before = await news(of: film, until: isPicture)
        #expect(!before.contains(where: isReady) && film.frames.shown == 1 && film.frames.time == .zero)
        film.takeCard()
        let after = await news(of: film) { if case .state(.playing) = $0 { true } else { false } }
        #expect(after.contains(where: isReady))
        let end = await news(of: film) { if case .endOfStream = $0 { true } else { false } }
        #expect(!end.contains(where: isPicture) && film.frames.shown == 100, "each picture once")
        #expect(await film.close())
    }

    @Test func `it can be given up between plane and card, and its frame stays`() async throws {
        let film = try makeHolding(path)
        film.open(at: nil, playing: true)
        _ = await news(of: film, until: isPicture)
        for frame in [FilmPipeline.LastFrame.staysWithSound, .staysAtOnce, .stays, .isCovered] {
            #expect(await film.close(frame))
            film.takeCard()
        }
        #expect(film.frames.shown == 1)
    }

    @Test func `it may be opened before it is ready, and elsewhere than at its start`() async throws {
        for start in [nil, MediaTime.seconds(2)] {
            let film = try makeHolding(path)
            open(film, at: start)
            let reported = await news(of: film) { isPicture($0) && film.frames.time == start ?? .zero }
            #expect(film.frames.shown == 1, "no other picture was seen")
            #expect(reported.count(where: isReady) <= 1)
            #expect(await film.close())
        }
    }

    @Test func `it can be closed at any moment`() async throws {
        for state in [nil, PipelineState.ready, .paused] {
            let film = try makeHolding(path)
            if let state {
                _ = await news(of: film) { if case .state(state) = $0 { true } else { false } }
            }
            #expect(await film.close())
        }
    }

    @Test func `what is no film is reported, and opening it changes nothing`() async throws {
        let broken = folder.url.appending(path: "broken.avi")
        try Data("this is no film at all".utf8).write(to: broken)
        let film = try makeHolding(broken.path)
        open(film)
        let reported = await news(of: film) { if case .failed = $0 { true } else { false } }
        let failure = try #require(
            reported.compactMap { if case .failed(let failure) = $0 { failure } else { nil } }.last)
        #expect(failure.reason == .notMedia)
        #expect(await film.close())
    }
}
