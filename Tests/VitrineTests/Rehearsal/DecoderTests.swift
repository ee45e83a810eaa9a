import KMS
import PlayerCore
import Synchronization
import Testing

@testable import Media
@testable import Vitrine

/// Which decoder follows which, and where the film goes on: on scripted pipelines and a turned clock.
@Suite("Decoders that fail, rehearsed", .timeLimit(.minutes(1)))
struct DecoderTests {
    private static let first = VideoDecoder(name: "first", isHardware: true)
    private static let second = VideoDecoder(name: "second", isHardware: true)
    private static let processor = VideoDecoder(name: "processor", isHardware: false)
    private static let all = [first, second, processor]

    private let mediaInfo = MediaInfo(
        duration: .seconds(10), isSeekable: true, hasVideo: true, frameDuration: .milliseconds(40))

    private func rehearse(_ film: String = "a.mp4", startingAt start: MediaTime? = nil) async throws -> Rehearsal {
        try await Rehearsal([film], decoders: Self.all) { list in
            list.actionAtQueueEnd = .pause
            if let start { list.jump(to: start) }
        }
    }

    /// The decoder does not return from a frame.
    private func hold(_ rehearsal: Rehearsal) { rehearsal.pipeline.state.withLock { $0.isHeldByDecoder = true } }

    /// Opens the film anew where it stands.
    private func openAnew(_ rehearsal: Rehearsal, at time: MediaTime) async {
        await rehearsal.report(.ready(mediaInfo), .state(.playing))
        await rehearsal.show(time, SeekRequest.initial)
    }

    private func failure(_ reason: MediaFailure.Reason, of decoder: VideoDecoder? = nil) -> MediaFailure {
        var failure = MediaFailure(reason: reason, message: "it fails")
        failure.decoder = decoder
        return failure
    }

    // MARK: Blame

    @Test(arguments: [false, true])
    func `a seek that does not come back is its decoder's fault if that holds a frame`(isHeld: Bool) async throws {
        let rehearsal = try await rehearse()
        await rehearsal.open()
        await rehearsal.ask { $0.jump(to: .seconds(5)) }
        if isHeld { hold(rehearsal) }
        await rehearsal.turn(.seconds(3), runs: false)
        #expect(rehearsal.opened.map(\.loads) == [[nil], [.seconds(5)]])
        #expect(rehearsal.opened.map(\.decoder?.name) == ["first", isHeld ? "second" : "first"])
        #expect(rehearsal.avoided == (isHeld ? [Self.first] : []))
        await rehearsal.end()
    }

    @Test(arguments: [(3, 0, false), (40, 1, false), (40, 0, true)] as [(UInt64, UInt64, Bool)])
    func `or if it takes in more than any decoder keeps, and gives out nothing`(
        arrived: UInt64, heldBack: UInt64, isToBlame: Bool
    ) async throws {
        let rehearsal = try await rehearse()
        await rehearsal.open()
        await rehearsal.ask { $0.jump(to: .seconds(5)) }
        rehearsal.pipeline.state.withLock { state in
            state.frames.arrived += arrived
            state.frames.heldBack += heldBack
        }
        await rehearsal.turn(.seconds(5), runs: false)
        #expect(rehearsal.opened.map(\.loads) == [[nil], [.seconds(5)]])
        #expect(rehearsal.avoided == (isToBlame ? [Self.first] : []))
        await rehearsal.end()
    }

    @Test(arguments: [false, true])
    func `over a network, too`(isHeld: Bool) async throws {
        let rehearsal = try await rehearse("http://127.0.0.1/a.mp4")
        await rehearsal.open()
        await rehearsal.ask { $0.jump(to: .seconds(5)) }
        if isHeld { hold(rehearsal) }
        await rehearsal.turn(.seconds(21), runs: false)
        #expect(rehearsal.opened.map(\.loads) == [[nil], [.seconds(5)]])
        #expect(rehearsal.avoided == (isHeld ? [Self.first] : []))
        await rehearsal.end()
    }

    @Test(arguments: [false, true])
    func `a film that stands still, too`(isHeld: Bool) async throws {
        let rehearsal = try await rehearse()
        await rehearsal.open()
        await rehearsal.turn(.seconds(4))
        if isHeld { hold(rehearsal) }
        await rehearsal.turn(.seconds(9), runs: false)
        #expect(rehearsal.opened.map(\.loads) == [[nil], [.seconds(4)]])
        #expect(rehearsal.avoided == (isHeld ? [Self.first] : []))
        await rehearsal.end()
    }

    @Test(arguments: ["a.mp4", "http://127.0.0.1/a.mp4"])
    func `a film that does not open is tried with the next decoder if one holds its first frame`(film: String)
        async throws
    {
        for isHeld in [false, true] {
            let rehearsal = try await rehearse(film, startingAt: .seconds(5))
            if isHeld { hold(rehearsal) }
            await rehearsal.turn(.seconds(film.hasPrefix("http") ? 60 : 10))
            #expect(rehearsal.opened.map(\.loads) == (isHeld ? [[.seconds(5)], [.seconds(5)]] : [[.seconds(5)]]))
            #expect(rehearsal.avoided == (isHeld ? [Self.first] : []))
            await rehearsal.end()
        }
    }

    @Test func `a decoder that is remembered, and used because there is no other, is not tried twice`() async throws {
        for names in [[], ["first"]] as [Set<String>] {
            let rehearsal = try await Rehearsal(
                ["a.mp4"], decoders: [Self.first], remembered: AvoidedDecoders(names: names))
            await rehearsal.open()
            await rehearsal.report(.failed(failure(.broken, of: Self.first)))
            #expect(rehearsal.opened.count == (names.isEmpty ? 2 : 1))
            #expect(rehearsal.avoided == (names.isEmpty ? [Self.first] : []))
            await rehearsal.end()
        }
    }

    /// The film's end answers a seek in place of a frame.
    private func end(_ rehearsal: Rehearsal, taking arrived: UInt64, _ ticket: SeekRequest.Ticket) async {
        rehearsal.pipeline.state.withLock { state in
            state.frames.arrived += arrived
            state.frames.hasEnded = true
        }
        let now = rehearsal.clock.now
        await rehearsal.report(
            .frame(SeekFrame(ticket: ticket, time: nil, start: nil, duration: nil, shownAt: now)))
    }

    @Test(arguments: [nil, .seconds(5)] as [MediaTime?])
    func `the film's end in place of its first frame is the decoder's fault, down to the processor's`(
        start: MediaTime?
    ) async throws {
        let rehearsal = try await rehearse(startingAt: start)
        for _ in 1...3 { await end(rehearsal, taking: 20, SeekRequest.initial) }
        #expect(rehearsal.opened.map(\.decoder) == Self.all)
        #expect(rehearsal.opened.map(\.loads) == [[start], [start], [start]])
        #expect(rehearsal.avoided == [Self.first, Self.second])
        await rehearsal.end()
    }

    @Test func `the end of a film without a frame is nobody's fault`() async throws {
        let rehearsal = try await rehearse()
        await end(rehearsal, taking: 0, SeekRequest.initial)
        #expect(rehearsal.opened.count == 1 && rehearsal.avoided.isEmpty)
        await rehearsal.end()
    }

    @Test(arguments: [(3, 0, false), (40, 1, false), (40, 0, true)] as [(UInt64, UInt64, Bool)])
    func `the film's end in place of a sought frame, too, if many were taken in`(
        arrived: UInt64, heldBack: UInt64, isToBlame: Bool
    ) async throws {
        let rehearsal = try await rehearse()
        await rehearsal.open()
        await rehearsal.ask { $0.jump(to: .seconds(5)) }
        rehearsal.pipeline.state.withLock { $0.frames.heldBack += heldBack }
        let sought = try #require(rehearsal.pipeline.seeks.last)
        await end(rehearsal, taking: arrived, sought.ticket)
        #expect(rehearsal.opened.map(\.loads) == (isToBlame ? [[nil], [.seconds(5)]] : [[nil]]))
        #expect(rehearsal.avoided == (isToBlame ? [Self.first] : []))
        await rehearsal.end()
    }

    // MARK: What follows

    @Test func `each decoder that holds the film is followed by the next one, down to the processor's`() async throws {
        let rehearsal = try await rehearse()
        await rehearsal.open()
        await rehearsal.turn(.seconds(4))
        for _ in 1...2 {
            hold(rehearsal)
            await rehearsal.turn(.seconds(9), runs: false)
            await openAnew(rehearsal, at: .seconds(4))
        }
        #expect(rehearsal.opened.map(\.decoder) == Self.all)
        #expect(rehearsal.opened.map(\.loads) == [[nil], [.seconds(4)], [.seconds(4)]])
        #expect(!rehearsal.list.hasEnded)
        // No other one is left.
        hold(rehearsal)
        await rehearsal.turn(.seconds(9), runs: false)
        #expect(rehearsal.opened.count == 3 && rehearsal.list.hasEnded)
        await rehearsal.end()
    }

    @Test func `where a decoder is lost again in a seek, the next one is not in vain`() async throws {
        let rehearsal = try await rehearse()
        await rehearsal.open()
        for _ in 1...2 {
            await rehearsal.ask { $0.jump(to: .seconds(5)) }
            hold(rehearsal)
            await rehearsal.turn(.seconds(3), runs: false)
            await openAnew(rehearsal, at: .seconds(5))
        }
        #expect(rehearsal.opened.map(\.loads) == [[nil], [.seconds(5)], [.seconds(5)]])
        #expect(rehearsal.opened.map(\.decoder) == Self.all)
        await rehearsal.end()
    }

    @Test(arguments: [false, true])
    func `something live that a decoder holds is opened anew with the next one`(isHeld: Bool) async throws {
        let rehearsal = try await rehearse("http://127.0.0.1/live")
        await rehearsal.open(nil, isSeekable: false, isLive: true)
        if isHeld { hold(rehearsal) }
        await rehearsal.turn(.seconds(22), runs: false)
        #expect(rehearsal.opened.map(\.loads) == [[nil], [nil]])
        #expect(rehearsal.avoided == (isHeld ? [Self.first] : []))
        await rehearsal.end()
    }

    // MARK: The start

    @Test func `whatever fails in the seek to the start, the film starts there`() async throws {
        for cause in [failure(.broken, of: Self.first), failure(.audioLost), failure(.network)] {
            let rehearsal = try await rehearse("http://127.0.0.1/a.mp4", startingAt: .seconds(5))
            await rehearsal.report(.ready(mediaInfo), .failed(cause))
            await rehearsal.turn(.seconds(2))
            #expect(rehearsal.opened.map(\.loads) == [[.seconds(5)], [.seconds(5)]], "\(cause.reason)")
            await openAnew(rehearsal, at: .seconds(5))
            #expect(!rehearsal.list.isSeeking)
            // Once it is there, its position counts.
            await rehearsal.turn(.seconds(3))
            await rehearsal.report(.failed(failure(.broken, of: Self.second)))
            #expect(rehearsal.opened.last?.loads == [.seconds(8)], "\(cause.reason)")
            await rehearsal.end()
        }
    }

    /// What may have a film opened anew before its first frame.
    enum DisplayChange: CaseIterable {
        case isMoved, isLeft, isUnplugged, scalingIsRefused
    }

    /// No display can be opened: the film goes on unseen.
    private func change(_ display: DisplayChange, in rehearsal: Rehearsal) async {
        let player = rehearsal.player
        switch display {
        case .isMoved: _ = await player.move(to: { () throws(KMSError) in throw .noCard })
        case .isLeft: await player.leaveDisplay()
        case .isUnplugged:
            await player.act { $0.displayLeft() }
            await rehearsal.report(.failed(failure(.other)))
            _ = await player.move(to: { () throws(KMSError) in throw .noCard })
        case .scalingIsRefused: await rehearsal.report(.scalingRefused)
        }
        await rehearsal.settle()
    }

    @Test(arguments: DisplayChange.allCases, [false, true])
    func `whatever becomes of the display before the first frame, the film starts there`(
        change: DisplayChange, isReady: Bool
    ) async throws {
        let rehearsal = try await rehearse(startingAt: .seconds(5))
        if isReady { await rehearsal.report(.ready(mediaInfo)) }
        await self.change(change, in: rehearsal)
        #expect(rehearsal.opened.map(\.loads) == [[.seconds(5)], [.seconds(5)]])
        // The second time before anything is known of the film.
        await self.change(.isMoved, in: rehearsal)
        #expect(rehearsal.opened.last?.loads == [.seconds(5)])
        await openAnew(rehearsal, at: .seconds(5))
        await rehearsal.turn(.seconds(3))
        await self.change(.isMoved, in: rehearsal)
        #expect(rehearsal.opened.last?.loads == [.seconds(8)], "once it is there, its position counts")
        await rehearsal.end()
    }

    @Test func `a start is kept while the film's pipeline is built, and one that depends on its length, too`()
        async throws
    {
        let rehearsal = try await rehearse()
        let location = rehearsal.pipeline.location
        await rehearsal.player.act { player in
            let film = FilmSession.Film(item: ItemID(number: 1), location: location, start: .time(.seconds(5)))
            player.open(film, LoadID(number: 9), nil)
            player.handle(.scalingRefused)
        }
        await rehearsal.settle()
        #expect(rehearsal.pipeline.loads == [.seconds(5)])
        await rehearsal.player.act { player in
            player.perform(.setRate(.fastest))
            let film = FilmSession.Film(item: ItemID(number: 2), location: location, start: .part(0.5))
            player.open(film, LoadID(number: 10), nil)
        }
        await rehearsal.settle()
        await self.change(.isMoved, in: rehearsal)
        #expect(rehearsal.pipeline.state.withLock { $0.places } == [.part(0.5)])
        await rehearsal.end()
    }

    @Test(arguments: [false, true])
    func `the seek to the start that a decoder does not answer is made again with the next one`(isHeld: Bool)
        async throws
    {
        let rehearsal = try await rehearse(startingAt: .seconds(5))
        await rehearsal.report(.ready(mediaInfo))
        if isHeld { hold(rehearsal) }
        await rehearsal.turn(.seconds(10))
        #expect(rehearsal.opened.map(\.loads) == [[.seconds(5)], [isHeld ? .seconds(5) : nil]])
        #expect(rehearsal.avoided == (isHeld ? [Self.first] : []))
        #expect(rehearsal.list.isSeeking == isHeld, "it is answered with the next decoder's frame")
        await rehearsal.end()
    }
}
