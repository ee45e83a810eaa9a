import PlayerCore
import Testing

/// What follows a film of a playlist (A13).
@Suite struct RepetitionsTests {
    /// The places that are played one after another, from the first film on; `nil` at the end.
    private func course(_ repetitions: Repetitions, of count: Int, most: Int = 8) -> [Int?] {
        var (repetitions, places) = (repetitions, [Int?]([0]))
        while places.count < most, let place = places.last ?? nil {
            let foreseen = repetitions.next(after: place, of: count)
            let next = repetitions.goOn(from: place, of: count)
            #expect(next == foreseen)
            switch next {
            case .again: places.append(place)
            case .film(let other):
                #expect(other != place)
                places.append(other)
            case .nothing: places.append(nil)
            }
        }
        return places
    }

    private func repetitions(film: Repetition = .none, playlist: Repetition = .none) -> Repetitions {
        var repetitions = Repetitions()
        (repetitions.film, repetitions.playlist) = (film, playlist)
        return repetitions
    }

    @Test func `a playlist is played once, or as often as is wished`() {
        #expect(course(repetitions(), of: 3) == [0, 1, 2, nil])
        #expect(course(repetitions(playlist: .times(1)), of: 3) == [0, 1, 2, 0, 1, 2, nil])
        #expect(course(repetitions(playlist: .forever), of: 2) == [0, 1, 0, 1, 0, 1, 0, 1])
    }

    @Test func `a film that repeats itself comes before the playlist`() {
        #expect(course(repetitions(film: .times(2)), of: 2) == [0, 0, 0, 1, nil])
        #expect(course(repetitions(film: .forever, playlist: .forever), of: 2, most: 4) == [0, 0, 0, 0])
    }

    @Test func `one film follows itself`() {
        #expect(course(repetitions(playlist: .times(1)), of: 1) == [0, 0, nil])
        #expect(course(repetitions(), of: 1) == [0, nil])
        #expect(repetitions(playlist: .forever).isLoop(of: 1) && repetitions(film: .forever).isLoop(of: 2))
        #expect(!repetitions(playlist: .forever).isLoop(of: 2) && !repetitions(film: .times(9)).isLoop(of: 1))
    }

    @Test func `what will follow takes nothing`() {
        let once = repetitions(film: .times(1), playlist: .times(1))
        for _ in 0..<3 { #expect(once.next(after: 0, of: 1) == .again) }
    }
}
