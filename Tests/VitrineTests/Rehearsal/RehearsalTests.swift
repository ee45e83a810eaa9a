import PlayerCore
import Synchronization
import Testing

@testable import Media
@testable import Vitrine

/// Ends, preloading, failures, reconnections, rates and commands, on scripted pipelines and a turned clock.
@Suite("A player, rehearsed", .timeLimit(.minutes(1)))
struct RehearsalTests {
    private let network = MediaFailure(reason: .network, message: "the server is gone")
    private let broken = MediaFailure(reason: .broken, message: "it is damaged")

    // MARK: Ends

    @Test func `a brief film is followed by the next one no sooner than a second after it was opened`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4", "b.mp4"])
        await rehearsal.open(.milliseconds(400))
        await rehearsal.turn(.milliseconds(400))
        await rehearsal.report(.endOfStream)
        await rehearsal.turn(.milliseconds(599))
        #expect(rehearsal.opened.count == 1, "its last frame stands")
        await rehearsal.turn(.milliseconds(1))
        #expect(rehearsal.opened.map(\.location.title) == ["a", "b"])
        #expect(rehearsal.pipelines[0].isClosed && rehearsal.pipelines[1].isPlaying)
        await rehearsal.end()
    }

    @Test(arguments: [ActionAtQueueEnd?.none, .rewind, .pause, .finish])
    func `what the last film's end is followed by, or its repetition`(action: ActionAtQueueEnd?) async throws {
        let rehearsal = try await Rehearsal(["a.mp4"]) { list in
            if let action { list.actionAtQueueEnd = action } else { list.repetition = .forever }
        }
        let news = rehearsal.list.news()
        await rehearsal.open()
        await rehearsal.turn(.seconds(10))
        await rehearsal.report(.endOfStream)
        switch action {
        case .rewind, nil: #expect(rehearsal.pipeline.seeks.map(\.target) == [.zero])
        case .pause, .finish: #expect(rehearsal.pipeline.seeks.isEmpty)
        }
        #expect(rehearsal.list.hasEnded == (action != nil))
        #expect(rehearsal.pipelines.count == 1)
        await rehearsal.end()
        var hasFinished = false
        for await case .finished in news { hasFinished = true }
        #expect(hasFinished == (action == .finish))
    }

    @Test func `an end that comes while something is sought is one only if the seek comes to nothing`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4"]) { $0.actionAtQueueEnd = .pause }
        await rehearsal.open()
        for isAnswered in [true, false] {
            await rehearsal.ask { $0.jump(to: .seconds(5)) }
            await rehearsal.report(.endOfStream)
            if isAnswered {
                await rehearsal.show(.seconds(5))
            } else {
                let ticket = rehearsal.pipeline.seeks[rehearsal.pipeline.seeks.count - 1].ticket
                await rehearsal.report(.seekFailed(ticket))
                await rehearsal.player.act { $0.refuseSeeks() }
                await rehearsal.settle()
            }
            #expect(rehearsal.list.hasEnded == !isAnswered)
        }
        await rehearsal.end()
    }

    @Test func `a still image stands for its time, and for ever where nothing follows`() async throws {
        let rehearsal = try await Rehearsal(["a.jpg", "b.mp4"])
        await rehearsal.report(
            .ready(MediaInfo(duration: nil, isSeekable: false, hasVideo: true, hasAudio: false)), .state(.playing))
        await rehearsal.show(.zero, SeekRequest.initial)
        await rehearsal.report(.endOfStream)
        await rehearsal.turn(PlayerLoop.stillTime - .milliseconds(1))
        #expect(rehearsal.pipelines.count == 1)
        await rehearsal.turn(.milliseconds(1))
        #expect(rehearsal.pipelines.count == 2)
        await rehearsal.end()
    }

    @Test func `a playlist that is cleared in the pause between two films leaves the ended one as it is`() async throws
    {
        let rehearsal = try await Rehearsal(["a.mp4", "b.mp4"]) { $0.actionAtQueueEnd = .pause }
        await rehearsal.open(.milliseconds(400))
        await rehearsal.turn(.milliseconds(400))
        await rehearsal.report(.endOfStream)
        await rehearsal.ask { $0.removeOtherItems() }
        await rehearsal.turn(.seconds(100))
        #expect(rehearsal.opened.count == 1 && rehearsal.pipeline.seeks.isEmpty)
        #expect(rehearsal.list.hasEnded && rehearsal.list.rate.isPaused)
        await rehearsal.end()
    }

    // MARK: Preloading

    @Test func `the next film is preloaded three seconds before the end, and taken over`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4", "b.mp4"])
        await rehearsal.open()
        await rehearsal.turn(.milliseconds(6_990))
        #expect(rehearsal.pipelines.count == 1)
        await rehearsal.turn(.milliseconds(20))
        #expect(rehearsal.pipelines.count == 2 && rehearsal.opened.count == 1)
        await rehearsal.turn(.milliseconds(2_990))
        await rehearsal.report(.endOfStream)
        #expect(rehearsal.pipelines.count == 2 && rehearsal.pipeline.loads == [nil])
        await rehearsal.end()
    }

    @Test func `what was preloaded and is not wanted any more is closed`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4", "b.mp4"])
        await rehearsal.open()
        await rehearsal.turn(.seconds(8))
        await rehearsal.ask { $0.removeOtherItems() }
        await rehearsal.settle()
        #expect(rehearsal.pipelines.map(\.isClosed) == [false, true])
        await rehearsal.end()
    }

    // MARK: Failures

    @Test func `films that all fail are tried again, each time after a longer pause`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4", "b.mp4"]) { $0.repetition = .forever }
        // A film that was open once makes the list worth another try.
        await rehearsal.open()
        await rehearsal.report(.failed(broken))
        for pause in [1, 2, 4, 8] {
            if rehearsal.pipeline.location.title == "a" { await rehearsal.report(.failed(broken)) }
            let count = rehearsal.pipelines.count
            await rehearsal.report(.failed(broken))
            await rehearsal.turn(.seconds(pause) - .milliseconds(1))
            #expect(rehearsal.pipelines.count == count, "before \(pause) s have passed")
            await rehearsal.turn(.milliseconds(1))
            #expect(rehearsal.pipelines.count == count + 1, "after \(pause) s")
            guard rehearsal.pipelines.count == count + 1 else { break }
        }
        await rehearsal.end()
    }

    @Test func `a film that says nothing for ten seconds is given up`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4", "b.mp4"])
        await rehearsal.turn(.milliseconds(9_999))
        #expect(rehearsal.pipelines.count == 1)
        await rehearsal.turn(.milliseconds(1))
        #expect(rehearsal.pipelines.map(\.location.title) == ["a", "b"])
        await rehearsal.end()
    }

    @Test func `a seek that never comes back has the film opened anew there`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4"])
        await rehearsal.open()
        await rehearsal.ask { $0.jump(to: .seconds(5)) }
        await rehearsal.turn(.seconds(60))
        #expect(rehearsal.pipelines.count >= 2)
        #expect(rehearsal.pipelines[1].loads == [.seconds(5)])
        await rehearsal.end()
    }

    @Test(arguments: [false, true])
    func `where a film is to start is looked for as long as its decoder takes anything in`(isDecoding: Bool)
        async throws
    {
        let rehearsal = try await Rehearsal(["a.mp4"]) { $0.jump(to: .seconds(5)) }
        let mediaInfo = MediaInfo(
            duration: .seconds(10), isSeekable: true, hasVideo: true, frameDuration: .milliseconds(40))
        await rehearsal.report(.ready(mediaInfo))
        for _ in 1...4 {
            await rehearsal.turn(.seconds(9))
            if isDecoding { rehearsal.pipeline.state.withLock { $0.frames.arrived += 1 } }
        }
        #expect(rehearsal.opened.map(\.loads) == (isDecoding ? [[.seconds(5)]] : [[.seconds(5)], [nil]]))
        await rehearsal.turn(.seconds(30))
        #expect(rehearsal.opened.count == 2, "a minute is enough")
        await rehearsal.end()
    }

    @Test func `a film that is lost again soon after it was opened anew plays from its start`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4"]) { $0.actionAtQueueEnd = .pause }
        await rehearsal.open()
        await rehearsal.ask { $0.jump(to: .seconds(5)) }
        await rehearsal.turn(.seconds(7), runs: false)
        #expect(rehearsal.opened.map(\.loads) == [[nil], [.seconds(5)]])
        let mediaInfo = MediaInfo(
            duration: .seconds(10), isSeekable: true, hasVideo: true, frameDuration: .milliseconds(40))
        await rehearsal.report(.ready(mediaInfo), .state(.playing))
        await rehearsal.show(.seconds(5), SeekRequest.initial)
        await rehearsal.ask { $0.jump(to: .seconds(5)) }
        await rehearsal.turn(.seconds(7), runs: false)
        #expect(rehearsal.opened.map(\.loads) == [[nil], [.seconds(5)], [nil]])
        // Nobody waits for that seek any more: its end counts.
        await rehearsal.open()
        await rehearsal.turn(.seconds(10))
        await rehearsal.report(.endOfStream)
        #expect(rehearsal.list.hasEnded)
        await rehearsal.end()
    }

    @Test func `what the decoder of the film before had taken in is no progress of the next one's seek`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4", "b.mp4"])
        await rehearsal.open()
        rehearsal.pipeline.state.withLock { $0.frames.arrived = 1_000 }
        await rehearsal.ask { $0.jump(to: .seconds(5)) }
        await rehearsal.ask { $0.play($0.items[1]) }
        await rehearsal.open()
        #expect(await rehearsal.player.act { !$0.session.run.makesProgress() })
        await rehearsal.end()
    }

    @Test func `a film that stands still is opened anew where it is, once, and then taken as ended`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4"]) { $0.actionAtQueueEnd = .pause }
        await rehearsal.open()
        await rehearsal.turn(.seconds(4))
        await rehearsal.turn(.seconds(9), runs: false)
        #expect(rehearsal.opened.map(\.loads) == [[nil], [.seconds(4)]])
        await rehearsal.open()
        await rehearsal.turn(.seconds(60), runs: false)
        #expect(rehearsal.opened.count == 2)
        #expect(rehearsal.list.hasEnded)
        await rehearsal.end()
    }

    @Test func `a sound that hangs behind the last frame has the film opened anew there, and not further on`()
        async throws
    {
        let rehearsal = try await Rehearsal(["a.mp4"]) { $0.actionAtQueueEnd = .pause }
        await rehearsal.open(hasAudio: true)
        await rehearsal.turn(.seconds(4))
        rehearsal.pipeline.state.withLock { $0.frames.isLast = true }
        await rehearsal.turn(.seconds(9), runs: false)
        #expect(rehearsal.opened.map(\.loads) == [[nil], [.seconds(4)]])
        await rehearsal.end()
    }

    // MARK: Network

    @Test func `a connection that is lost is made again where the film was, ever more rarely`() async throws {
        let rehearsal = try await Rehearsal(["http://127.0.0.1/a.mp4"]) { $0.repetition = .forever }
        await rehearsal.open()
        await rehearsal.show(.seconds(4), SeekRequest.initial)
        for (attempt, pause) in [1, 2, 4, 8, 16, 30, 30].enumerated() {
            await rehearsal.report(.failed(network))
            await rehearsal.turn(.seconds(pause) - .milliseconds(1))
            #expect(rehearsal.pipelines.count == attempt + 1)
            await rehearsal.turn(.milliseconds(1))
            #expect(rehearsal.pipelines.count == attempt + 2)
        }
        #expect(rehearsal.pipeline.loads == [.seconds(4)])
        await rehearsal.end()
    }

    @Test(arguments: [false, true])
    func `a seek that is asked for while the connection is away is done once it is back`(isInitialShown: Bool)
        async throws
    {
        let rehearsal = try await Rehearsal(["http://127.0.0.1/a.mp4", "http://127.0.0.1/b.mp4"])
        await rehearsal.open()
        await rehearsal.show(.seconds(4), SeekRequest.initial)
        await rehearsal.report(.failed(network))
        #expect(rehearsal.list.pipelineState == .null)
        await rehearsal.ask { $0.jump(to: .seconds(7)) }
        await rehearsal.turn(.seconds(1))
        let mediaInfo = MediaInfo(
            duration: .seconds(10), isSeekable: true, hasVideo: true, frameDuration: .milliseconds(40))
        await rehearsal.report(.ready(mediaInfo), .state(.playing))
        if isInitialShown { await rehearsal.show(.seconds(4), SeekRequest.initial) }
        #expect(rehearsal.pipeline.seeks.last?.target == .seconds(7))
        #expect(rehearsal.list.isSeeking)
        await rehearsal.show(.seconds(7))
        #expect(!rehearsal.list.isSeeking)
        await rehearsal.turn(.seconds(3))
        await rehearsal.report(.endOfStream)
        await rehearsal.turn(.seconds(1))
        #expect(rehearsal.opened.map(\.location.title) == ["a", "a", "b"])
        await rehearsal.end()
    }

    @Test func `a film that buffers waits, and goes on if it is wanted to by then`() async throws {
        let rehearsal = try await Rehearsal(["http://127.0.0.1/a.mp4"])
        await rehearsal.open()
        await rehearsal.report(.buffering(percent: 10))
        #expect(!rehearsal.pipeline.isPlaying)
        await rehearsal.ask { $0.pause() }
        await rehearsal.report(.buffering(percent: 100))
        #expect(!rehearsal.pipeline.isPlaying)
        await rehearsal.ask { $0.play() }
        #expect(rehearsal.pipeline.isPlaying)
        await rehearsal.end()
    }

    @Test func `something live that is silent for twenty seconds is opened anew`() async throws {
        let rehearsal = try await Rehearsal(["http://127.0.0.1/live"])
        await rehearsal.open(nil, isSeekable: false, isLive: true)
        await rehearsal.turn(.milliseconds(19_999), runs: false)
        #expect(rehearsal.pipelines.count == 1)
        await rehearsal.turn(.seconds(2), runs: false)
        #expect(rehearsal.pipelines.count == 2 && rehearsal.pipeline.loads == [nil])
        await rehearsal.end()
    }

    // MARK: Rates

    @Test func `a rate that a film refuses is kept for the next one`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4", "b.mp4"])
        await rehearsal.open(isSeekable: false)
        let double = try #require(PlaybackRate(factor: 2))
        await rehearsal.ask { $0.defaultRate = double }
        #expect(rehearsal.list.filmRate == .normal)
        await rehearsal.ask { $0.play($0.items[1]) }
        #expect(rehearsal.list.filmRate == double)
        #expect(rehearsal.pipeline.rates == [double])
        await rehearsal.end()
    }

    // MARK: Commands

    @Test func `seeks before the film is open are remembered, the newest of them`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4"])
        for second in 1...5 { await rehearsal.ask { $0.jump(to: .seconds(Int64(second))) } }
        #expect(rehearsal.pipeline.seeks.isEmpty)
        await rehearsal.open()
        #expect(rehearsal.pipeline.seeks.map(\.target) == [.seconds(5)])
        await rehearsal.end()
    }

    @Test func `what is asked of one film is not asked of the next`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4", "b.mp4"])
        await rehearsal.ask { $0.jump(to: .seconds(5)) }
        await rehearsal.ask { $0.play($0.items[1]) }
        await rehearsal.open()
        #expect(rehearsal.pipeline.location.title == "b" && rehearsal.pipeline.seeks.isEmpty)
        await rehearsal.end()
    }

    @Test func `news of a pipeline that was left reaches nobody`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4", "b.mp4"])
        let run = await rehearsal.player.act { ObjectIdentifier($0.session.run) }
        await rehearsal.ask { $0.play($0.items[1]) }
        #expect(await rehearsal.player.act { ObjectIdentifier($0.session.run) } != run)
        #expect(rehearsal.pipelines[0].isClosed)
        await rehearsal.end()
    }

    // MARK: The text beside the bar

    @Test(
        arguments: [
            (TimeDisplay.total, MediaTime.seconds(60), ["00:00:00 / 00:01:00", "00:00:20 / 00:01:00"]),
            (.remaining, .seconds(60), ["-00:01:00", "-00:00:40"]),
            (.remaining, nil, ["00:00:00 /  -- ", "00:00:20 /  -- "]),
        ] as [(TimeDisplay, MediaTime?, [String])])
    func `the text counts the whole film or what remains of it`(
        time: TimeDisplay, duration: MediaTime?, texts: [String]
    ) async throws {
        let rehearsal = try await Rehearsal(["a.mp4"], time: time)
        await rehearsal.open(duration)
        func text() async -> String {
            await rehearsal.player.act { player in
                player.osd.isEnabled = true
                player.show(.asked, at: player.clock.now)
                return player.model.timeText
            }
        }
        #expect(await text() == texts[0])
        await rehearsal.turn(.seconds(20))
        #expect(await text() == texts[1])
        await rehearsal.end()
    }
}
