import Dispatch
import PlayerCore
import Synchronization
import Testing

@testable import Vitrine

@Suite("The library's player, on scripted media (A1 to A7, A13, T2, M6)", .timeLimit(.minutes(1)))
struct PlayerTests {
    let media = ScriptedMedia(broken: ["broken.mp4"])

    func player() -> Player { Player(engine: media, actionAtItemEnd: .rewind) }

    func queue() -> QueuePlayer { QueuePlayer(engine: media, actionAtItemEnd: .advance) }

    func item(_ address: String = "film.mp4") -> PlayerItem { PlayerItem(Asset(address)) }

    @Test("what is wanted is there at once, what is comes when it is so")
    func wantedAndActual() async {
        let player = player()
        media.hold()
        player.replaceCurrentItem(with: item())
        player.play()
        #expect(player.rate == 1 && player.timeControlStatus == .waiting(.opening))
        media.goOn()
        _ = await player.timeControlStatusUpdates.first { $0 == .playing }
        #expect(player.timeControlStatus == .playing && player.currentItem?.status == .readyToPlay)
        #expect(player.currentItem?.presentationSize == .init(width: 640, height: 360))
        media.hold()
        player.pause()
        #expect(player.rate == .paused && player.timeControlStatus == .playing)
        media.goOn()
        _ = await player.timeControlStatusUpdates.first { $0 == .paused }
    }

    @Test("a step answers whether there is another frame, and pauses (A8); in no player there is none")
    func steps() async {
        let (player, item) = (player(), item())
        #expect(await !item.step(byCount: 1))
        player.replaceCurrentItem(with: item)
        player.play()
        _ = await player.timeControlStatusUpdates.first { $0 == .playing }
        #expect(await item.step(byCount: 2))
        #expect(player.rate == .paused && item.currentTime == .milliseconds(80))
        #expect(await !item.step(byCount: -1))
        media.hold()
        let waiting = Task { await item.step(byCount: 1) }
        while media.commands.last?.isStep(by: 1) != true { await Task.yield() }
        waiting.cancel()
        #expect(await !waiting.value, "who is cancelled waits no longer")
    }

    @Test("calls from many threads at once end where the last one says (T2)")
    func manyThreads() async {
        let player = queue()
        let items = (0..<8).map { item("\($0).mp4") }
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    for round in 0..<50 {
                        switch (number + round) % 6 {
                        case 0: player.play()
                        case 1: player.pause()
                        case 2: player.insert(items[(number + round) % 8])
                        case 3: player.remove(items[round % 8])
                        case 4: player.replaceCurrentItem(with: items[number])
                        default: await items[number].seek(to: .seconds(Int64(round)))
                        }
                    }
                }
            }
            // A seek in an item without a player waits until it has one.
            group.addTask {
                while !Task.isCancelled {
                    for item in items { item.cancelPendingSeeks() }
                    try? await Task.sleep(for: .milliseconds(5))
                }
            }
            for _ in 0..<8 { await group.next() }
            group.cancelAll()
        }
        player.removeAllItems()
        player.insert(items[3])
        player.rate = 2
        // The previous item may still play at first.
        _ = await player.timeControlStatusUpdates.first {
            $0 == .playing && media.rate == 2 && media.addresses.last == "3.mp4"
        }
        #expect(player.items.map(\.asset.address) == ["3.mp4"])
    }

    @Test("each observer gets each change once and in order")
    func observers() async {
        let player = player()
        let streams = (0..<5).map { _ in player.rateUpdates }
        for round in Int32(1)...200 { player.rate = PlaybackRate(thousandths: 1000 + round) }
        await player.close()
        for stream in streams {
            var reported: [PlaybackRate] = []
            for await rate in stream { reported.append(rate) }
            #expect(reported == [.paused] + (Int32(1)...200).map { PlaybackRate(thousandths: 1000 + $0) })
        }
    }

    @Test("an observer that never reads holds nobody up; the newest 1,024 changes wait for it")
    func slowObserver() async {
        let player = player()
        let slow = player.rateUpdates
        for round in Int32(1)...2000 { player.rate = PlaybackRate(thousandths: 1000 + round) }
        #expect(player.rate == PlaybackRate(thousandths: 3000))
        await player.close()
        var reported: [PlaybackRate] = []
        for await rate in slow { reported.append(rate) }
        #expect(reported == (Int32(977)...2000).map { PlaybackRate(thousandths: 1000 + $0) })
    }

    @Test("buffered ranges are reported, with the gap that a seek leaves (A1)")
    func bufferedRanges() async {
        let player = player()
        let item = item()
        player.replaceCurrentItem(with: item)
        _ = await item.statusUpdates.first { $0 == .readyToPlay }
        let ranges = [MediaTime.zero...MediaTime.seconds(5), MediaTime.seconds(30)...MediaTime.seconds(40)]
        media.happen { .buffered($0, ranges) }
        #expect(await item.bufferedRangeUpdates.first { !$0.isEmpty } == ranges)
        #expect(item.bufferedRanges == ranges)
    }

    @Test("messages for the viewer are reported, each change once (T2)")
    func messages() async {
        let player = player()
        let messages = player.messages
        player.replaceCurrentItem(with: item())
        _ = await player.currentItem?.statusUpdates.first { $0 == .readyToPlay }
        for text in ["No connection", "No connection", nil] { media.happen { _ in .message(text) } }
        await playAndClose(player)
        var reported: [String?] = []
        for await text in messages { reported.append(text) }
        #expect(reported == [nil, "No connection", nil])
    }

    @Test("buffering is reported in per cent of what is needed to go on, each change once; all of it is nil (M10)")
    func buffering() async {
        let player = player()
        let bufferings = player.bufferingUpdates
        player.replaceCurrentItem(with: item())
        _ = await player.currentItem?.statusUpdates.first { $0 == .readyToPlay }
        for percent in [20, 20, 60, 100] { media.happen { .buffering($0, percent: percent) } }
        await playAndClose(player)
        var reported: [Int?] = []
        for await percent in bufferings { reported.append(percent) }
        #expect(reported == [nil, 20, 60, nil])
    }

    /// Earlier reports of the engine have arrived by then, because reports keep their order.
    private func playAndClose(_ player: Player) async {
        player.play()
        _ = await player.timeControlStatusUpdates.first { $0 == .playing }
        await player.close()
    }

    @Test("an item's status is unknown, then ready to play or failed with why; tried again, unknown at first (A2)")
    func statuses() async {
        let player = player()
        let (item, broken) = (item(), item("broken.mp4"))
        let (statuses, failing) = (item.statusUpdates, broken.statusUpdates)
        player.replaceCurrentItem(with: item)
        var reported: [PlayerItem.Status] = []
        for await status in statuses {
            reported.append(status)
            if status != .unknown { break }
        }
        #expect(reported == [.unknown, .readyToPlay] && item.status == .readyToPlay)
        var failures: [PlayerItem.Status] = []
        player.replaceCurrentItem(with: broken)
        for await status in failing {
            failures.append(status)
            if failures.count == 2 { player.replaceCurrentItem(with: broken) }
            if failures.count == 4 { break }
        }
        let circumstances = PlayerError.Circumstances(
            attempt: .play, address: "broken.mp4", text: "it is broken",
            userMessage: "broken: The film is damaged. Copy it again.",
            code: GStreamerCode(domain: .stream, number: 7))
        let failed = PlayerItem.Status.failed(.damaged(circumstances))
        #expect(failures == [.unknown, failed, .unknown, failed] && broken.status == failed)
    }

    @Test("a seek is false when a newer one took its place, and true when its frame is there")
    func seeks() async {
        let player = player()
        let item = item()
        media.hold()
        player.replaceCurrentItem(with: item)
        let first = Task { await item.seek(to: .seconds(5)) }
        while item.currentTime != .seconds(5) { await Task.yield() }
        let second = Task { await item.seek(to: .seconds(9)) }
        #expect(await first.value == false)
        media.goOn()
        #expect(await second.value == true)
        #expect(item.currentTime == .seconds(9) && player.currentTime == .seconds(9))
    }

    @Test("the tolerances of a seek are the film's to judge (M6)")
    func tolerances() async {
        let player = player()
        player.replaceCurrentItem(with: item())
        _ = await player.currentItem?.statusUpdates.first { $0 == .readyToPlay }
        await player.seek(to: .seconds(1))
        await player.seek(to: .seconds(2), toleranceBefore: .seconds(5), toleranceAfter: .seconds(6))
        await player.seek(to: .seconds(3), toleranceBefore: .unlimited, toleranceAfter: .zero)
        let seeks = media.commands.compactMap { if case .seek(_, let seek) = $0 { seek.target } else { nil } }
        let finite = SeekTolerance(before: .seconds(5), after: .seconds(6))
        #expect(seeks.map(\.tolerance) == [.exact, finite, .keyFrameBefore])
    }

    @Test("a seek of an item in no player is remembered; cancelled it is false, and forgotten")
    func remembered() async {
        let player = player()
        let item = item()
        let cancelled = Task { await item.seek(to: .seconds(5)) }
        while item.currentTime != .seconds(5) { await Task.yield() }
        cancelled.cancel()
        #expect(await cancelled.value == false)
        #expect(item.currentTime == .zero)
        let forgotten = Task { await item.seek(to: .seconds(6)) }
        while item.currentTime != .seconds(6) { await Task.yield() }
        item.cancelPendingSeeks()
        #expect(await forgotten.value == false)
        let kept = Task { await item.seek(to: .seconds(7)) }
        while item.currentTime != .seconds(7) { await Task.yield() }
        player.replaceCurrentItem(with: item)
        #expect(await kept.value == true)
        #expect(await player.seek(to: .seconds(8)))
    }

    @Test("an item belongs to one player; what was chosen of it goes with it")
    func oneOwner() async {
        let (one, other) = (queue(), Player(engine: ScriptedMedia(), actionAtItemEnd: .rewind))
        let item = item()
        one.insert(item)
        item.choose(.track(1), of: .audible)
        let seek = Task { await item.seek(to: .seconds(4)) }
        _ = await seek.value
        other.replaceCurrentItem(with: item)
        #expect(one.items.isEmpty && other.currentItem === item)
        #expect(item.choice(of: .audible) == .track(1))
        _ = await item.statusUpdates.first { $0 == .readyToPlay }
        other.replaceCurrentItem(with: nil)
        #expect(await item.seek(to: .seconds(3), within: other) == nil, "in no player it waits")
    }

    @Test("a player's late report of an item does not reach the player that has the item by now")
    func lateNews() async {
        let (one, other) = (player(), Player(engine: ScriptedMedia(), actionAtItemEnd: .rewind))
        let item = item()
        let statuses = item.statusUpdates
        one.core.outbox.suspend()
        one.replaceCurrentItem(with: item)
        one.core.outbox.resume()
        _ = await item.statusUpdates.first { $0 == .readyToPlay }
        one.core.outbox.suspend()
        // Known to the player, and not reported yet.
        media.happen { .failed($0, MediaFailure(reason: .broken, message: "it broke")) }
        while item.status == .readyToPlay, !Task.isCancelled { await Task.yield() }
        other.replaceCurrentItem(with: item)
        _ = await item.statusUpdates.first { $0 == .readyToPlay }
        one.core.outbox.resume()
        await one.close()
        #expect(item.status == .readyToPlay)
        #expect(await item.statusUpdates.first { _ in true } == .readyToPlay, "the last one reported")
        await other.close()
        var reported: [String] = []
        for await status in statuses {
            switch status {
            case .unknown: reported.append("unknown")
            case .readyToPlay: reported.append("ready")
            case .failed: reported.append("failed")
            }
            if reported.count == 5 { break }
        }
        #expect(reported == ["unknown", "ready", "failed", "unknown", "ready"])
    }

    @Test("did-play-to-end is reported once for each end, failures once for each item (A5, T4)")
    func endsAndFailures() async {
        let player = queue()
        let items = [item("1.mp4"), item("broken.mp4"), item("3.mp4")]
        let (ends, failures, current) = (player.didPlayToEnd, player.itemFailures, player.currentItemUpdates)
        for item in items { player.insert(item) }
        player.play()
        _ = await player.timeControlStatusUpdates.first { $0 == .playing }
        media.happen { .ended($0, isLooping: false) }
        _ = await current.first { $0 === items[2] }
        _ = await player.timeControlStatusUpdates.first { $0 == .playing }
        media.happen { .ended($0, isLooping: false) }
        _ = await player.timeControlStatusUpdates.first { $0 == .waiting(.noItemToPlay) }
        await player.close()
        var ended: [String] = []
        for await item in ends { ended.append(item.asset.address) }
        #expect(ended == ["1.mp4", "3.mp4"])
        var failed: [PlayerError] = []
        for await failure in failures { failed.append(failure.error) }
        #expect(failed.map(\.circumstances.address) == ["broken.mp4"])
        #expect(failed.first?.circumstances.code == GStreamerCode(domain: .stream, number: 7))
        guard case .failed(.damaged(let circumstances)) = items[1].status else {
            Issue.record("it is \(items[1].status)")
            return
        }
        #expect(circumstances.attempt == .play && circumstances.text == "it is broken")
    }

    @Test("time observers are called where they say, as long as their token is kept (A4)")
    func timeObservers() async {
        let player = player()
        let (reported, continuation) = AsyncStream.makeStream(of: MediaTime.self)
        let (bounds, bound) = AsyncStream.makeStream(of: MediaTime.self)
        player.replaceCurrentItem(with: item())
        var token: TimeObserver? = player.addPeriodicTimeObserver(forInterval: .milliseconds(40)) { @MainActor time in
            MainActor.assertIsolated()
            continuation.yield(time)
        }
        let boundary = player.addBoundaryTimeObserver(forTimes: [.milliseconds(100)]) { @MainActor time in
            MainActor.assertIsolated()
            bound.yield(time)
        }
        player.play()
        _ = await reported.first { $0 >= .milliseconds(80) }
        _ = await bounds.first { $0 == .milliseconds(100) }
        boundary.cancel()
        token = nil
        _ = token
        _ = await player.periodicTimes(every: .milliseconds(20)).first { $0 >= .milliseconds(300) }
        continuation.finish()
        bound.finish()
        for await time in reported { #expect(time < .milliseconds(300), "an observer that has left is not called") }
        for await _ in bounds { Issue.record("a cancelled observer was called") }
        // Nobody waits for their times any more, either.
        var areLeft = true
        while areLeft, !Task.isCancelled {
            areLeft = player.core.read(\.deadline) != nil || !player.core.state.withLock { $0.observers.isEmpty }
            try? await Task.sleep(for: .milliseconds(5))
        }
        #expect(!areLeft)
    }

    @Test("closed, a player answers whoever waits, ends all sequences and lets go of its engine")
    func closing() async {
        let player = player()
        let item = item()
        let statuses = player.timeControlStatusUpdates
        let times = player.periodicTimes(every: .seconds(1))
        media.hold()
        player.replaceCurrentItem(with: item)
        let seek = Task { await item.seek(to: .seconds(5)) }
        while item.currentTime != .seconds(5) { await Task.yield() }
        await player.close()
        #expect(await seek.value == false)
        for await _ in statuses {}
        for await _ in times {}
        #expect(media.isShutDown && player.currentItem == nil)
        player.play()
        player.replaceCurrentItem(with: item)
        #expect(player.currentItem == nil, "it does nothing more")
        for await _ in player.didPlayToEnd {}
    }

    @Test("a player that was closed takes no item: a seek in it is remembered, and can be cancelled")
    func seekAfterClosing() async {
        let (closed, open) = (player(), Player(engine: ScriptedMedia(), actionAtItemEnd: .rewind))
        let (item, other) = (item(), item())
        open.replaceCurrentItem(with: other)
        await closed.close()
        closed.replaceCurrentItem(with: item)
        #expect(await item.answerOfCancelledSeek() == false)
        closed.replaceCurrentItem(with: other)
        #expect(open.currentItem === other && closed.currentItem == nil)
    }

    @Test("a seek that comes while a player is being closed is remembered, and can be cancelled")
    func seekWhileClosing() async {
        let player = player()
        let item = item()
        player.replaceCurrentItem(with: item)
        // The work that closing leaves to the queue waits.
        player.core.outbox.suspend()
        let closing = Task { await player.close() }
        while !player.core.isShutDown { await Task.yield() }
        item.choose(.track(1), of: .audible)
        #expect(await item.answerOfCancelledSeek() == false)
        player.core.outbox.resume()
        await closing.value
        #expect(item.choice(of: .audible) == .track(1))
        #expect(await item.answerOfCancelledSeek() == false)
    }

    @Test("whoever closes it a second time waits, too, until its engine has let go")
    func closingTwice() async {
        let player = player()
        media.end.lock()
        let first = Task { await player.close() }
        while !media.isShutDown { await Task.yield() }
        let second = Task {
            await player.close()
            return media.isGone
        }
        for _ in 0..<1000 { await Task.yield() }
        media.end.open()
        #expect(await second.value)
        await first.value
    }

    @Test("media info and size are nil again while an item is reopened, and each change is reported once")
    func mediaInfo() async {
        let player = queue()
        let items = [item("1.mp4"), item("2.mp4")]
        for item in items { player.insert(item) }
        player.loop = .all
        _ = await items[0].statusUpdates.first { $0 == .readyToPlay }
        let (mediaInfo, sizes) = (items[0].mediaInfoUpdates, items[0].presentationSizeUpdates)
        for _ in 0..<2 { player.advanceToNextItem() }
        var (durations, reported): ([MediaTime?], [PlayerItem.Size?]) = ([], [])
        for await mediaInfo in mediaInfo {
            durations.append(mediaInfo?.duration)
            if durations.count == 3 {
                media.happen { .mediaInfo($0, MediaInfo(duration: .seconds(61), width: 640, height: 360)) }
            }
            if durations.count == 4 { break }
        }
        for await size in sizes {
            reported.append(size)
            if reported.count == 3 { break }
        }
        await player.close()
        #expect(durations == [.seconds(60), nil, .seconds(60), .seconds(61)])
        #expect(reported == [.init(width: 640, height: 360), nil, .init(width: 640, height: 360)])
    }

    @Test("a player that nobody keeps lets go of its engine by itself (T8)")
    func letGo() async {
        let media = ScriptedMedia()
        weak var item: PlayerItem?
        let news: AsyncStream<PlayerItem?>
        do {
            let player = Player(engine: media, actionAtItemEnd: .rewind)
            let made = self.item()
            item = made
            news = player.currentItemUpdates
            player.replaceCurrentItem(with: made)
            player.play()
        }
        for await _ in news {}
        while !media.isShutDown { await Task.yield() }
        for _ in 0..<1000 where item != nil { try? await Task.sleep(for: .milliseconds(1)) }
        #expect(item == nil)
    }

    @Test("whoever is cancelled while an item notifies its followers may call the item (T2)")
    func cancelledFollowers() async {
        let player = player()
        let item = item()
        player.replaceCurrentItem(with: item)
        _ = await item.statusUpdates.first { $0 == .readyToPlay }
        // Holds the seeks that follow.
        media.hold()
        let notifications = Notifications(of: item, by: player.core)
        notifications.begin()
        // Swift calls a cancellation handler under a lock of the task, which the task's resumption takes, too.
        let rounds = Task {
            for round in 0..<3000 {
                let (begun, begin) = AsyncStream.makeStream(of: Void.self)
                let task = Task {
                    if round.isMultiple(of: 2) {
                        begin.yield()
                        await item.seek(to: .seconds(5))
                    } else {
                        await withTaskCancellationHandler {
                            for await _ in item.bufferedRangeUpdates { begin.yield() }
                        } onCancel: {
                            item.cancelPendingSeeks()
                        }
                    }
                }
                for await _ in begun { break }
                // Not on one of the threads that tasks run on: a deadlock would take it away from the rest.
                await runBlocking { task.cancel() }
                await task.value
            }
        }
        #expect(await rounds.isOver(within: .seconds(20)), "it is deadlocked")
        notifications.end()
    }

    @Test("volume and mute are wanted at once, and reach the engine")
    func loudness() async {
        let player = player()
        player.volume = 140
        player.isMuted = true
        #expect(player.volume == 100 && player.isMuted)
        let (volumes, mutings) = (player.volumeUpdates, player.isMutedUpdates)
        player.volume = 30
        await player.close()
        var (heard, muted): ([Int], [Bool]) = ([], [])
        for await volume in volumes { heard.append(volume) }
        for await isMuted in mutings { muted.append(isMuted) }
        #expect(heard.suffix(2) == [100, 30] && muted.last == true && muted.count <= 2)
        let reported = media.commands.compactMap { if case .setLoudness(let loudness) = $0 { loudness } else { nil } }
        #expect(reported == [Loudness(percent: 100, isMuted: true), Loudness(percent: 30, isMuted: true)])
    }

    @Test("the options' volume is what a player begins with")
    func firstVolume() async {
        var options = PlayerOptions()
        options.volume = 40
        let player = Player(engine: media, actionAtItemEnd: .rewind, options: options)
        #expect(player.volume == 40 && !player.isMuted)
        player.isMuted = true
        await player.close()
        let reported = media.commands.compactMap { if case .setLoudness(let loudness) = $0 { loudness } else { nil } }
        #expect(reported == [Loudness(percent: 40, isMuted: true)])
    }
}

extension PlayerItem {
    /// `nil` if there is no answer within ten seconds.
    fileprivate func answerOfCancelledSeek() async -> Bool? {
        let answers = AsyncStream.makeStream(of: Bool?.self)
        let seek = Task { answers.continuation.yield(await self.seek(to: .seconds(5))) }
        let limit = Task {
            try await Task.sleep(for: .seconds(10))
            answers.continuation.yield(nil)
        }
        for _ in 0..<1000 where currentTime != .seconds(5) { await Task.yield() }
        seek.cancel()
        defer { limit.cancel() }
        return await answers.stream.first { _ in true } ?? nil
    }

    /// Whether a seek was answered before the player has nothing more to do; `nil` if it still waits.
    fileprivate func seek(to time: MediaTime, within player: Player) async -> Bool? {
        let answer = Mutex<Bool?>(nil)
        let task = Task {
            let isThere = await seek(to: time)
            if !Task.isCancelled { answer.withLock { $0 = isThere } }
        }
        while currentTime != time { await Task.yield() }
        await player.close()
        let given = answer.withLock { $0 }
        task.cancel()
        await task.value
        return given
    }
}

extension FilmCommand {
    fileprivate func isStep(by count: Int) -> Bool {
        if case .step(_, _, count) = self { true } else { false }
    }
}

/// Notifies an item's followers again and again, where its player does.
private final class Notifications: Sendable {
    private let item: PlayerItem
    private let core: PlaybackCore
    private let isOver = Atomic(false)

    init(of item: PlayerItem, by core: PlaybackCore) {
        self.item = item
        self.core = core
    }

    func begin(_ number: Int64 = 1) {
        core.outbox.async { [self] in
            item.report(.buffered([.zero ... .milliseconds(number)]), by: core)
            if !isOver.load(ordering: .relaxed) { begin(number + 1) }
        }
    }

    func end() { isOver.store(true, ordering: .relaxed) }
}
