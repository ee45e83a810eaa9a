import PlayerCore
import Testing

@Suite("Calls at any moment end in the wanted state (T2, M6, M7, M8, A1)")
struct PlaybackModelTests {
    /// An event in a run besides its calls, after this step.
    enum Blow: Hashable, CaseIterable {
        case end, error, finger, idleFinger, starvation, rebuild, refusal

        func befall(_ engine: inout ScriptedEngine) -> [FilmNews] {
            switch self {
            case .end: engine.end()
            case .error: engine.fail()
            case .finger: engine.touch()
            case .idleFinger: engine.touch(isMoving: false)
            case .starvation: engine.starve()
            case .rebuild: engine.rebuild()
            case .refusal: engine.refuse()
            }
        }

        /// Once in so many steps.
        var rarity: UInt64 {
            switch self {
            case .end: 4
            case .error, .finger, .idleFinger, .starvation, .refusal: 8
            case .rebuild: 16
            }
        }
    }

    @Test("random calls and blows, on media that take their time", arguments: 1...600 as ClosedRange<UInt64>)
    func randomCalls(seed: UInt64) { run(seed, steps: 60) }

    @Test("each blow after every step", arguments: 1...12 as ClosedRange<UInt64>)
    func everyStep(seed: UInt64) {
        for step in 0..<40 {
            for blow in Blow.allCases { run(seed, steps: 40, blow, after: step) }
        }
    }

    private func run(_ seed: UInt64, steps: Int, _ blow: Blow? = nil, after chosen: Int = -1) {
        var random = ScrubRandom(seed: seed)
        let action = random.pick(ActionAtItemEnd.allCases)
        var stage = PlaybackStage(seed: seed &* 31, action: action)
        let items = stage.makeItems(4)
        if random.oneIn(3) { stage.engine.broken = [random.pick(items)] }
        stage.engine.isSeekable = !random.oneIn(5)
        stage.engine.refusesReverse = random.oneIn(3)
        var model = PlaybackModel(
            action: action, isSeekable: stage.engine.isSeekable, refusesReverse: stage.engine.refusesReverse)
        var seeks: [SeekID] = []
        var heard = 0
        func listen() {
            // At the earliest, an event happened when the reports were last read.
            for news in stage.heard[heard...] { model.hear(news) }
            heard = stage.heard.count
            model.now = stage.now
        }
        for step in 0..<steps {
            model.now = stage.now
            call(UInt64(step), &stage, &model, &seeks, items, &random)
            for each in Blow.allCases {
                // If one blow is under test, the others are rare.
                if random.oneIn(blow == nil ? each.rarity : 4 * each.rarity) {
                    stage.report(each.befall(&stage.engine))
                }
                listen()
            }
            if step == chosen, let blow { stage.report(blow.befall(&stage.engine)) }
            listen()
            if random.oneIn(2) { stage.pass(.milliseconds(random.below(300))) }
            listen()
            if random.oneIn(6) {
                stage.settle()
                listen()
                checkWanted(stage, model, "seed \(seed), step \(step)")
            }
            #expect(stage.mistakes.isEmpty, "seed \(seed), step \(step)")
            #expect(stage.machine.queue == model.list, "seed \(seed), step \(step): the queue")
            #expect(stage.machine.rate == model.rate, "seed \(seed), step \(step): the wanted rate")
            #expect(stage.engine.loads.count == model.loads, "seed \(seed), step \(step): opened as often")
            #expect(stage.ends.count == model.ends, "seed \(seed), step \(step): each end is reported once")
            guard stage.machine.queue == model.list, stage.engine.loads.count == model.loads else { return }
        }
        stage.settle()
        listen()
        checkWanted(stage, model, "seed \(seed), \(blow.map { "\($0)" } ?? "blows") after step \(chosen)")
        checkReported(stage, seeks, seed)
    }

    private func call(
        _ number: UInt64, _ stage: inout PlaybackStage, _ model: inout PlaybackModel, _ seeks: inout [SeekID],
        _ items: [ItemID], _ random: inout ScrubRandom
    ) {
        // A finger that scrubs seldom does anything else.
        switch model.isScrubbing && random.oneIn(2) ? 17 + random.below(2) : random.below(21) {
        case 0, 1:
            let rate = random.pick([1, 1, 2, 0.25, -1] as [PlaybackRate])
            stage.command(.setRate(rate))
            model.setRate(rate)
        case 2, 3:
            stage.command(.setRate(.paused))
            model.setRate(.paused)
            // A stop also goes back to the start, without a waiting caller.
            guard random.oneIn(3) else { return }
            stage.command(.seek(nil, nil, SeekTarget(.zero)))
            model.seek(to: .zero)
        case 4, 5, 6:
            let (id, time) = (SeekID(number: number), MediaTime.seconds(random.below(90)))
            guard let item = model.list.first else { return }
            seeks.append(id)
            stage.command(.seek(id, item, SeekTarget(time)))
            model.seek(to: time)
        case 7:
            let item = random.oneIn(6) ? nil : random.pick(items)
            stage.command(.replaceCurrent(item))
            model.replace(item)
        case 8, 9:
            let (item, other) = (random.pick(items), random.oneIn(2) ? random.pick(items) : nil)
            stage.command(.insert(item, after: other))
            model.insert(item, after: other)
        case 10:
            let item = random.pick(items)
            stage.command(.remove(item))
            model.remove(item)
        case 11:
            stage.command(.advance)
            model.advance()
        case 12:
            model.loop = random.pick(QueueLoop.allCases)
            stage.command(.setLoop(model.loop))
        case 13:
            model.action = random.pick(ActionAtItemEnd.allCases)
            stage.command(.setActionAtItemEnd(model.action))
        case 14:
            let (item, choice) = (
                random.pick(items), random.pick([.automatic, .off, .track(0), .track(2)] as [TrackChoice])
            )
            stage.command(.choose(item, .audible, choice))
            model.choose(choice, of: item)
        case 15:
            let preference = random.pick(
                [.any, .none, .languages(LanguageTag("fr").map { [$0] } ?? [])] as [TrackPreference])
            let kind = random.pick(MediaCharacteristic.allCases)
            stage.command(.preference(kind, preference))
            if kind == .audible {
                (model.audible, model.criteria) = (preference, preference)
            } else {
                model.legible = preference
            }
        case 16:
            stage.command(.beginScrubbing)
            model.beginScrubbing()
        case 17:
            let time = MediaTime.seconds(random.below(90))
            stage.command(.scrub(to: time))
            model.scrub(to: time)
        case 18:
            let time = random.oneIn(3) ? nil : MediaTime.seconds(random.below(90))
            stage.command(.endScrubbing(at: time))
            model.endScrubbing(at: time)
        case 19:
            guard let item = model.list.first else { return }
            let id = SeekID(number: number)
            seeks.append(id)
            let count = random.pick([1, 1, -1, 3, -20])
            stage.command(.step(id, item, count))
            model.step(Int64(count), of: ScriptedEngine.frame, within: stage.engine.duration ?? .zero)
        default:
            (model.volume, model.isMuted) = (Double(random.below(101)), random.oneIn(2))
            stage.command(.setVolume(model.volume))
            stage.command(.setMuted(model.isMuted))
            guard let item = model.list.first, random.oneIn(3) else { return }
            stage.command(.cancelSeeks(item, only: nil))
            model.cancelSeeks()
        }
    }

    /// The engine does what the model says, and the player reports it.
    private func checkWanted(_ stage: PlaybackStage, _ model: PlaybackModel, _ run: String) {
        let (machine, engine) = (stage.machine, stage.engine)
        #expect(machine.queue == model.list, "\(run): the queue")
        #expect(machine.rate == model.rate, "\(run): the wanted rate is the last one asked for")
        let loudness = Loudness(percent: model.volume, isMuted: model.isMuted)
        #expect(machine.loudness == loudness && engine.loudness == loudness, "\(run): how loud")
        #expect(
            engine.preferences == [.audible: model.audible, .legible: model.legible],
            "\(run): which tracks are chosen of others")
        #expect(machine.preferences[.audible] == model.criteria, "\(run): the criteria are the player's alone")
        #expect(engine.isLooping == model.loopsOne, "\(run): the engine knows whether the end brings the start")
        #expect(engine.next == model.next, "\(run): the engine knows what follows")
        #expect(machine.status == model.status, "\(run)")
        guard model.isPlayable, let item = model.list.first else {
            return #expect(engine.film == nil, "\(run): nothing is open")
        }
        guard let film = engine.film else {
            Issue.record("\(run): nothing is open")
            return
        }
        #expect(film.item == item && film.isOpen, "\(run): the first item of the list is open")
        #expect(machine.items[item]?.status == .readyToPlay, "\(run)")
        #expect(film.choices[.audible] ?? .automatic == model.tracks[item] ?? .automatic, "\(run): the track")
        #expect(film.rate == model.playedRate && machine.actualRate == model.playedRate, "\(run): how fast")
        #expect(model.mayBe(at: film.position), "\(run): it is at \(film.position)")
        let shown = machine.items[item]?.time(at: stage.now) ?? .zero
        #expect(
            shown.distance(to: film.position) <= .milliseconds(20), "\(run): \(shown) is reported, \(film.position) is")
    }

    /// Each waiting caller is answered once; each change is reported once.
    private func checkReported(_ stage: PlaybackStage, _ seeks: [SeekID], _ seed: UInt64) {
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
            // A seek that was done before the next was requested.
            #expect(stage.answers[SeekID(number: number)] == [true])
        }
    }
}
