import Foundation
import Logging
import Media
import PlayerCore
import Testing

@testable import Vitrine

/// The same calls on GStreamer itself, without a display.
@Suite("The library's player, on GStreamer (A1 to A5, A13, T2, T4, M6)", .serialized, .timeLimit(.minutes(2)))
struct PlayerGStreamerTests {
    let folder: TemporaryFolder
    let film: String
    let options = PlayerOptions(hasOSD: false, hasSound: false)

    init() throws {
        folder = try TemporaryFolder()
        film = try RawFilm.write(frames: 100, in: folder.url)
    }

    @Test("an asset reports its duration, its track and that it is a file")
    func asset() async throws {
        let contents = try await Asset(film).load()
        #expect(contents.duration == .seconds(4) && contents.isSeekable && !contents.isLive)
        #expect(
            contents.tracks.map(\.kind) == [
                .video(width: 64, height: 48, frameDuration: RationalTime(value: 1, timescale: 25))
            ])
    }

    @Test("commands from before the film is open are done when it is (T2, M6); the end rewinds, once (M9, A5)")
    func fromStartToEnd() async throws {
        let player = Player(options: options)
        let item = PlayerItem(Asset(film))
        var ends = player.didPlayToEnd.makeAsyncIterator()
        player.play()
        let seek = Task { await item.seek(to: .milliseconds(2000)) }
        while item.currentTime != .milliseconds(2000) { await Task.yield() }
        player.replaceCurrentItem(with: item)
        #expect(await seek.value)
        #expect(item.status == .readyToPlay && item.duration == .seconds(4))
        #expect(item.presentationSize == .init(width: 64, height: 48))
        _ = await player.timeControlStatusUpdates.first { $0 == .playing }
        #expect(item.currentTime >= .milliseconds(2000))
        #expect(await item.seek(to: .milliseconds(3600)))
        #expect(await ends.next() === item)
        _ = await player.timeControlStatusUpdates.first { $0 == .paused }
        while item.currentTime != .zero { try await Task.sleep(for: .milliseconds(5)) }
        #expect(player.rate == .paused)
        await player.close()
        #expect(await ends.next() == nil, "and never again")
    }

    @Test("an exact seek ends where it was asked to; of ten the newest does, and those that it replaced say so (M7)")
    func seeks() async throws {
        let player = Player(PlayerItem(Asset(film)), options: options)
        let item = try #require(player.currentItem)
        _ = await item.statusUpdates.first { $0 == .readyToPlay }
        for number in [37, 3, 98, 0, 55] as [Int64] {
            let frame = try #require(MediaTime(number, of: RationalTime(value: 1, timescale: 25)!))
            #expect(await player.seek(to: frame + .milliseconds(7)))
            #expect(item.currentTime == frame + .milliseconds(7), "time and sound are where they were asked to be")
        }
        var seeks: [Task<Bool, Never>] = []
        for number in Int64(1)...10 {
            let time = MediaTime.milliseconds(300 * number)
            seeks.append(Task { await item.seek(to: time) })
            while item.currentTime != time { await Task.yield() }
        }
        var answers: [Bool] = []
        for seek in seeks { answers.append(await seek.value) }
        #expect(answers.last == true && answers.contains(false))
        #expect(item.currentTime == .seconds(3))
        await player.close()
    }

    @Test("boundaries and ticks come while it plays, and again after a loop (A4)")
    func times() async throws {
        let short = try RawFilm.write(frames: 25, name: "short.avi", in: folder.url)
        let player = QueuePlayer([PlayerItem(Asset(short))], options: options)
        player.loop = .one
        let (boundaries, ticks) = (
            player.boundaryTimes([.milliseconds(500)]), player.periodicTimes(every: .milliseconds(200))
        )
        player.play()
        var laps = 0
        for await time in boundaries {
            #expect(time == .milliseconds(500))
            laps += 1
            if laps == 3 { break }
        }
        var jumps = 0
        var last = MediaTime.zero
        for await time in ticks {
            if time < last { jumps += 1 }
            last = time
            if jumps == 1 { break }
        }
        await player.close()
    }

    @Test("the end is reported once for each loop segment (A5)")
    func endsOfLoops() async throws {
        let short = try RawFilm.write(frames: 25, name: "short.avi", in: folder.url)
        let item = PlayerItem(Asset(short))
        let player = QueuePlayer(item, options: options)
        player.loop = .one
        let (ends, middles) = (player.didPlayToEnd, player.boundaryTimes([.milliseconds(500)]))
        player.play()
        var segments = 0
        for await _ in middles {
            segments += 1
            if segments == 5 { break }
        }
        await player.close()
        var ended: [PlayerItem] = []
        for await item in ends { ended.append(item) }
        #expect(ended.count == 4 && ended.allSatisfy { $0 === item })
    }

    @Test(
        "at other rates each boundary and tick is reported once, in order, at the rate's pace (A4, A8)",
        arguments: [0.25, 0.5, 2, 4, -1, -4] as [PlaybackRate])
    func timesAtRates(rate: PlaybackRate) async throws {
        let long = try RawFilm.write(frames: 250, name: "long.avi", in: folder.url)
        let player = Player(PlayerItem(Asset(long)), options: options)
        let item = try #require(player.currentItem)
        // The film time that passes in two seconds of the clock, eight seconds at most.
        let way = MediaTime.milliseconds(min(Int64(rate.thousandths.magnitude) * 2, 8000))
        let start = rate.isReverse ? MediaTime.milliseconds(9000) : .milliseconds(1000)
        #expect(await item.seek(to: start))
        func place(_ quarter: Int64) -> MediaTime {
            let passed = MediaTime(nanoseconds: way.nanoseconds * quarter / 4)
            return rate.isReverse ? start - passed : start + passed
        }
        let wanted = (Int64(1)...4).map(place)
        // A tenth of a second of the clock.
        let interval = MediaTime.milliseconds(Int64(rate.thousandths.magnitude) / 10)
        let (boundaries, ticks) = (player.boundaryTimes(wanted), player.periodicTimes(every: interval))
        let clock = ContinuousClock()
        async let reported = ticks.reduce(into: [MediaTime]()) { $0.append($1) }
        player.rate = rate
        var met: [(time: MediaTime, at: ContinuousClock.Instant)] = []
        for await time in boundaries {
            met.append((time, clock.now))
            if met.count == wanted.count { break }
        }
        #expect(met.map(\.time) == wanted && player.actualRate == rate)
        await player.close()
        // Three quarters of two seconds; on a busy machine more.
        let expected = try #require(rate.clockTime(for: wanted[3] - wanted[0]))
        #expect(met[3].at - met[0].at > expected * 0.7 && met[3].at - met[0].at < expected * 3)
        let passed = await reported.filter {
            rate.isReverse ? $0 < start && $0 >= wanted[3] : $0 > start && $0 <= wanted[3]
        }
        #expect(passed == (rate.isReverse ? passed.sorted().reversed() : passed.sorted()))
        #expect(Set(passed).count == passed.count)
        // A late observer gets the newest time only.
        let isRound = { (time: MediaTime) in time.nanoseconds % interval.nanoseconds == 0 }
        #expect(passed.count(where: isRound) >= Int(way.nanoseconds / interval.nanoseconds) / 2, "\(passed)")
    }

    @Test("steps show the very next frame and the one before, to the film's first and last (A8)")
    func steps() async throws {
        let short = try RawFilm.write(frames: 30, name: "short.avi", in: folder.url)
        let player = Player(PlayerItem(Asset(short)), options: options)
        let item = try #require(player.currentItem)
        player.actionAtItemEnd = .pause
        func place(_ frame: Int64) -> MediaTime { .milliseconds(40) * frame }
        #expect(await item.seek(to: place(10)))
        for (count, frame) in [(1, 11), (1, 12), (-3, 9), (20, 29), (-25, 4), (-25, 0), (2, 2)] as [(Int, Int64)] {
            #expect(await item.step(byCount: count), "\(count)")
            #expect(item.currentTime == place(frame) && player.timeControlStatus == .paused, "\(count)")
        }
        #expect(await item.seek(to: .zero))
        #expect(await !item.step(byCount: -1))
        #expect(item.currentTime == .zero)
        // Behind the last frame there is none, but the end is still reported.
        var ends = player.didPlayToEnd.makeAsyncIterator()
        player.play()
        #expect(await ends.next() === item)
        _ = await player.timeControlStatusUpdates.first { $0 == .paused }
        #expect(await !item.step(byCount: 1))
        #expect(await item.step(byCount: -1))
        #expect(item.currentTime == place(28))
        #expect(await item.step(byCount: 1))
        #expect(item.currentTime == place(29))
        player.play()
        #expect(await ends.next() === item)
        await player.close()
    }

    @Test("a queue goes on after a film that is none; what has failed says why (A13, T4)")
    func queue() async throws {
        let path = folder.url.appending(path: "broken.avi").path
        try Data("this is no film at all".utf8).write(to: URL(filePath: path))
        let short = try RawFilm.write(frames: 10, name: "short.avi", in: folder.url)
        let items = [short, path, "/no/such/film.avi", short].map { PlayerItem(Asset($0)) }
        let player = QueuePlayer(items, options: options)
        var (ends, failures) = (player.didPlayToEnd.makeAsyncIterator(), player.itemFailures.makeAsyncIterator())
        player.play()
        #expect(await ends.next() === items[0])
        let (first, second) = (await failures.next(), await failures.next())
        #expect(first?.item === items[1] && second?.item === items[2])
        guard case .notMedia(let circumstances)? = first?.error, case .noSuchFile? = second?.error else {
            Issue.record("\(first?.error.description ?? ""), \(second?.error.description ?? "")")
            return
        }
        #expect(circumstances.code?.domain == .stream)
        #expect(await ends.next() === items[3])
        _ = await player.timeControlStatusUpdates.first { $0 == .waiting(.noItemToPlay) }
        await player.close()
    }

    @Test("a queue is one however it was made: with one item, with none, with many (A13)", arguments: 0..<3)
    func initializers(way: Int) async throws {
        let short = try RawFilm.write(frames: 10, name: "short.avi", in: folder.url)
        let items = [short, short].map { PlayerItem(Asset($0)) }
        let player =
            switch way {
            case 0: QueuePlayer(options: options)
            case 1: QueuePlayer(items[0], options: options)
            default: QueuePlayer(items, options: options)
            }
        for item in items { player.insert(item) }
        #expect(player.actionAtItemEnd == .advance && player.items.map(\.asset.address) == [short, short])
        var ends = player.didPlayToEnd.makeAsyncIterator()
        player.play()
        #expect(await ends.next() === items[0])
        _ = await player.timeControlStatusUpdates.first { $0 == .waiting(.noItemToPlay) || $0 == .paused }
        #expect(player.timeControlStatus == .waiting(.noItemToPlay))
        await player.close()
    }

    @Test("a disk that does not answer holds up no other item, nor the end (T2)")
    func stuckDisk() async throws {
        let disk = Gate()
        disk.lock()
        let alarm = Task {
            try await Task.sleep(for: .seconds(30))
            disk.open()
        }
        let engine = PlayerLoop(options: options, log: Logger(label: "test")) { address throws(MediaFailure) in
            if address == "stuck.avi" { await disk.pass() }
            return try MediaLocation(address)
        }
        let player = Player(engine: engine, actionAtItemEnd: .rewind)
        let (stuck, item) = (PlayerItem(Asset("stuck.avi")), PlayerItem(Asset(film)))
        player.replaceCurrentItem(with: stuck)
        player.play()
        player.replaceCurrentItem(with: item)
        _ = await player.timeControlStatusUpdates.first { $0 == .playing }
        #expect(item.status == .readyToPlay && player.currentItem === item)
        player.replaceCurrentItem(with: stuck)
        await player.close()
        #expect(stuck.status == .unknown && disk.isLocked, "nobody has waited for it")
        alarm.cancel()
        disk.open()
    }

    @Test("an item that follows itself by being opened anew does so once a second, another one at once")
    func leastStay() async throws {
        let short = try RawFilm.write(frames: 1, name: "short.avi", in: folder.url)
        let engine = PlayerLoop(options: options, log: Logger(label: "test"))
        let (reported, continuation) = AsyncStream.makeStream(of: FilmNews.self)
        engine.attach { continuation.yield($0) }
        var news = reported.makeAsyncIterator()
        let start = MonotonicTime.now
        for (number, item) in ([1, 1, 2] as [UInt64]).enumerated() {
            let loadID = LoadID(number: UInt64(number) + 1)
            engine.loop.sync {
                engine.send(.open(loadID, ItemID(number: item), seek: nil), FilmRequest(address: short))
            }
            while let reported = await news.next() { if case .opened(loadID, _) = reported { break } }
            if number == 1 { #expect(MonotonicTime.now - start >= PlaybackMachine.leastStay) }
        }
        // A film that was never opened does not count.
        let again = MonotonicTime.now
        for number in UInt64(4)...13 {
            engine.loop.sync {
                engine.send(.open(LoadID(number: number), ItemID(number: 2), seek: nil), FilmRequest(address: short))
            }
        }
        while let reported = await news.next() { if case .opened(LoadID(number: 13), _) = reported { break } }
        #expect(MonotonicTime.now - again < .seconds(5))
        await engine.shutDown()
    }

    @Test("what a player has done is counted, until it is closed")
    func counts() async throws {
        let short = try RawFilm.write(frames: 10, name: "short.avi", in: folder.url)
        let items = [short, short].map { PlayerItem(Asset($0)) }
        let player = QueuePlayer(items, options: options)
        #expect(await player.diagnostics == PlayerDiagnostics())
        var ends = player.didPlayToEnd.makeAsyncIterator()
        player.play()
        #expect(await ends.next() === items[0])
        #expect(await ends.next() === items[1])
        _ = await player.timeControlStatusUpdates.first { $0 == .waiting(.noItemToPlay) }
        let diagnostics = await player.diagnostics
        #expect(diagnostics.ends == 2 && diagnostics.framesShown > 2 && diagnostics.rebuilds == 0)
        #expect(diagnostics.recentFrames.count == Int(diagnostics.framesShown))
        await player.close()
        #expect(await player.diagnostics == PlayerDiagnostics())
    }

    @Test("the next film is open before the one that plays has ended, and left where it does not follow any more (A13)")
    func preloading() async throws {
        let next = try RawFilm.write(frames: 10, name: "next.avi", in: folder.url)
        func isOpen() throws -> Bool {
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            return descriptors.contains {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == next
            }
        }
        func wait(until isOpenNow: Bool) async throws {
            while try isOpen() != isOpenNow { try await Task.sleep(for: .milliseconds(2)) }
        }
        let items = [film, next].map { PlayerItem(Asset($0)) }
        let player = QueuePlayer(items, options: options)
        var ends = player.didPlayToEnd.makeAsyncIterator()
        player.play()
        try await wait(until: true)
        #expect(player.currentItem === items[0] && items[1].status == .unknown)
        player.remove(items[1])
        try await wait(until: false)
        #expect(player.currentItem === items[0])
        player.insert(items[1])
        try await wait(until: true)
        #expect(player.currentItem === items[0])
        #expect(await ends.next() === items[0])
        #expect(await ends.next() === items[1])
        await player.close()
        #expect(try !isOpen())
    }

    /// The possible states of the queue: its films end and fail at any time, and move to its end then, so that it is
    /// one of several.
    struct QueueModel {
        private(set) var queues: Set<[Int]> = [[]]
        /// The film that cannot be opened.
        let broken: Int

        init(broken: Int) { self.broken = broken }

        mutating func insert(_ item: Int, after other: Int? = nil) {
            change { [broken] queue in
                guard !queue.contains(item) else { return [queue] }
                var longer = queue
                longer.insert(item, at: other.flatMap { queue.firstIndex(of: $0) }.map { $0 + 1 } ?? queue.count)
                // If only a failed one was left, it is removed.
                return queue.first == broken ? [longer, Array(longer.dropFirst())] : [longer]
            }
        }

        mutating func replace(_ item: Int) { change { [[item] + $0.dropFirst().filter { $0 != item }] } }
        mutating func remove(_ item: Int) { change { [$0.filter { $0 != item }] } }
        mutating func removeAll() { queues = [[]] }

        private mutating func change(_ body: ([Int]) -> [[Int]]) {
            var rotated: Set<[Int]> = []
            for queue in queues.flatMap(body) {
                rotated.insert(queue)
                for place in queue.indices { rotated.insert(Array(queue[place...] + queue[..<place])) }
            }
            queues = rotated
        }
    }

    /// The last request determines the final state; the queue is looped, so that it does not run out meanwhile.
    @Test("random calls end in the wanted state (T2)", arguments: [1, 2, 3] as [UInt64])
    func randomCalls(seed: UInt64) async throws {
        var random = SystemRandomNumberGenerator.seeded(seed)
        let text = "1\n00:00:00,000 --> 00:00:01,000\nHallo\n"
        try Data(text.utf8).write(to: folder.url.appending(path: "film.de.srt"))
        let player = QueuePlayer([], options: options)
        player.loop = .all
        let films = (0..<3).map { _ in PlayerItem(Asset(film)) }
        let items = films + [PlayerItem(Asset("/no/such/film.avi"))]
        var (rate, volume, choices) = (PlaybackRate.paused, 100, [TrackChoice](repeating: .automatic, count: 4))
        var queue = QueueModel(broken: 3)
        var isHeld = false
        for step in 0..<60 {
            let number = Int.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<17, using: &random) {
            case 0, 1: rate = .normal
            case 2:
                rate = .paused
                // A stop also goes back to the start.
                if Bool.random(using: &random) { player.core.jump(to: .zero) }
            case 3: rate = [0.5, 2, 4, -1, -4].randomElement(using: &random)!
            case 4, 5:
                player.insert(items[number])
                queue.insert(number)
            case 6:
                player.replaceCurrentItem(with: items[number])
                queue.replace(number)
            // From one of the possible states to another.
            case 7: player.advanceToNextItem()
            case 11:
                let other = Int.random(in: 0..<4, using: &random)
                player.insert(items[number], after: items[other])
                queue.insert(number, after: other)
            case 12:
                player.remove(items[number])
                queue.remove(number)
            // A finger, which may hold the film during other calls.
            case 14, 15:
                let time = MediaTime.milliseconds(Int64.random(in: 0..<4000, using: &random))
                switch (isHeld, Bool.random(using: &random)) {
                case (false, _):
                    player.beginScrubbing()
                    player.scrub(to: time)
                    isHeld = true
                case (true, true): player.scrub(to: time)
                case (true, false):
                    player.endScrubbing(at: Bool.random(using: &random) ? time : nil)
                    isHeld = false
                }
            case 13: await player.currentItem?.step(byCount: [1, -1, 3].randomElement(using: &random)!)
            case 8:
                let time = MediaTime.milliseconds(Int64.random(in: 0..<4000, using: &random))
                Task { [item = player.currentItem] in await item?.seek(to: time) }
            case 9:
                choices[number] = [.off, .track(0)].randomElement(using: &random)!
                items[number].choose(choices[number], of: .legible)
            case 10:
                volume = Int.random(in: 0...100, using: &random)
                player.volume = volume
            default:
                guard step < 50 else { break }
                player.removeAllItems()
                queue.removeAll()
            }
            player.rate = rate
            let now = player.items.map { item in items.firstIndex { $0 === item } ?? -1 }
            #expect(queue.queues.contains(now), "step \(step): \(now)")
            if Bool.random(using: &random) {
                try await Task.sleep(for: .milliseconds(Int64.random(in: 0..<60, using: &random)))
            }
        }
        if isHeld { player.endScrubbing(at: nil) }
        // In any state: a film that can be played.
        player.insert(films[0])
        // Backwards, a film that is opened is at its end at once.
        if rate.isReverse {
            rate = 0.5
            player.rate = rate
        }
        #expect(player.rate == rate && player.volume == volume)
        #expect(items.map { $0.choice(of: .legible) } == choices)
        func isThere() -> Bool {
            guard let item = player.currentItem, let number = items.firstIndex(where: { $0 === item }),
                let subtitles = item.mediaSelectionGroup(for: .legible), !subtitles.options.isEmpty
            else { return false }
            let isChosen =
                switch choices[number] {
                case .automatic: true
                case .off: subtitles.selectedOption == nil
                case .track(let place): subtitles.selectedOption == subtitles.options[place]
                }
            return isChosen && item.status == .readyToPlay && player.actualRate == rate
                && player.timeControlStatus == (rate.isPaused ? .paused : .playing)
        }
        while !isThere() { try await Task.sleep(for: .milliseconds(5)) }
        if rate.isPaused, let item = player.currentItem {
            #expect(await item.seek(to: .milliseconds(1480)))
            #expect(item.currentTime == .milliseconds(1480))
            player.beginScrubbing()
            player.play()
            while player.timeControlStatus != .waiting(.scrubbing) { try await Task.sleep(for: .milliseconds(5)) }
            player.endScrubbing(at: .milliseconds(2480))
            while player.timeControlStatus != .playing { try await Task.sleep(for: .milliseconds(5)) }
            #expect(item.currentTime >= .milliseconds(2480))
        } else if !rate.isPaused {
            var times = player.periodicTimes(every: .milliseconds(100)).makeAsyncIterator()
            let first = await times.next()
            while let time = await times.next(), time == first {}
        }
        await player.close()
    }
}

/// The same seed gives the same numbers (xorshift64*).
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}

extension SystemRandomNumberGenerator {
    fileprivate static func seeded(_ seed: UInt64) -> SeededGenerator {
        SeededGenerator(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
    }
}
