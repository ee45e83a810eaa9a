import PlayerCore
import Testing

/// The pictures that a filmstrip reads, their order, and their precision (A10).
@Suite struct FilmstripPlanTests {
    /// A film with key frames at these times. The clock advances by the costs.
    struct Film {
        var keyframes: [MediaTime]
        var now = MonotonicTime(nanoseconds: 0)
        var asked: [FilmstripPlan.Request] = []

        init(every step: Int64, until end: Int64) {
            keyframes = stride(from: 0, to: end, by: Int64.Stride(step)).map { .seconds($0) }
        }

        mutating func answer(_ request: FilmstripPlan.Request, within tolerance: MediaTime) -> FilmstripPlan.Answer {
            asked.append(request)
            let before = keyframes.last { $0 <= request.time }
            guard request.way == .single else { return .picture(request.time) }
            let near = keyframes.filter { $0.distance(to: request.time) <= tolerance }
            let nearest = near.min { $0.distance(to: request.time) < $1.distance(to: request.time) }
            return nearest.map { .picture($0) } ?? before.map { .sparse(after: $0) } ?? .none
        }

        mutating func fill(_ plan: inout FilmstripPlan, around middle: Int = 0) {
            while let request = plan.next(.around(middle)) {
                #expect(now >= plan.due)
                let cost = Duration.milliseconds(request.way == .single ? 30 : 900)
                now = now + cost
                plan.take(answer(request, within: plan.tolerance), to: request, cost: cost, at: now)
                #expect(plan.due == now + cost, "the reader rests as long as it has worked")
                now = plan.due
            }
        }
    }

    @Test func aLongFilmNeedsNoMoreThanItsKeyFrames() {
        var (plan, film) = (FilmstripPlan(.seconds(3600)), Film(every: 10, until: 3600))
        film.fill(&plan)
        #expect(film.asked.count == FilmstripPlan.count)
        #expect(film.asked.allSatisfy { $0.way == .single })
        #expect(plan.times == (0..<20).map { .seconds(180 * $0) })
    }

    @Test func itBeginsInTheMiddleOfWhatIsSeen() {
        var (plan, film) = (FilmstripPlan(.seconds(3600)), Film(every: 10, until: 3600))
        film.fill(&plan, around: 17)
        #expect(film.asked.map(\.place).prefix(6) == [17, 16, 18, 15, 19, 14])
    }

    @Test func whatIsSeenNowComesNext() {
        var plan = FilmstripPlan(.seconds(3600))
        let first = plan.next(.around(3))
        #expect(first?.place == 3)
        first.map { plan.take(.picture($0.time), to: $0, cost: .zero, at: MonotonicTime(nanoseconds: 0)) }
        #expect(plan.next(.around(12))?.place == 12)
    }

    /// A film of a minute has more places than key frames: these come first, then the others, each once.
    @Test func placesWithoutAKeyFrameAreDecodedLast() {
        var (plan, film) = (FilmstripPlan(.seconds(60)), Film(every: 6, until: 60))
        film.fill(&plan)
        let ways = film.asked.map(\.way)
        #expect(ways.firstIndex(of: .exact) == FilmstripPlan.count)
        #expect(ways.filter { $0 == .exact }.count == 10)
        #expect(Set(plan.times).count == FilmstripPlan.count)
    }

    @Test func aPictureIsNeverAnotherPlaces() {
        var (plan, film) = (FilmstripPlan(.seconds(100)), Film(every: 7, until: 100))
        film.fill(&plan)
        for (place, time) in plan.times.enumerated() {
            #expect(time.distance(to: .seconds(Int64(5 * place))) <= .milliseconds(2500))
        }
        #expect(plan.times == plan.times.sorted())
    }

    @Test func tooMuchOfAFilmIsNotDecoded() {
        var (plan, film) = (FilmstripPlan(.seconds(600)), Film(every: 600, until: 600))
        film.fill(&plan)
        #expect(!film.asked.contains { $0.way == .exact }, "the next place is half a minute behind the only key frame")
        #expect(plan.next(.around(0)) == nil)
    }

    @Test func overANetworkNothingIsDecodedBetweenKeyFrames() {
        var (plan, film) = (FilmstripPlan(.seconds(60), decodes: false), Film(every: 6, until: 60))
        film.fill(&plan)
        #expect(film.asked.count == FilmstripPlan.count && film.asked.allSatisfy { $0.way == .single })
        #expect(plan.next(.around(0)) == nil)
    }

    /// For a finger that may touch anywhere.
    @Test func eachIsAsFarAsPossibleFromTheOnesBefore() {
        var plan = FilmstripPlan(.seconds(3600))
        var known: [Int] = []
        while let request = plan.next(.spread) {
            plan.take(.picture(request.time), to: request, cost: .zero, at: MonotonicTime(nanoseconds: 0))
            known.append(request.place)
            let farthest = (0..<20).map { place in known.map { abs($0 - place) }.min() ?? 0 }.max() ?? 0
            #expect(farthest <= [19, 10, 5, 5, 5][min(known.count - 1, 4)], "\(known)")
            if known.count >= 9 { #expect(farthest <= 2, "\(known)") }
        }
        #expect(Set(known).count == 20)
    }

    @Test func aFingerThatMovesPutsTheNextOff() throws {
        var plan = FilmstripPlan(.seconds(60))
        let request = try #require(plan.next(.around(0)))
        let now = MonotonicTime(nanoseconds: 1_000_000_000)
        plan.rest(until: now + .milliseconds(150))
        // The picture that was being read meanwhile does not bring it forward.
        plan.take(.picture(request.time), to: request, cost: .milliseconds(20), at: now)
        #expect(plan.due == now + .milliseconds(150))
        plan.rest(until: now + .milliseconds(100))
        #expect(plan.due == now + .milliseconds(150))
    }

    @Test func aFilmThatCannotBeReadIsLeft() throws {
        var plan = FilmstripPlan(.seconds(60))
        let request = try #require(plan.next(.around(0)))
        plan.take(.failed, to: request, cost: .zero, at: MonotonicTime(nanoseconds: 0))
        #expect(plan.next(.around(0)) == nil)
    }

    @Test func aServerThatDoesNotAnswerIsAskedAgainTwice() throws {
        var plan = FilmstripPlan(.seconds(60), decodes: false)
        for second in [0, 20] {
            let request = try #require(plan.next(.spread))
            let now = MonotonicTime(nanoseconds: Int64(second) * 1_000_000_000)
            plan.take(.failed, to: request, cost: .zero, at: now)
            #expect(plan.next(.spread) == request && plan.due == now + FilmstripPlan.pause)
        }
        let request = try #require(plan.next(.spread))
        plan.take(.failed, to: request, cost: .zero, at: MonotonicTime(nanoseconds: 40_000_000_000))
        #expect(plan.next(.spread) == nil)
    }

    @Test func picturesThatAreGoneAreReadAgainWhereTheyWere() throws {
        var plan = FilmstripPlan(.seconds(60))
        let request = try #require(plan.next(.around(0)))
        plan.take(.picture(.milliseconds(80)), to: request, cost: .zero, at: MonotonicTime(nanoseconds: 0))
        plan.forget()
        #expect(plan.next(.around(0)) == FilmstripPlan.Request(place: 0, time: .milliseconds(80), way: .single))
    }
}
