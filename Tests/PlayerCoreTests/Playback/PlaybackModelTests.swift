import PlayerCore
import Testing

@Suite("Calls at any moment end in the wanted state (T2, M6, M7, M8, A1)")
struct PlaybackModelTests {
    /// What a caller believes, without any of the machine's care.
    struct Model {
        var queue: [ItemID] = []
        var rate = PlaybackRate.paused
        var failed: Set<ItemID> = []
        var action: ActionAtItemEnd
        var loop = QueueLoop.off
        /// The newest seek of the current item, until it is left.
        var target: MediaTime?
    }

    @Test("random calls and errors, on media that take their time", arguments: 1...400 as ClosedRange<UInt64>)
    func randomCalls(seed: UInt64) {
        var random = ScrubRandom(seed: seed)
        let action = random.pick(ActionAtItemEnd.allCases)
        var stage = PlaybackStage(seed: seed &* 31, action: action)
        let items = stage.makeItems(4)
        if random.oneIn(3) { stage.engine.broken = [random.pick(items)] }
        var model = Model(action: action)
        var seeks: [SeekID] = []
        for step in 0..<60 {
            switch random.below(13) {
            case 0, 1:
                let rate = random.pick([1, 1, 2, 0.25, -1] as [PlaybackRate])
                stage.command(.setRate(rate))
                model.rate = rate
            case 2, 3:
                stage.command(.setRate(.paused))
                model.rate = .paused
            case 4, 5, 6:
                let (id, time) = (SeekID(number: UInt64(step)), MediaTime.seconds(random.below(90)))
                guard let item = stage.machine.currentItem else { continue }
                seeks.append(id)
                stage.command(.seek(id, item, SeekTarget(time)))
            case 7: stage.command(.replaceCurrent(random.oneIn(6) ? nil : random.pick(items)))
            case 8:
                let other = random.pick(items)
                stage.command(.insert(random.pick(items), after: random.oneIn(2) ? other : nil))
            case 9:
                if random.oneIn(2) { stage.command(.remove(random.pick(items))) } else { stage.command(.advance) }
            case 10:
                let loop = random.pick(QueueLoop.allCases)
                stage.command(.setLoop(loop))
            case 11:
                if random.oneIn(3) {
                    stage.tell(stage.engine.fail())
                } else if let item = stage.machine.currentItem {
                    stage.command(.choose(item, .audible, .track(Int(random.below(3)))))
                    stage.command(.cancelSeeks(item, only: nil))
                }
            default: break
            }
            if random.oneIn(2) { stage.pass(.milliseconds(random.below(300))) }
            #expect(stage.mistakes.isEmpty, "seed \(seed), step \(step)")
        }
        stage.settle()
        checkWanted(stage, model, seed)
        checkTold(stage, seeks, seed)
    }

    /// What was wanted is what the engine does.
    private func checkWanted(_ stage: PlaybackStage, _ model: Model, _ seed: UInt64) {
        let machine = stage.machine
        #expect(machine.rate == model.rate, "seed \(seed): the wanted rate is the last one asked for")
        guard let id = machine.currentItem else {
            #expect(stage.engine.film == nil, "seed \(seed): nothing is wanted, nothing is open")
            #expect(machine.status == (model.rate.isPaused ? .paused : .waiting(.noItemToPlay)), "seed \(seed)")
            return
        }
        if case .failed? = machine.items[id]?.status {
            #expect(stage.engine.film == nil, "seed \(seed): what has failed is closed")
            return
        }
        #expect(stage.engine.film?.item == id, "seed \(seed): the first item of the queue is open")
        #expect(stage.engine.film?.isOpen == true && machine.items[id]?.status == .readyToPlay, "seed \(seed)")
        #expect(stage.engine.film?.rate == model.rate && machine.actualRate == model.rate, "seed \(seed)")
        #expect(machine.status == (model.rate.isPaused ? .paused : .playing), "seed \(seed)")
        let isLooping = machine.loop == .one || machine.loop == .all && machine.queue.count == 1
        #expect(stage.engine.isLooping == isLooping, "seed \(seed): the engine knows what the end will bring")
        let position = stage.engine.film?.position ?? .zero
        let shown = machine.items[id]?.time(at: stage.now) ?? .zero
        #expect(shown.distance(to: position) <= .milliseconds(20), "seed \(seed): \(shown) is told, \(position) is")
    }

    /// Whoever waits is answered once; each change is told once.
    private func checkTold(_ stage: PlaybackStage, _ seeks: [SeekID], _ seed: UInt64) {
        for seek in seeks {
            #expect(stage.answers[seek]?.count == 1, "seed \(seed): seek \(seek.number) is answered once")
        }
        for (one, next) in zip(stage.statuses, stage.statuses.dropFirst()) { #expect(one != next, "seed \(seed)") }
        for (one, next) in zip(stage.rates, stage.rates.dropFirst()) { #expect(one != next, "seed \(seed)") }
        for (one, next) in zip(stage.currentItems, stage.currentItems.dropFirst()) {
            #expect(one != next, "seed \(seed)")
        }
        for statuses in stage.itemStatuses.values {
            for (one, next) in zip(statuses, statuses.dropFirst()) { #expect(one != next, "seed \(seed)") }
        }
        #expect(stage.statuses.last == stage.machine.status && stage.currentItems.last == stage.machine.currentItem)
    }

    @Test("the last of many seeks is where the film ends up, and alone is answered with true", arguments: [1, 2, 3])
    func lastSeekWins(seed: UInt64) {
        var stage = PlaybackStage(seed: seed)
        let item = stage.makeItems(1)[0]
        stage.command(.replaceCurrent(item))
        for number in UInt64(0)..<20 {
            stage.command(.seek(SeekID(number: number), item, SeekTarget(.seconds(Int64(number)))))
            if number % 3 == 0 { stage.pass(.milliseconds(15)) }
        }
        stage.settle()
        #expect(stage.answers[SeekID(number: 19)] == [true] && stage.engine.film?.position == .seconds(19))
        for number in UInt64(0)..<19 where stage.answers[SeekID(number: number)] != [false] {
            // One that was done before the next was asked for.
            #expect(stage.answers[SeekID(number: number)] == [true])
        }
    }
}
