import PlayerCore
import Testing

@Suite("Time observers (A4)")
struct TimeObserverTests {
    let periodic = TimeObserverID(number: 1)
    let boundary = TimeObserverID(number: 2)

    /// One item that plays from its start, watched each second and at 2.5 s, 5 s and its end.
    func playing(_ rate: PlaybackRate = 1) -> PlaybackStage {
        var stage = PlaybackStage()
        let item = stage.makeItems(1)[0]
        stage.engine.duration = .seconds(10)
        stage.command(.observe(periodic, .periodic(.seconds(1))))
        stage.command(.observe(boundary, .boundaries([.seconds(10), .milliseconds(2500), .seconds(5)])))
        stage.command(.replaceCurrent(item))
        stage.command(.setRate(rate))
        stage.settle()
        return stage
    }

    func times(_ stage: PlaybackStage, _ id: TimeObserverID, after count: Int = 0) -> [MediaTime] {
        stage.calls.dropFirst(count).filter { $0.observer == id }.map(\.time)
    }

    @Test(
        "each second and each boundary is reported once, in order, at any rate",
        arguments: [0.5, 1, 4] as [PlaybackRate])
    func each(rate: PlaybackRate) {
        var stage = playing(rate)
        stage.pass(rate.clockTime(for: .seconds(9))!)
        #expect(times(stage, boundary) == [.milliseconds(2500), .seconds(5)])
        let seconds = times(stage, periodic).filter { $0 > .zero }
        #expect(seconds == (Int64(1)...Int64(seconds.count)).map { .seconds($0) } && seconds.count >= 9)
        let both = stage.calls.filter { $0.time > .zero }.map(\.time)
        #expect(both == both.sorted())
    }

    @Test("a boundary is reported when the film is there, not at the next tick")
    func inTime() {
        var stage = playing()
        while times(stage, boundary).isEmpty { stage.pass(.milliseconds(1)) }
        let late = stage.engine.film!.position - .milliseconds(2500)
        #expect(late >= .zero && late <= .milliseconds(2))
    }

    @Test("a jump is reported by the periodic observer; boundaries that it jumps over are not")
    func jump() {
        var stage = playing()
        stage.pass(.milliseconds(500))
        let count = stage.calls.count
        stage.command(.seek(SeekID(number: 1), nil, SeekTarget(.milliseconds(4700))))
        stage.settle()
        #expect(times(stage, periodic, after: count).first == .milliseconds(4700))
        stage.pass(.milliseconds(600))
        #expect(times(stage, boundary) == [.seconds(5)])
        stage.command(.seek(SeekID(number: 2), nil, SeekTarget(.milliseconds(2500))))
        stage.settle()
        stage.pass(.milliseconds(300))
        #expect(times(stage, boundary) == [.seconds(5), .milliseconds(2500)], "one that it goes on from is passed")
    }

    @Test("a pause is reported where it is, and nothing while it lasts")
    func pause() {
        var stage = playing()
        stage.pass(.milliseconds(700))
        stage.command(.setRate(.paused))
        stage.settle()
        let count = stage.calls.count
        stage.pass(.seconds(20))
        #expect(stage.calls.count == count && stage.machine.deadline == nil)
        stage.command(.setRate(1))
        stage.pass(.seconds(6))
        #expect(times(stage, boundary) == [.milliseconds(2500), .seconds(5)])
    }

    @Test("each loop passes them all again, the end too")
    func loops() {
        var stage = playing()
        stage.command(.setLoop(.one))
        for _ in 0..<3 {
            stage.pass(.seconds(8))
            stage.report(stage.engine.end())
            stage.settle()
        }
        let lap = [.milliseconds(2500), .seconds(5), .seconds(10)] as [MediaTime]
        #expect(times(stage, boundary) == lap + lap + lap)
    }

    @Test("a film that plays backwards is reported backwards (A8)")
    func reverse() {
        var stage = playing()
        stage.command(.seek(SeekID(number: 1), nil, SeekTarget(.milliseconds(6500))))
        stage.settle()
        let count = stage.calls.count
        stage.command(.setRate(-2))
        stage.pass(.seconds(3))
        let seconds = times(stage, periodic, after: count).filter { $0.nanoseconds % 1_000_000_000 == 0 }
        #expect(seconds.prefix(6) == [.seconds(6), .seconds(5), .seconds(4), .seconds(3), .seconds(2), .seconds(1)])
        #expect(times(stage, boundary, after: count) == [.seconds(5), .milliseconds(2500)])
    }

    @Test("a film that refuses to play backwards is reported forwards, and begins again at its start (A8)")
    func refusedReverse() {
        var stage = playing()
        stage.engine.refusesReverse = true
        stage.command(.setLoop(.one))
        stage.command(.setRate(-2))
        stage.settle()
        #expect(stage.machine.rate == -2 && stage.machine.actualRate == 1, "wanted and actual are two")
        for _ in 0..<2 {
            stage.pass(.seconds(9))
            stage.report(stage.engine.end())
            stage.settle()
        }
        let lap = [.milliseconds(2500), .seconds(5), .seconds(10)] as [MediaTime]
        #expect(times(stage, boundary) == lap + lap)
        let seconds = times(stage, periodic).filter { $0 > .zero && $0.nanoseconds % 1_000_000_000 == 0 }
        #expect(seconds.count >= 18, "periodic times go on, too")
    }

    @Test("another item begins a new line, and an observer that has left is not called")
    func items() {
        var stage = playing()
        let other = ItemID(number: 2)
        stage.machine.adopt(other, PlaybackItem())
        stage.pass(.seconds(1))
        stage.command(.endObserving(periodic))
        let count = stage.calls.count
        stage.command(.replaceCurrent(other))
        stage.settle()
        stage.pass(.seconds(3))
        #expect(times(stage, boundary, after: count) == [.milliseconds(2500)])
        #expect(times(stage, periodic, after: count).isEmpty)
    }

    @Test("a clock that runs ahead of the film reports nothing twice")
    func drift() {
        var stage = playing()
        stage.pass(.milliseconds(950))
        for _ in 0..<20 {
            stage.pass(.milliseconds(30))
            // The film is behind the clock.
            stage.report([.position(LoadID(number: 1), .milliseconds(1200))])
        }
        let seconds = times(stage, periodic).filter { $0 == .seconds(1) }
        #expect(seconds.count == 1)
    }

    @Test("a film that is not heard of is not assumed to run on")
    func silence() {
        let timeline = Timeline(time: .seconds(5), since: .milliseconds(0), rate: 1)
        #expect(timeline.time(at: .milliseconds(400)) == .milliseconds(5400))
        #expect(timeline.time(at: .milliseconds(40_000)) == .seconds(6))
        #expect(timeline.moment(of: .milliseconds(5400)) == .milliseconds(400))
        #expect(timeline.moment(of: .seconds(9)) == nil && timeline.moment(of: .seconds(4)) == nil)
    }
}
