import PlayerCore
import Synchronization
import Testing

@testable import Vitrine

@Suite("Transport and its delegate, neither knowing the other (A6, A7)", .timeLimit(.minutes(1)))
struct PlayerControllerTests {
    /// One sequence for each kind of report, so that none is missed while another is awaited.
    final class Controls: Transport {
        let titles: AsyncStream<String>
        let times: AsyncStream<MediaTime>
        let scrubbing: AsyncStream<MediaTime>
        let ends: AsyncStream<Void>
        private let title: AsyncStream<String>.Continuation
        private let time: AsyncStream<MediaTime>.Continuation
        private let scrub: AsyncStream<MediaTime>.Continuation
        private let end: AsyncStream<Void>.Continuation

        init() {
            (titles, title) = AsyncStream.makeStream()
            (times, time) = AsyncStream.makeStream()
            (scrubbing, scrub) = AsyncStream.makeStream()
            (ends, end) = AsyncStream.makeStream()
        }

        func setTitle(_ title: String) { self.title.yield(title) }
        func setCurrentTime(_ time: MediaTime, duration: MediaTime?) {
            #expect(duration == .seconds(60))
            self.time.yield(time)
        }
        func setScrubbingTime(_ time: MediaTime) { scrub.yield(time) }
        func playbackComplete() { end.yield() }
    }

    let media = ScriptedMedia()
    let controls = Controls()

    @Test("the controls get title, time, scrubbing time and the end; the rate outlives scrubbing")
    func reported() async {
        let player = Player(engine: media, actionAtItemEnd: .rewind)
        let delegate: any TransportDelegate = PlayerController(player, transport: controls, every: .milliseconds(20))
        player.replaceCurrentItem(with: PlayerItem(Asset("/no/such/some film.mp4")))
        delegate.play()
        #expect(await controls.titles.first { _ in true } == "some film")
        #expect(await controls.times.first { $0 >= .milliseconds(40) } != nil)
        delegate.scrubbingDidStart()
        delegate.scrubbed(to: .seconds(20))
        #expect(await controls.scrubbing.first { _ in true } == .seconds(20))
        #expect(player.rate == 1 && player.timeControlStatus == .waiting(.scrubbing))
        delegate.scrubbingDidEnd()
        #expect(await controls.times.first { $0 >= .seconds(20) } != nil)
        _ = await player.timeControlStatusUpdates.first { $0 == .playing }
        #expect(player.rate == 1)
        media.happen { .ended($0, isLooping: false) }
        _ = await controls.ends.first { _ in true }
        _ = await player.timeControlStatusUpdates.first { $0 == .paused }
        delegate.jumped(to: .seconds(30))
        #expect(await controls.times.first { $0 == .seconds(30) } != nil)
    }

    @Test("stopped in mid-film it stands at the start")
    func stop() async {
        let player = Player(engine: media, actionAtItemEnd: .rewind)
        let delegate: any TransportDelegate = PlayerController(player, transport: controls)
        let item = PlayerItem(Asset("film.mp4"))
        player.replaceCurrentItem(with: item)
        delegate.play()
        delegate.jumped(to: .seconds(30))
        #expect(await controls.times.first { $0 >= .seconds(30) } != nil)
        _ = await player.timeControlStatusUpdates.first { $0 == .playing }
        delegate.stop()
        #expect(await controls.times.first { $0 == .zero } != nil)
        #expect(player.rate == .paused)
        await player.close()
        #expect(media.rate == .paused && item.currentTime == .zero)
    }

    @Test("a duration that is learned while the film stands is reported")
    func lateDuration() async {
        let (durations, duration) = AsyncStream.makeStream(of: MediaTime?.self)
        final class Clock: Transport {
            let reported: AsyncStream<MediaTime?>.Continuation
            init(_ reported: AsyncStream<MediaTime?>.Continuation) { self.reported = reported }
            func setTitle(_ title: String) {}
            func setCurrentTime(_ time: MediaTime, duration: MediaTime?) { reported.yield(duration) }
            func setScrubbingTime(_ time: MediaTime) {}
            func playbackComplete() {}
        }
        let clock = Clock(duration)
        let player = Player(engine: media, actionAtItemEnd: .rewind)
        let controller = PlayerController(player, transport: clock)
        player.replaceCurrentItem(with: PlayerItem(Asset("film.mp4")))
        _ = await durations.first { $0 == .seconds(60) }
        media.happen { .mediaInfo($0, MediaInfo(duration: .seconds(90), isSeekable: true)) }
        #expect(await durations.first { $0 == .seconds(90) } != nil)
        await player.close()
        _ = controller
    }

    /// Records each call.
    final class Scribe: Transport {
        enum Call: Hashable {
            case title(String)
            case time(MediaTime)
            case end
        }

        let calls: AsyncStream<Call>
        private let call: AsyncStream<Call>.Continuation

        init() { (calls, call) = AsyncStream.makeStream() }

        func setTitle(_ title: String) { call.yield(.title(title)) }
        func setCurrentTime(_ time: MediaTime, duration: MediaTime?) { call.yield(.time(time)) }
        func setScrubbingTime(_ time: MediaTime) {}
        func playbackComplete() { call.yield(.end) }
    }

    @Test("title, times and end come in one order, also from item to item")
    func order() async {
        let scribe = Scribe()
        let player = QueuePlayer(engine: media, actionAtItemEnd: .advance)
        let controller = PlayerController(player, transport: scribe, every: .seconds(10))
        for number in 0..<30 { player.insert(PlayerItem(Asset("\(number).mp4"))) }
        player.play()
        var calls = scribe.calls.makeAsyncIterator()
        for number in 0..<30 {
            // The title in the scripted media info is the address.
            var reported: [Scribe.Call] = []
            while reported.last != .time(.zero), let call = await calls.next() { reported.append(call) }
            #expect(reported.filter { $0 != .time(.zero) } == [.title("\(number)"), .title("\(number).mp4")])
            _ = await player.timeControlStatusUpdates.first { $0 == .playing }
            media.happen { .ended($0, isLooping: false) }
            while let call = await calls.next(), call != .end {
                guard case .time(let time) = call else {
                    Issue.record("\(call) before the end of \(number)")
                    return
                }
                #expect(time < .seconds(10) || time == .seconds(60))
            }
        }
        withExtendedLifetime(controller) {}
    }

    /// Records all calls to the seeds' controls.
    final class Panel: Transport {
        enum Call: Hashable {
            case time(MediaTime)
            case subtitles([String], String?)
            case volume(Loudness)
            case end
        }

        let calls: AsyncStream<Call>
        private let call: AsyncStream<Call>.Continuation

        init() { (calls, call) = AsyncStream.makeStream() }

        func setTitle(_ title: String) {}
        func setCurrentTime(_ time: MediaTime, duration: MediaTime?) { call.yield(.time(time)) }
        func setScrubbingTime(_ time: MediaTime) {}
        func playbackComplete() { call.yield(.end) }
        func setSubtitles(_ options: [MediaOption], selected: MediaOption?) {
            call.yield(.subtitles(options.map(\.displayName), selected?.displayName))
        }
        func setVolume(_ loudness: Loudness) { call.yield(.volume(loudness)) }
    }

    @Test("playback is complete once the rewind is done, and after a stop")
    func completion() async {
        let panel = Panel()
        let player = Player(engine: media, actionAtItemEnd: .rewind)
        let controller = PlayerController(player, transport: panel, every: .seconds(3600))
        player.replaceCurrentItem(with: PlayerItem(Asset("film.mp4")))
        player.play()
        _ = await player.timeControlStatusUpdates.first { $0 == .playing }
        // The answer to the seek to the start is late.
        let ends = player.didPlayToEnd
        media.hold()
        media.happenWhileHeld { .ended($0, isLooping: false) }
        _ = await ends.first { _ in true }
        _ = await player.rateUpdates.first { $0 == .paused }
        var calls = panel.calls.makeAsyncIterator()
        media.goOn()
        var reported: [Panel.Call] = []
        while reported.last != .end, let call = await calls.next() { reported.append(call) }
        #expect(reported.suffix(2) == [.time(.zero), .end], "at its start, then complete")
        player.play()
        controller.jumped(to: .seconds(30))
        while let call = await calls.next(), call != .time(.seconds(30)) { #expect(call != .end) }
        controller.stop()
        reported = []
        while reported.last != .end, let call = await calls.next() { reported.append(call) }
        #expect(reported.contains(.time(.zero)))
        #expect(player.rate == .paused)
        await player.close()
    }

    @Test("the controls get subtitles and volume, and choose them")
    func choices() async throws {
        let tracks = [
            MediaOption(kind: .legible, number: 1, language: LanguageTag("en")),
            MediaOption(kind: .legible, number: 2, language: LanguageTag("de")),
            MediaOption(kind: .audible, number: 1, language: LanguageTag("en")),
            MediaOption(kind: .audible, number: 2, language: LanguageTag("fr")),
        ]
        let media = ScriptedMedia(tracks: tracks)
        let panel = Panel()
        let player = Player(engine: media, actionAtItemEnd: .rewind)
        let delegate: any TransportDelegate = PlayerController(player, transport: panel)
        var calls = panel.calls.makeAsyncIterator()
        #expect(await calls.next() == .volume(Loudness()), "at first")
        player.replaceCurrentItem(with: PlayerItem(Asset("film.mp4")))
        func next(_ isMeant: (Panel.Call) -> Bool) async -> Panel.Call? {
            while let call = await calls.next() { if isMeant(call) { return call } }
            return nil
        }
        func isSubtitles(_ call: Panel.Call) -> Bool { if case .subtitles = call { true } else { false } }
        #expect(await next(isSubtitles) == .subtitles(["English", "Deutsch"], nil))
        player.showsSubtitles = false
        delegate.subtitleSelected(tracks[1])
        #expect(await next(isSubtitles) == .subtitles(["English", "Deutsch"], "Deutsch"))
        #expect(player.showsSubtitles, "what was chosen is to be read")
        delegate.subtitleSelected(nil)
        #expect(await next(isSubtitles) == .subtitles(["English", "Deutsch"], nil))
        delegate.languageSelected(tracks[3])
        delegate.setVolume(Loudness(percent: 40, isMuted: true))
        #expect(await next { $0 == .volume(Loudness(percent: 40, isMuted: true)) } != nil)
        #expect(player.volume == 40 && player.isMuted)
        #expect(player.currentItem?.choice(of: .audible) == .track(1))
        delegate.outputSelected(SoundRoute(device: "hdmi:CARD=PCH,DEV=0", name: "HDMI-A-1", kind: .hdmi))
        #expect(player.sound.words == ["alsa/hdmi:CARD=PCH,DEV=0"])
        // A loudspeaker on the network has another id when it is back.
        player.sound.words = ["usb", "loop"]
        delegate.outputSelected(SoundRoute(node: "raop-sink-245-32", name: "Foyer", kind: .network))
        #expect(player.sound.words == ["Foyer", "loop"])
        await player.close()
    }
}
