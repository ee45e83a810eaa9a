import PlayerCore
import Testing

@Suite("The player as its callers see it (A1, A2, A5, A7, A13)")
struct PlaybackMachineTests {
    @Test("play before there is an item is remembered (T2)")
    func earlyPlay() {
        var stage = PlaybackStage()
        let item = stage.makeItems(1)[0]
        stage.command(.setRate(1))
        #expect(stage.machine.status == .waiting(.noItemToPlay))
        stage.command(.replaceCurrent(item))
        #expect(stage.machine.status == .waiting(.opening))
        stage.settle()
        #expect(stage.machine.status == .playing && stage.itemStatuses[item] == [.readyToPlay])
    }

    @Test("a seek before the film is open is done as soon as it is, and once (M6)")
    func earlySeek() {
        var stage = PlaybackStage()
        let item = stage.makeItems(1)[0]
        let (first, second) = (SeekID(number: 1), SeekID(number: 2))
        stage.command(.replaceCurrent(item))
        stage.command(.seek(first, item, SeekTarget(.seconds(5))))
        stage.command(.seek(second, item, SeekTarget(.seconds(9))))
        #expect(stage.answers == [first: [false]], "a newer one took its place")
        #expect(stage.machine.items[item]?.time(at: stage.now) == .seconds(9))
        stage.settle()
        #expect(stage.answers == [first: [false], second: [true]] && stage.engine.film?.position == .seconds(9))
    }

    @Test("where it stands can be asked for, once it is open, and neither plays, is sought in nor scrubbed (M2, A7)")
    func restingPlace() {
        var stage = PlaybackStage()
        let item = stage.makeItems(1)[0]
        #expect(stage.machine.restingPlace == nil)
        stage.command(.replaceCurrent(item))
        #expect(stage.machine.restingPlace == nil, "it is not open")
        stage.settle()
        #expect(stage.machine.restingPlace?.item == item && stage.machine.restingPlace?.time == .zero)
        stage.command(.seek(SeekID(number: 1), item, SeekTarget(.seconds(9))))
        #expect(stage.machine.restingPlace == nil, "its picture is not there")
        stage.settle()
        #expect(stage.machine.restingPlace?.time == .seconds(9))
        stage.command(.beginScrubbing)
        #expect(stage.machine.restingPlace == nil)
        stage.command(.endScrubbing(at: nil))
        stage.settle()
        #expect(stage.machine.restingPlace?.time == .seconds(9))
        stage.command(.setRate(1))
        stage.settle()
        #expect(stage.machine.status == .playing && stage.machine.restingPlace == nil)
        stage.command(.setRate(.paused))
        stage.settle()
        #expect(stage.machine.restingPlace != nil)
        stage.report([.touched(LoadID(number: 1), true)])
        #expect(stage.machine.restingPlace == nil, "a finger holds it")
    }

    @Test("a seek of an item that is not current yet waits for its turn")
    func seekOfTheNext() {
        var stage = PlaybackStage(action: .advance)
        let items = stage.makeItems(2)
        stage.command(.insert(items[0], after: nil))
        stage.command(.insert(items[1], after: nil))
        stage.command(.seek(SeekID(number: 1), items[1], SeekTarget(.seconds(30))))
        stage.settle()
        #expect(stage.answers.isEmpty)
        stage.command(.advance)
        stage.settle()
        #expect(stage.answers == [SeekID(number: 1): [true]] && stage.engine.film?.position == .seconds(30))
    }

    @Test("nothing is sought in what cannot be, and nobody waits for it")
    func unseekable() {
        var stage = PlaybackStage()
        stage.engine.isSeekable = false
        let item = stage.makeItems(1)[0]
        stage.command(.replaceCurrent(item))
        stage.command(.seek(SeekID(number: 1), item, SeekTarget(.seconds(5))))
        stage.settle()
        stage.command(.seek(SeekID(number: 2), item, SeekTarget(.seconds(5))))
        #expect(stage.answers == [SeekID(number: 1): [false], SeekID(number: 2): [false]])
        #expect(stage.machine.items[item]?.time(at: stage.now) == .zero)
    }

    @Test("the end: back to the start and paused, on the last frame, or the next item (M9), once (A5)")
    func ends() {
        for action in ActionAtItemEnd.allCases {
            var stage = PlaybackStage(action: action)
            let items = stage.makeItems(2)
            stage.command(.setRate(1))
            for item in items { stage.command(.insert(item, after: nil)) }
            stage.settle()
            stage.report(stage.engine.end())
            stage.report([.ended(LoadID(number: 1), isLooping: false)])
            stage.settle()
            #expect(stage.ends == [items[0]])
            switch action {
            case .rewind:
                #expect(stage.machine.status == .paused && stage.engine.film?.position == .zero)
                #expect(stage.engine.film?.stopsAtEnd == 0)
            case .pause:
                #expect(stage.machine.status == .paused && stage.engine.film?.position == .seconds(100))
                #expect(stage.engine.film?.stopsAtEnd == 1, "on its very last picture")
                stage.command(.setRate(1))
                stage.settle()
                #expect(stage.machine.status == .playing)
                #expect(stage.engine.film.map { $0.position < .seconds(10) } == true, "from its start again")
            case .advance:
                #expect(stage.machine.queue == [items[1]] && stage.machine.status == .playing)
                stage.report(stage.engine.end())
                stage.settle()
                #expect(stage.machine.status == .waiting(.noItemToPlay) && stage.engine.film == nil)
                #expect(stage.ends == items)
            }
        }
    }

    @Test(
        "an end that comes while a seek is waited for counts where that comes to nothing, once (A5)",
        arguments: [true, false])
    func endBeforeARefusedSeek(isRefused: Bool) {
        var stage = PlaybackStage(action: .pause)
        let item = stage.makeItems(1)[0]
        stage.play(item)
        stage.command(.seek(SeekID(number: 1), item, SeekTarget(.seconds(5))))
        stage.report(stage.engine.end())
        #expect(stage.ends.isEmpty)
        if isRefused { stage.report(stage.engine.refuse()) }
        stage.settle()
        #expect(stage.answers == [SeekID(number: 1): [!isRefused]])
        #expect(stage.ends == (isRefused ? [item] : []))
        #expect(stage.machine.status == (isRefused ? .paused : .playing))
    }

    @Test("each end is reported once while a seek is refused that nobody waits for any more (A5)")
    func endsBehindACancelledSeek() {
        var stage = PlaybackStage()
        let item = stage.makeItems(1)[0]
        stage.command(.replaceCurrent(item))
        stage.command(.setLoop(.one))
        stage.command(.setRate(1))
        stage.settle()
        stage.command(.seek(nil, item, SeekTarget(.seconds(5))))
        stage.report(stage.engine.end())
        stage.command(.cancelSeeks(item, only: nil))
        stage.report(stage.engine.end())
        stage.report(stage.engine.refuse())
        stage.settle()
        #expect(stage.ends == [item])
    }

    @Test("an item that stands at its end does so behind a seek that comes to nothing: it plays from its start (A5)")
    func refusedAtTheEnd() {
        var stage = PlaybackStage(action: .pause)
        let item = stage.makeItems(1)[0]
        stage.playToEnd(item)
        for isEarly in [false, true] {
            stage.command(.seek(nil, item, SeekTarget(.seconds(5))))
            if isEarly { stage.command(.setRate(1)) }
            stage.report(stage.engine.refuse())
            stage.settle()
            if !isEarly { #expect(stage.machine.status == .paused && stage.engine.film?.position == .seconds(100)) }
        }
        #expect(stage.engine.film.map { $0.position < .seconds(10) } == true, "from its start again")
        #expect(stage.machine.status == .playing && stage.ends == [item])
    }

    @Test("where the way back from the end is refused, the item is opened anew, once for each end (A5, A13)")
    func refusedLoop() {
        var stage = PlaybackStage()
        let item = stage.makeItems(1)[0]
        stage.command(.insert(item, after: nil))
        stage.command(.setRate(1))
        stage.command(.setLoop(.one))
        stage.settle()
        for end in 1...3 {
            // By an engine that does not loop this film by itself.
            stage.report([.ended(LoadID(number: UInt64(end)), isLooping: false)])
            stage.report(stage.engine.refuse())
            stage.settle()
            #expect(stage.engine.loads.count == end + 1 && stage.engine.seeks == end)
            #expect(stage.ends.count == end && stage.machine.status == .playing)
        }
    }

    @Test("played again from its end, an item is opened anew where the seek is refused; backwards it stands (A5)")
    func refusedToPlayAgain() {
        for action in [ActionAtItemEnd.pause, .rewind] {
            var stage = PlaybackStage(action: action)
            let item = stage.makeItems(1)[0]
            stage.play(item)
            stage.report(stage.engine.end())
            if action == .rewind {
                stage.report(stage.engine.refuse())
                stage.settle()
                #expect(stage.engine.loads.count == 2 && stage.machine.status == .paused)
                continue
            }
            stage.settle()
            stage.command(.setRate(-1))
            stage.report(stage.engine.refuse(takesRate: true))
            stage.settle()
            #expect(stage.machine.rate.isPaused && stage.engine.loads.count == 1)
            // Another one in its place does not change that.
            stage.command(.setRate(1))
            stage.command(.seek(nil, item, SeekTarget(.seconds(5))))
            stage.report(stage.engine.refuse())
            #expect(stage.engine.loads.count == 1 && stage.engine.film?.seek?.target.time == .zero, "once more")
            stage.report(stage.engine.refuse())
            stage.settle()
            #expect(stage.engine.loads.count == 2 && stage.machine.status == .playing)
            #expect(stage.engine.film.map { $0.position < .seconds(10) } == true && stage.ends == [item])
        }
    }

    @Test("loop one and loop all, with one end reported for each (A5, A13)")
    func loops() {
        var stage = PlaybackStage(action: .advance)
        let items = stage.makeItems(3)
        for item in items { stage.command(.insert(item, after: nil)) }
        stage.command(.setRate(1))
        stage.command(.setLoop(.all))
        stage.settle()
        #expect(stage.engine.next == items[1])
        for _ in 0..<6 {
            stage.report(stage.engine.end())
            stage.settle()
        }
        #expect(stage.engine.loads == items + items + [items[0]] && stage.ends == items + items)
        stage.command(.setLoop(.one))
        #expect(stage.engine.isLooping && stage.engine.next == nil)
        let statuses = stage.statuses.count
        for _ in 0..<5 {
            stage.report(stage.engine.end())
            stage.settle()
        }
        #expect(stage.ends.suffix(5) == [items[0], items[0], items[0], items[0], items[0]])
        #expect(stage.engine.loads.count == 7 && stage.machine.status == .playing)
        #expect(stage.statuses.count == statuses, "a loop is no change of what the player does")
    }

    @Test("after an error the next item plays; where all fail it ends, and a new item plays (T4)")
    func failures() {
        var stage = PlaybackStage(action: .advance)
        let items = stage.makeItems(3)
        stage.engine.broken = Set(items.prefix(2))
        stage.command(.setRate(1))
        stage.command(.setLoop(.all))
        for item in items { stage.command(.insert(item, after: nil)) }
        stage.settle()
        #expect(stage.failures == Array(items.prefix(2)) && stage.machine.status == .playing)
        #expect(stage.machine.currentItem == items[2])
        stage.engine.broken = Set(items)
        stage.report(stage.engine.end())
        stage.settle()
        #expect(stage.failures.count == 5, "each once more, and no further")
        #expect(stage.machine.status == .waiting(.noItemToPlay))
        stage.engine.broken = []
        stage.command(.replaceCurrent(items[1]))
        stage.settle()
        #expect(stage.machine.status == .playing && stage.machine.items[items[1]]?.status == .readyToPlay)
    }

    @Test("scrubbing keeps the rate, forgets seeks, ends on the very frame and plays on (A7)")
    func scrubbing() {
        var stage = PlaybackStage()
        let item = stage.makeItems(1)[0]
        stage.command(.observe(TimeObserverID(number: 1), .periodic(.seconds(1))))
        stage.command(.replaceCurrent(item))
        stage.command(.setRate(2))
        stage.settle()
        stage.command(.seek(SeekID(number: 1), item, SeekTarget(.seconds(50))))
        stage.command(.beginScrubbing)
        #expect(stage.answers == [SeekID(number: 1): [false]])
        #expect(stage.machine.rate == 2 && stage.engine.rate == .paused)
        let reported = stage.calls.count
        for second in Int64(20)...40 {
            stage.command(.scrub(to: .seconds(second)))
            stage.pass(.milliseconds(40))
        }
        #expect(stage.machine.status == .waiting(.scrubbing) && stage.calls.count == reported, "periodic reports rest")
        stage.command(.endScrubbing(at: .seconds(33)))
        stage.settle()
        #expect(stage.engine.rate == 2 && stage.machine.status == .playing)
        #expect(stage.calls.dropFirst(reported).first?.time == .seconds(33))
    }

    @Test("scrubbing an item that has gone moves nothing of the next one (M8)")
    func scrubbingWhatHasGone() {
        var stage = PlaybackStage(action: .advance)
        let items = stage.makeItems(2)
        for item in items { stage.command(.insert(item, after: nil)) }
        stage.command(.setRate(1))
        stage.settle()
        stage.command(.beginScrubbing)
        stage.command(.scrub(to: .seconds(20)))
        stage.settle()
        stage.command(.advance)
        stage.settle()
        stage.command(.scrub(to: .seconds(21)))
        stage.command(.endScrubbing(at: .seconds(22)))
        stage.settle()
        #expect(stage.machine.currentItem == items[1] && stage.machine.status == .playing)
        #expect(stage.engine.film?.position ?? .unlimited < .seconds(1))
    }

    @Test("an item that goes under a finger leaves the next one's reports going (A4)")
    func changeUnderFinger() {
        var stage = PlaybackStage(action: .advance)
        let items = stage.makeItems(2)
        for item in items { stage.command(.insert(item, after: nil)) }
        stage.command(.observe(TimeObserverID(number: 1), .periodic(.milliseconds(100))))
        stage.command(.setRate(1))
        stage.settle()
        stage.report([.touched(LoadID(number: 1), true)])
        stage.command(.advance)
        stage.settle()
        let reported = stage.calls.count
        stage.pass(.milliseconds(500))
        #expect(stage.calls.count > reported)
    }

    @Test("a late observer is not called for what is passed (A4)")
    func lateObserver() {
        var stage = PlaybackStage()
        stage.command(.replaceCurrent(stage.makeItems(1)[0]))
        stage.command(.setRate(1))
        stage.command(.seek(nil, nil, SeekTarget(.seconds(5))))
        stage.settle()
        let (id, since) = (TimeObserverID(number: 1), stage.now)
        let boundaries = TimeObservers.Kind.boundaries([.milliseconds(5100), .milliseconds(5300)])
        // Between two of the engine's reports.
        var outputs = stage.machine.handle(.command(.observe(id, boundaries)), at: since + .milliseconds(200))
        for wait in [210, 310, 410] { outputs += stage.machine.handle(.wake, at: since + .milliseconds(wait)) }
        let calls = outputs.compactMap { if case .observer(let call) = $0 { call.time } else { nil as MediaTime? } }
        #expect(calls == [.milliseconds(5300)])
    }

    @Test("a finger on the screen is reported as scrubbing, and takes a seek's place")
    func touch() {
        var stage = PlaybackStage()
        let item = stage.makeItems(1)[0]
        stage.command(.setRate(1))
        stage.command(.replaceCurrent(item))
        stage.settle()
        stage.command(.seek(SeekID(number: 1), item, SeekTarget(.seconds(50))))
        stage.report([.touched(LoadID(number: 1), true)])
        #expect(stage.answers == [SeekID(number: 1): [false]] && stage.machine.status == .waiting(.scrubbing))
        stage.report([.position(LoadID(number: 1), .seconds(12)), .touched(LoadID(number: 1), false)])
        #expect(stage.machine.status == .playing)
        #expect(stage.machine.items[item]?.time(at: stage.now) == .seconds(12))
    }

    @Test("where the film went while a seek was under way is known once nobody waits for it")
    func placeUnderSeek() {
        var stage = PlaybackStage()
        let item = stage.makeItems(1)[0]
        stage.command(.replaceCurrent(item))
        stage.command(.observe(TimeObserverID(number: 1), .periodic(.seconds(1))))
        stage.settle()
        stage.command(.seek(SeekID(number: 1), item, SeekTarget(.seconds(50))))
        stage.report([.position(LoadID(number: 1), .seconds(20))])
        #expect(stage.calls.allSatisfy { $0.time == .zero })
        stage.command(.cancelSeeks(item, only: nil))
        #expect(
            stage.machine.items[item]?.time(at: stage.now) == .seconds(20) && stage.calls.last?.time == .seconds(20))
    }

    @Test("a film whose pipeline is rebuilt is reported where it is (T1, A4)")
    func rebuild() {
        var stage = PlaybackStage()
        stage.command(.replaceCurrent(stage.makeItems(1)[0]))
        stage.command(.observe(TimeObserverID(number: 1), .periodic(.milliseconds(100))))
        stage.command(.seek(nil, nil, SeekTarget(.seconds(30))))
        stage.command(.setRate(1))
        stage.settle()
        stage.report(stage.engine.rebuild())
        stage.settle()
        stage.pass(.milliseconds(500))
        let times = stage.calls.map(\.time)
        #expect(times.allSatisfy { $0 >= .seconds(30) } && times == times.sorted() && times.count > 5)
    }

    @Test("a film that plays no way but forwards begins at its start again, whatever was asked for (A8)")
    func refusedRestart() {
        var stage = PlaybackStage(action: .advance)
        stage.engine.refusesReverse = true
        stage.command(.insert(stage.makeItems(1)[0], after: nil))
        stage.command(.setRate(-1))
        stage.command(.setLoop(.all))
        stage.settle()
        // By an engine that cannot do that by itself.
        stage.report([.ended(LoadID(number: 1), isLooping: false)])
        stage.settle()
        #expect(stage.engine.film?.position ?? .unlimited < .seconds(5))
    }

    @Test("a finger that moves a film from its end has it play on from there, not from its start (M9)")
    func touchAtTheEnd() {
        var stage = PlaybackStage(action: .pause)
        stage.playToEnd(stage.makeItems(1)[0])
        stage.report([.touched(LoadID(number: 1), true), .position(LoadID(number: 1), .seconds(30))])
        stage.report([.touched(LoadID(number: 1), false)])
        stage.command(.setRate(1))
        #expect(stage.machine.items[ItemID(number: 1)]?.time(at: stage.now) == .seconds(30))
        stage.settle()
        #expect(stage.engine.seeks == 0 && stage.machine.status == .playing)
    }

    @Test("a finger whose seeks come to nothing leaves the end as it is (A5, M9)", arguments: [false, true])
    func idleTouchAtTheEnd(isPlayedMeanwhile: Bool) {
        var stage = PlaybackStage(action: .pause)
        let item = stage.makeItems(1)[0]
        stage.playToEnd(item)
        stage.report(stage.engine.touch())
        if isPlayedMeanwhile { stage.command(.setRate(1)) }
        #expect(stage.engine.seeks == 0, "the finger may lead elsewhere")
        stage.report(stage.engine.touch(isMoving: false))
        if !isPlayedMeanwhile { stage.command(.setRate(1)) }
        stage.settle()
        #expect(stage.engine.seeks == 1 && stage.machine.status == .playing && stage.ends == [item])
        #expect(stage.engine.film.map { $0.position < .seconds(10) } == true, "from its start again")
    }

    @Test("an end that comes while a seek is waited for counts where a finger leads nowhere, too (A5)")
    func endBeforeAnIdleTouch() {
        for isMoving in [true, false] {
            var stage = PlaybackStage(action: .pause)
            let item = stage.makeItems(1)[0]
            stage.play(item)
            stage.command(.seek(nil, item, SeekTarget(.seconds(5))))
            stage.report(stage.engine.end())
            stage.report(stage.engine.touch())
            #expect(stage.ends.isEmpty)
            stage.report(stage.engine.touch(isMoving: isMoving))
            stage.settle()
            #expect(stage.ends == (isMoving ? [] : [item]))
            #expect(stage.machine.status == (isMoving ? .playing : .paused))
        }
    }

    @Test("what a finger keeps from its start is not opened anew under that finger (M9)")
    func touchWhileRestarting() {
        for isMoving in [true, false] {
            var stage = PlaybackStage(action: .pause)
            stage.playToEnd(stage.makeItems(1)[0])
            stage.command(.setRate(1))
            stage.report(stage.engine.touch())
            stage.report([.sought(LoadID(number: 1), seek: 1, at: nil)])
            stage.report(stage.engine.touch(isMoving: isMoving))
            #expect(stage.engine.seeks == (isMoving ? 1 : 2))
            stage.settle()
            #expect(stage.engine.loads.count == 1 && stage.machine.status == .playing)
        }
    }

    @Test("nor is one that is scrubbed: it plays on once that is over (A5, A7)", arguments: [nil, 30])
    func scrubWhileRestarting(place: Int64?) {
        var stage = PlaybackStage(action: .pause)
        let item = stage.makeItems(1)[0]
        stage.playToEnd(item)
        for isRestarting in [true, false] {
            if isRestarting { stage.command(.setRate(1)) }
            stage.command(.beginScrubbing)
            stage.report(stage.engine.refuse())
            if !isRestarting { stage.command(.setRate(1)) }
            if let place { stage.command(.scrub(to: .seconds(place))) }
            stage.settle()
            #expect(stage.engine.loads.count == 1 && stage.engine.film?.isRunning == false)
            #expect(stage.engine.film?.position == .seconds(place ?? 100), "it stands until then")
            stage.command(.endScrubbing(at: nil))
            stage.settle()
            let position = stage.engine.film?.position ?? .zero
            #expect(position < .seconds(10) || place.map { position < .seconds($0 + 10) } == true)
            #expect(stage.machine.status == .playing && stage.ends.count == (isRestarting ? 1 : 2))
            if isRestarting { stage.report(stage.engine.end()) }
        }
    }

    @Test("an item on its way back that is to be played the other way plays from where it is (A5, A8)")
    func turnedWhileRestarting() {
        var stage = PlaybackStage(action: .pause)
        let item = stage.makeItems(1)[0]
        stage.play(item)
        for (rate, place) in [(1, 100), (-1, 0)] as [(PlaybackRate, Int64)] {
            stage.report(stage.engine.end())
            stage.settle()
            stage.command(.setRate(rate))
            stage.command(.setRate(rate == 1 ? -1 : 1))
            stage.report(stage.engine.refuse(takesRate: true))
            stage.pass(.seconds(2))
            let position = stage.engine.film?.position ?? .unlimited
            #expect(position != .seconds(place) && position.distance(to: .seconds(place)) < .seconds(5))
            #expect(stage.machine.status == .playing && stage.engine.loads.count == 1)
        }
        #expect(stage.ends.count == 2)
    }

    @Test("a refused rate has an item play again from its start, or reopened; its end is reported once (A5, A8)")
    func refusedRateAtTheEnd() {
        for isSought in [true, false] {
            var stage = PlaybackStage(action: .pause)
            let item = stage.makeItems(1)[0]
            stage.playToEnd(item)
            stage.command(.setRate(-1))
            stage.report(stage.engine.refuse())
            #expect(stage.engine.film?.seek?.target.time == .zero, "there it can go on")
            if !isSought { stage.report(stage.engine.refuse()) }
            stage.settle()
            stage.pass(.seconds(2))
            #expect(stage.engine.loads.count == (isSought ? 1 : 2) && stage.ends == [item])
            let position = stage.engine.film?.position ?? .unlimited
            #expect(position > .zero && position < .seconds(10) && stage.machine.status == .playing)
        }
    }

    @Test("one that pauses meanwhile stands, and is opened anew only to be played forwards (A5)")
    func pausedWhileRestarting() {
        for rate in [1, -1] as [PlaybackRate] {
            var stage = PlaybackStage(action: .pause)
            let item = stage.makeItems(1)[0]
            stage.playToEnd(item)
            stage.command(.setRate(rate))
            stage.command(.setRate(.paused))
            stage.report(stage.engine.refuse(takesRate: true))
            stage.settle()
            #expect(stage.machine.status == .paused && stage.engine.loads.count == (rate == 1 ? 2 : 1))
            stage.command(.setRate(1))
            stage.settle()
            #expect(stage.engine.seeks == (rate == 1 ? 1 : 2) && stage.ends == [item])
        }
    }

    @Test("backwards, a queue goes no further than its item's start (A8, A13)", arguments: [QueueLoop.off, .all])
    func backwards(loop: QueueLoop) {
        var stage = PlaybackStage(action: .advance)
        let items = stage.makeItems(3)
        for item in items { stage.command(.insert(item, after: nil)) }
        stage.command(.setLoop(loop))
        stage.command(.setRate(-1))
        stage.settle()
        stage.report(stage.engine.end())
        stage.settle()
        #expect(stage.engine.loads == [items[0]] && stage.ends == [items[0]] && stage.machine.status == .paused)
        #expect(stage.engine.film?.stopsAtEnd == 1, "on its very first frame")
        stage.command(.setRate(1))
        stage.settle()
        stage.report(stage.engine.end())
        stage.settle()
        #expect(stage.engine.loads == [items[0], items[1]] && stage.ends == [items[0], items[0]])
    }

    @Test("an end that comes as it is scrubbed counts where that leads nowhere (A5, A7)", arguments: [nil, 30])
    func endWhileScrubbing(place: Int64?) {
        var stage = PlaybackStage(action: .advance)
        let items = stage.makeItems(2)
        for item in items { stage.command(.insert(item, after: nil)) }
        stage.command(.setRate(1))
        stage.settle()
        stage.command(.beginScrubbing)
        stage.report(stage.engine.end())
        #expect(stage.ends.isEmpty && stage.machine.currentItem == items[0], "it is not pulled away")
        if let place { stage.command(.scrub(to: .seconds(place))) }
        stage.settle()
        stage.command(.endScrubbing(at: nil))
        stage.settle()
        #expect(stage.ends == (place == nil ? [items[0]] : []))
        #expect(stage.machine.currentItem == (place == nil ? items[1] : items[0]) && stage.machine.status == .playing)
    }

    @Test("an end behind a cancelled seek waits for that, also where it was scrubbed meanwhile (A5, A7)")
    func endBeforeAScrub() {
        for isRefused in [true, false] {
            var stage = PlaybackStage(action: .pause)
            let item = stage.makeItems(1)[0]
            stage.play(item)
            stage.command(.seek(nil, item, SeekTarget(.seconds(50))))
            stage.report(stage.engine.end())
            stage.command(.beginScrubbing)
            stage.command(.endScrubbing(at: nil))
            #expect(stage.ends.isEmpty)
            if isRefused { stage.report(stage.engine.refuse()) }
            stage.settle()
            #expect(stage.ends == (isRefused ? [item] : []))
        }
    }

    @Test("steps pause, go on from what is sought before them, add up, and end at the film's end (A8)")
    func steps() {
        var stage = PlaybackStage(action: .pause)
        let items = stage.makeItems(2)
        stage.play(items[0])
        let seek = SeekID(number: 1)
        let steps = (UInt64(2)...9).map { SeekID(number: $0) }
        stage.command(.seek(seek, items[0], SeekTarget(.seconds(50))))
        stage.command(.step(steps[0], items[0], 3))
        #expect(stage.machine.rate == .paused && stage.answers == [seek: [false]])
        #expect(stage.machine.items[items[0]]?.time(at: stage.now) == .milliseconds(50_120), "where it will be")
        stage.command(.step(steps[1], items[0], -1))
        stage.settle()
        #expect(stage.answers == [seek: [false], steps[0]: [false], steps[1]: [true]])
        #expect(stage.engine.film?.position == .milliseconds(50_080) && stage.machine.status == .paused)
        // At its end there is no further frame, but it stands there nevertheless.
        stage.command(.setRate(1))
        stage.settle()
        stage.report(stage.engine.end())
        stage.settle()
        #expect(stage.ends == [items[0]])
        stage.command(.step(steps[2], items[0], 1))
        stage.settle()
        #expect(stage.answers[steps[2]] == [false] && stage.ends == [items[0]])
        stage.command(.setRate(1))
        stage.settle()
        #expect(stage.engine.film.map { $0.position < .seconds(10) } == true, "played again")
        // Refused for an item that is not open, and while somebody scrubs.
        stage.command(.step(steps[3], items[0], 0))
        stage.command(.step(steps[4], items[1], 1))
        stage.command(.beginScrubbing)
        stage.command(.step(steps[5], items[0], 1))
        stage.command(.endScrubbing(at: nil))
        stage.command(.replaceCurrent(items[1]))
        stage.command(.step(steps[6], items[1], 1))
        #expect(steps[3...6].allSatisfy { stage.answers[$0] == [false] } && stage.machine.rate == 1)
    }

    @Test("a step back from the end leads away from it: it plays on from there (A8)")
    func stepFromTheEnd() {
        var stage = PlaybackStage(action: .pause)
        let item = stage.makeItems(1)[0]
        stage.playToEnd(item)
        stage.command(.step(SeekID(number: 1), item, -1))
        stage.settle()
        #expect(stage.answers == [SeekID(number: 1): [true]] && stage.engine.film?.position == .milliseconds(99_960))
        stage.command(.setRate(1))
        stage.settle()
        #expect(stage.engine.film.map { $0.position >= .milliseconds(99_960) } == true)
    }

    @Test("below 100 % it waits, and says so (M10)")
    func buffering() {
        var stage = PlaybackStage()
        let item = stage.makeItems(1)[0]
        stage.command(.setRate(1))
        stage.command(.replaceCurrent(item))
        stage.settle()
        let loaded = MediaTime.seconds(4)...MediaTime.seconds(9)
        stage.report([.buffering(LoadID(number: 1), percent: 20), .buffered(LoadID(number: 1), [loaded])])
        #expect(stage.machine.status == .waiting(.buffering))
        #expect(stage.machine.items[item]?.bufferedRanges == [loaded])
        stage.report([.buffering(LoadID(number: 1), percent: 100)])
        #expect(stage.machine.status == .playing)
    }
}
