import PlayerCore
import Testing

/// The pictures of a scrub sheet, and the choice of the one to show.
struct SheetTests {
    private static let frame = MediaTime.milliseconds(40)

    private func plan(_ seconds: Int64, track: Int) throws -> SheetPlan {
        try #require(SheetPlan(duration: .seconds(seconds), frame: Self.frame, trackPixels: track))
    }

    @Test func `two places for a pixel, or one for a frame`() throws {
        #expect(try plan(60, track: 1834).count == 1500)
        #expect(try plan(7200, track: 1834).count == 3668)
        #expect(try plan(7200, track: 762).count == 1524)
        #expect(SheetPlan(duration: .seconds(60), frame: nil, trackPixels: 100)?.count == 200)
        // A guessed length is no multiple of a frame's.
        let guessed = SheetPlan(duration: .milliseconds(1307), frame: Self.frame, trackPixels: 100)
        #expect(guessed?.duration == Self.frame * 33)
        #expect(SheetPlan(duration: .zero, frame: nil, trackPixels: 100) == nil)
        #expect(SheetPlan(duration: .milliseconds(1), frame: Self.frame, trackPixels: 100)?.count == 1)
        #expect(SheetPlan(duration: .seconds(1), count: SheetPlan.mostPlaces + 1) == nil)
    }

    @Test(arguments: [(1, 25), (1001, 30000), (1, 24), (1001, 24000), (1, 60), (1, 7)])
    func `each frame has its own place, as containers round`(_ value: Int64, _ timescale: Int64) throws {
        let (frames, length) = (Int64(997), try #require(RationalTime(value: value, timescale: timescale)))
        let duration = try #require(MediaTime(frames, of: length))
        let plan = try #require(SheetPlan(duration: duration, frame: MediaTime(1, of: length), trackPixels: 4000))
        #expect(plan.count == Int(frames))
        for frame in 0..<frames {
            let exact = try #require(MediaTime(frame, of: length))
            // Matroska has whole milliseconds.
            for time in [exact, .milliseconds((exact.nanoseconds + 500_000) / 1_000_000)] {
                #expect(plan.place(of: time) == Int(frame))
            }
        }
        #expect(plan.place(of: .seconds(-3)) == 0 && plan.place(of: .farthest) == Int(frames) - 1)
    }

    @Test func `pictures keep the film's shape`() {
        func size(_ width: Int, _ height: Int, _ limit: SheetSize = .large) -> [Int] {
            let size = SheetSize(fitting: SheetSize(width: width, height: height), in: limit)
            return [size.width, size.height]
        }
        #expect(size(1920, 1080) == [640, 360])
        #expect(size(1920, 1080, .small) == [480, 270])
        #expect(size(1080, 1920) == [360, 640])
        #expect(size(1440, 1080) == [480, 360])
        #expect(size(2560, 1080) == [640, 270])
        #expect(size(320, 180) == [320, 180])
        #expect(size(321, 181) == [320, 180])
        #expect(size(100_000, 2) == [640, 2])
        #expect(size(1, 1) == [2, 2])
    }

    @Test func `a passing frame of a missing place is wanted, once`() throws {
        var coverage = SheetCoverage(try plan(100, track: 5))
        #expect(coverage.plan.count == 10 && coverage.missing == 10)
        let isFirstWanted = coverage.pass(.seconds(0))
        coverage.fill(.seconds(0))
        let isNextWanted = coverage.pass(.milliseconds(40))
        #expect(isFirstWanted && !isNextWanted && !coverage.wants(.seconds(4)))
        #expect(coverage.wants(.seconds(10)) && coverage.missing == 9 && coverage.filled == 1)
    }

    @Test func `a place that the film has no frame at is done when the film has passed it`() throws {
        var coverage = SheetCoverage(try plan(100, track: 5))
        for second in [0, 30, 90] as [Int64] where coverage.pass(.seconds(second)) { coverage.fill(.seconds(second)) }
        #expect(coverage.isComplete && coverage.filled == 3)
        // After a seek nothing is known about the frames in between.
        coverage = SheetCoverage(coverage.plan)
        _ = coverage.pass(.seconds(0))
        coverage.interrupt()
        _ = coverage.pass(.seconds(90))
        #expect(coverage.missing == 10)
        _ = coverage.pass(.seconds(20))
        coverage.end()
        #expect(coverage.missing == 3)
        // Backwards nothing is skipped, either.
        coverage = SheetCoverage(coverage.plan)
        _ = coverage.pass(.seconds(90))
        _ = coverage.pass(.seconds(0))
        #expect(coverage.missing == 10)
    }

    @Test func `a frame between two others fills a place that was taken for empty`() throws {
        var coverage = SheetCoverage(try plan(100, track: 5))
        _ = coverage.pass(.seconds(0))
        _ = coverage.pass(.seconds(50))
        #expect(coverage.missing == 6)
        coverage.fill(.seconds(20))
        #expect(coverage.missing == 6 && coverage.filled == 1)
    }

    @Test func `a film that is longer than it said has more places`() throws {
        // 34 frames are claimed; the last one is the 50th.
        var coverage = SheetCoverage(try #require(SheetPlan(duration: .milliseconds(1360), count: 34)), most: 7336)
        for frame in 0..<50 as Range<Int64> {
            let time = Self.frame * frame
            coverage.extend(to: time)
            let isWanted = coverage.pass(time)
            #expect(isWanted, "frame \(frame)")
            coverage.fill(time)
        }
        #expect(coverage.plan.count == 50 && coverage.plan.duration == .seconds(2))
        #expect(coverage.isComplete && coverage.filled == 50)
        // A frame between, and one whose time is damaged.
        coverage.extend(to: .milliseconds(1979))
        coverage.extend(to: .seconds(5000))
        #expect(coverage.plan.count == 50)
    }

    @Test func `a film that is much longer has every second one of them`() throws {
        var coverage = SheetCoverage(try plan(4, track: 1000), most: 120)
        var wanted = 0
        for frame in 0..<1000 as Range<Int64> {
            let time = Self.frame * frame
            coverage.extend(to: time)
            if coverage.pass(time) {
                coverage.fill(time)
                wanted += 1
            }
            #expect(coverage.plan.count <= 120 && coverage.isComplete == (frame >= 99))
        }
        // 63 places of 0.64 s.
        #expect(coverage.plan.count == 63 && coverage.plan.duration == .milliseconds(40320))
        #expect(coverage.plan.place(of: .milliseconds(39960)) == 62 && wanted < 400)
    }

    @Test func `what is missing is read in parts`() throws {
        var coverage = SheetCoverage(try plan(100, track: 5))
        #expect(coverage.missingParts(joining: .zero) == [.zero..<MediaTime.seconds(100)])
        for second in [0, 40, 50, 60] as [Int64] { coverage.fill(.seconds(second)) }
        let parts = [MediaTime.seconds(5)..<MediaTime.seconds(35), MediaTime.seconds(65)..<MediaTime.seconds(100)]
        #expect(coverage.missingParts(joining: .zero) == parts)
        #expect(coverage.missingParts(joining: .seconds(30)) == [MediaTime.seconds(5)..<MediaTime.seconds(100)])
        for second in stride(from: 0, to: 100, by: 10) { coverage.fill(.seconds(Int64(second))) }
        #expect(coverage.isComplete && coverage.missingParts(joining: .zero).isEmpty)
    }

    @Test func `with all frames the picture is the one that an exact seek shows`() {
        var index = SheetIndex()
        for frame in (0..<100).shuffled() {
            index.insert(SheetEntry(time: Self.frame * Int64(frame), offset: Int64(frame), length: 1))
        }
        for millisecond in 0..<4000 as Range<Int64> {
            let entry = index.nearest(to: .milliseconds(millisecond), frame: Self.frame)
            #expect(entry?.offset == millisecond / 40, "at \(millisecond) ms")
        }
        #expect(index.nearest(to: .seconds(-1), frame: nil)?.offset == 0)
        #expect(index.nearest(to: .seconds(9), frame: nil)?.offset == 99)
        #expect(SheetIndex().nearest(to: .zero, frame: nil) == nil)
    }

    @Test func `with few frames the picture is the nearest one`() {
        var index = SheetIndex()
        for second in [0, 10, 30] as [Int64] {
            index.insert(SheetEntry(time: .seconds(second), offset: second, length: 1))
            index.insert(SheetEntry(time: .seconds(second), offset: -1, length: 1))
        }
        #expect(index.entries.map(\.offset) == [0, 10, 30])
        let places = [0, 4, 6, 19, 21, 99] as [Int64]
        #expect(places.map { index.nearest(to: .seconds($0), frame: Self.frame)?.offset } == [0, 0, 10, 10, 30, 30])
    }

    @Test func `a quarter of the free space, and the least recently scrubbed goes first`() {
        func kept(_ name: String, _ scrubbed: Int64) -> SheetBudget.Kept {
            .init(name: name, bytes: 100, scrubbed: scrubbed)
        }
        let budget = SheetBudget(kept: [kept("a", 3), kept("b", 1), kept("c", 2), kept("d", 0)], free: 1200)
        #expect(budget.limit == 400)
        #expect(budget.evictions(for: 0, of: "a") == [])
        #expect(budget.evictions(for: 100, of: "a") == ["d"])
        #expect(budget.evictions(for: 150, of: "a") == ["d", "b"])
        #expect(budget.evictions(for: 400, of: "a") == nil)
        // Sheets that were scrubbed later stay, and one that was never scrubbed evicts nothing.
        #expect(budget.evictions(for: 200, of: "b") == nil)
        #expect(budget.evictions(for: 100, of: "d") == nil)
        #expect(budget.evictions(for: 100, of: "new") == nil)
        #expect(SheetBudget(kept: [], free: 1200).evictions(for: 300, of: "new") == [])
        #expect(SheetBudget(kept: [], free: 1200).evictions(for: 301, of: "new") == nil)
        #expect(SheetBudget(kept: [], free: 0).evictions(for: 1, of: "new") == nil)
    }
}
