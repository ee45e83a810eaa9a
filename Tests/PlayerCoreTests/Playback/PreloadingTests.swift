import PlayerCore
import Testing

/// When the next film is preloaded (A13). Times in seconds; films are named by letters.
@Suite struct PreloadingTests {
    private var preloading = Preloading<Character>()

    private mutating func observe(
        _ now: Int64 = 0, next: Character? = "b", rest: Double?, isRunning: Bool = true, isSeeking: Bool = false
    ) -> [Preloading<Character>.Action] {
        preloading.observe(
            .init(next: next, rest: rest.map { .seconds($0) }, isRunning: isRunning, isSeeking: isSeeking),
            at: .milliseconds(now * 1000))
    }

    private mutating func end(with film: Character?) -> Bool { preloading.end(with: film) }

    @Test mutating func `what a viewer may choose is preloaded at once, and before what follows`() {
        func observe(_ choice: Character?, rest: Double? = nil, isSeeking: Bool = false) -> [Preloading<Character>
            .Action]
        {
            preloading.observe(
                .init(
                    next: "b", choice: choice, rest: rest.map { .seconds($0) }, isRunning: true, isSeeking: isSeeking),
                at: .milliseconds(0))
        }
        #expect(observe("x", isSeeking: true) == [])
        #expect(observe("x") == [.preload("x")] && observe("x", rest: 1) == [])
        #expect(observe("y") == [.drop, .preload("y")])
        #expect(observe(nil, rest: 20) == [.drop] && preloading.deadline != nil)
        #expect(observe("y") == [.preload("y")])
        #expect(end(with: "y") && observe(nil, rest: 20) == [])
    }

    @Test mutating func `it is preloaded shortly before the end, once`() {
        #expect(observe(5, rest: 20) == [])
        #expect(preloading.deadline == .milliseconds(22_000))
        #expect(observe(22, rest: 3) == [.preload("b")])
        #expect(preloading.deadline == nil)
        for rest in [2, 1, 0] as [Double] { #expect(observe(23, rest: rest) == []) }
        #expect(end(with: "b"))
        #expect(preloading.preloaded == nil)
        #expect(!end(with: "b"), "once")
    }

    @Test mutating func `a brief film has half of it behind it first`() {
        let early = Preloading<Character>.Situation(
            next: "b", rest: .seconds(2), length: .seconds(2), isRunning: true, isSeeking: false)
        var late = early
        late.rest = .seconds(1)
        let (first, second) = (
            preloading.observe(early, at: .milliseconds(500)), preloading.observe(late, at: .milliseconds(1500))
        )
        #expect(first == [] && second == [.preload("b")])
    }

    @Test mutating func `not while nothing runs, where nothing follows, or where the end is unknown`() {
        #expect(observe(rest: 2, isRunning: false) == [])
        #expect(observe(rest: 2, isSeeking: true) == [])
        #expect(observe(next: nil, rest: 2) == [])
        #expect(observe(rest: nil) == [])
        #expect(preloading.deadline == nil)
        #expect(observe(rest: 2) == [.preload("b")])
    }

    @Test mutating func `who goes back leaves it, but not for a look at the last seconds, nor for a pause`() {
        _ = observe(rest: 2)
        #expect(observe(rest: 2, isRunning: false) == [])
        #expect(observe(rest: 5) == [])
        // The target is not known yet.
        #expect(observe(rest: 60, isSeeking: true) == [])
        #expect(observe(7, rest: 60) == [.drop])
        #expect(preloading.deadline == .milliseconds(64_000))
        #expect(observe(rest: 2.9) == [.preload("b")])
    }

    @Test mutating func `another one takes its place, none leaves it empty`() {
        _ = observe(rest: 2)
        #expect(observe(next: "c", rest: 2) == [.drop, .preload("c")])
        #expect(observe(next: "d", rest: 2, isRunning: false) == [.drop])
        #expect(observe(next: "d", rest: 2) == [.preload("d")])
        #expect(observe(next: nil, rest: 2) == [.drop])
        #expect(observe(next: nil, rest: 2) == [])
    }

    @Test mutating func `backwards it comes to no end`() {
        _ = observe(rest: 2)
        #expect(observe(rest: nil) == [.drop])
    }

    @Test mutating func `another film than the preloaded one is opened anew`() {
        _ = observe(rest: 2)
        #expect(!end(with: "a"))
        #expect(preloading.preloaded == nil)
        _ = observe(rest: 2)
        #expect(!end(with: nil))
        #expect(observe(rest: 2) == [.preload("b")])
    }
}
