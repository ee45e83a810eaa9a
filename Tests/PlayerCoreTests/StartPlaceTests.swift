import PlayerCore
import Testing

struct StartPlaceTests {
    @Test func `places that depend on the length are known with it`() {
        #expect(StartPlace.time(.seconds(3)).time(in: nil) == .seconds(3))
        for place in [StartPlace.part(0.5), .beforeEnd(.seconds(1))] { #expect(place.time(in: nil) == nil) }
        #expect(StartPlace.part(0.25).time(in: .seconds(20)) == .seconds(5))
        #expect(StartPlace.beforeEnd(.seconds(1)).time(in: .seconds(20)) == .seconds(19))
        #expect(StartPlace.beforeEnd(.seconds(30)).time(in: .seconds(20)) == .zero)
    }
}
