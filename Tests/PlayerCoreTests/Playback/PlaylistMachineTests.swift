import PlayerCore
import Testing

/// A playlist, whose items stay when others are played: the item that follows an end, and when.
@Suite("A playlist's machine (A5, A13, M9)")
struct PlaylistMachineTests {
    /// The first of two items has ended half a second after it was opened: the second one waits for its time.
    private func stageInPause(_ action: ActionAtQueueEnd = .pause) -> PlaybackStage {
        var stage = PlaybackStage(playlist: 2, action)
        stage.report(stage.engine.end())
        return stage
    }

    @Test func `nothing is opened before there is an engine, and then what was asked for last`() {
        let list = PlaybackQueue(keepsPlayed: true, actionAtQueueEnd: .pause)
        var machine = PlaybackMachine(playlist: list)
        let (first, second, now) = (ItemID(number: 1), ItemID(number: 2), MonotonicTime(nanoseconds: 0))
        for item in [first, second] { machine.adopt(item, PlaybackItem()) }
        _ = machine.rearrange(at: now) { list in
            for item in [first, second] { list.append(item) }
            list.play(first)
        }
        #expect(
            machine.handle(.command(.replaceCurrent(second)), at: now).allSatisfy {
                if case .film(.open) = $0 { false } else { true }
            })
        _ = machine.handle(.command(.seek(nil, nil, SeekTarget(.seconds(3)))), at: now)
        let opened = machine.handle(.command(.start), at: now).compactMap { output -> MediaTime? in
            guard case .film(.open(_, second, let seek)) = output else { return nil }
            return seek?.target.time
        }
        #expect(opened == [.seconds(3)])
    }

    @Test func `a brief item is followed no sooner than a second after it was opened`() {
        var stage = stageInPause()
        stage.pass(.milliseconds(10))
        let loads = stage.engine.loads.count
        stage.pass(PlaybackMachine.leastStay)
        #expect((loads, stage.engine.loads.count) == (1, 2))
        #expect(stage.machine.currentItem == ItemID(number: 2) && stage.isNextItem)
    }

    @Test func `where a seek in that pause comes to nothing the next one follows all the same`() {
        var stage = stageInPause()
        stage.command(.seek(nil, nil, SeekTarget(.seconds(2))))
        #expect(stage.machine.waitingItem == nil)
        stage.report(stage.engine.refuse())
        #expect(stage.machine.waitingItem == ItemID(number: 2))
        // If the seek leads elsewhere, the film continues from there.
        stage.command(.seek(nil, nil, SeekTarget(.seconds(2))))
        stage.pass(.seconds(5))
        #expect(stage.engine.loads.count == 1 && stage.machine.waitingItem == nil && !stage.machine.hasEnded)
    }

    @Test(arguments: [false, true])
    func `one that is taken out meanwhile does not follow, nor is the film played again`(isSought: Bool) {
        var stage = stageInPause()
        if isSought { stage.command(.seek(nil, nil, SeekTarget(.seconds(2)))) }
        stage.rearrange { $0.removeAll(but: $0.current) }
        if isSought { stage.report(stage.engine.refuse()) }
        #expect(stage.machine.waitingItem == nil && stage.machine.hasEnded && stage.machine.rate.isPaused)
        stage.pass(.seconds(5))
        #expect(stage.engine.loads.count == 1)
    }

    @Test func `one that comes instead follows`() {
        var stage = PlaybackStage(playlist: 3)
        stage.report(stage.engine.end())
        stage.command(.remove(ItemID(number: 2)))
        #expect(stage.machine.waitingItem == ItemID(number: 3))
    }

    @Test(arguments: ActionAtQueueEnd.allCases)
    func `what the last one's end is followed by`(action: ActionAtQueueEnd) {
        var stage = PlaybackStage(playlist: 1, action)
        stage.report(stage.engine.end())
        #expect(stage.machine.hasEnded && stage.machine.rate.isPaused)
        stage.settle()
        #expect(stage.machine.hasEnded, "until something leads elsewhere")
        #expect(stage.finishes == (action == .finish ? 1 : 0))
        #expect(stage.engine.seeks == (action == .rewind ? 1 : 0))
        #expect(stage.engine.film?.stopsAtEnd == (action == .pause ? 1 : 0))
        stage.command(.setPlaying(true))
        stage.settle()
        // An item that stands at its start already plays on from there.
        #expect(!stage.machine.hasEnded && stage.engine.seeks == 1)
    }

    @Test func `an item that does not find its start, and one that comes through a pipe`() {
        for isRepeatable in [true, false] {
            var stage = PlaybackStage(playlist: 1)
            stage.rearrange { $0.itemRepetition = .forever }
            if !isRepeatable {
                var item = PlaybackItem()
                item.isRepeatable = false
                stage.machine.adopt(ItemID(number: 1), item)
            }
            stage.pass(.seconds(2))
            guard let loadID = stage.engine.film?.loadID else { return }
            stage.report([.restartMissed(loadID)])
            #expect(stage.engine.loads.count == (isRepeatable ? 2 : 1))
            #expect(stage.machine.rate.isPaused != isRepeatable)
        }
    }

    @Test func `a rate is kept where it is paused, and a film that comes next begins at its start`() {
        var stage = PlaybackStage(playlist: 2)
        stage.command(.setPlaying(false))
        stage.command(.setDefaultRate(-2))
        #expect(stage.machine.rate.isPaused && stage.machine.defaultRate == -2)
        stage.command(.setPlaying(true))
        #expect(stage.machine.rate == -2)
        stage.command(.replaceCurrent(ItemID(number: 2)))
        #expect(stage.machine.rate == .normal && stage.machine.defaultRate == .normal)
    }

    /// Both of two items have failed, and the first one is to be tried again.
    private func stageOfFailures() -> PlaybackStage {
        var stage = PlaybackStage(playlist: 2, .finish)
        stage.rearrange { $0.repetition = .forever }
        for _ in 1...2 {
            stage.settle()
            stage.report(stage.engine.fail())
        }
        return stage
    }

    @Test func `what all failed is tried again from the first one, after a pause`() {
        var stage = stageOfFailures()
        #expect(stage.machine.waitingItem == ItemID(number: 1) && stage.finishes == 0)
        stage.pass(.milliseconds(900))
        #expect(stage.engine.loads.count == 2)
        stage.pass(.milliseconds(200))
        #expect(stage.engine.loads.count == 3 && stage.machine.currentItem == ItemID(number: 1))
    }

    @Test func `the playlist changes while it waits to be tried again`() {
        var stage = stageOfFailures()
        stage.command(.wait(for: ItemID(number: 1), .seconds(5)))
        #expect(stage.machine.currentItem == ItemID(number: 1))
        stage.rearrange { $0.removeAll(but: $0.current) }
        stage.command(.remove(ItemID(number: 2)))
        #expect(stage.machine.waitingItem == ItemID(number: 1), "it is what is waited for")
        stage.command(.wait(for: ItemID(number: 9), .seconds(1)))
        stage.pass(.seconds(6))
        #expect(stage.engine.loads.count == 3, "what is not in the playlist is not waited for")
    }

    @Test(arguments: ActionAtQueueEnd.allCases)
    func `without a repetition nothing is played any more`(action: ActionAtQueueEnd) {
        var stage = PlaybackStage(playlist: 1, action)
        stage.report(stage.engine.fail())
        #expect(stage.machine.currentItem == nil && stage.machine.queue.count == 1 && stage.machine.rate.isPaused)
        #expect(stage.finishes == (action == .finish ? 1 : 0))
    }

    @Test func `a rate that is set while somebody scrubs holds afterwards`() {
        var stage = PlaybackStage(playlist: 1)
        stage.command(.beginScrubbing)
        stage.command(.setDefaultRate(2))
        stage.command(.endScrubbing(at: nil))
        stage.settle()
        #expect(stage.engine.rate == 2)
    }

    @Test func `one that fails is followed by the next, and all of them by whoever looks after the playlist`() {
        var stage = PlaybackStage(playlist: 2)
        stage.report(stage.engine.fail())
        #expect(stage.machine.isOpening && stage.machine.currentItem == ItemID(number: 2))
        stage.settle()
        stage.report(stage.engine.fail())
        #expect(!stage.machine.isOpening && stage.machine.list.haveAllFailed)
        stage.command(.wait(for: ItemID(number: 1), .seconds(2)))
        stage.pass(.milliseconds(1_990))
        #expect(stage.engine.loads.count == 2)
        stage.pass(.milliseconds(20))
        #expect(stage.engine.loads.count == 3 && stage.machine.currentItem == ItemID(number: 1))
    }
}
