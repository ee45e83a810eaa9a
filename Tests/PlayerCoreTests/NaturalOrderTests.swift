import PlayerCore
import Testing

struct NaturalOrderTests {
    @Test func `numbers count by their value, letters whatever their case`() {
        let sorted = [
            "1.mp4", "2.mp4", "02b.mp4", "10.mp4", "99999999999999999999998.mp4", "99999999999999999999999.mp4",
            "Film 2.mp4",
            "film 3.mp4", "Film 10.mp4", "Äpfel.mp4",
        ]
        #expect(sorted.reversed().sorted(by: NaturalOrder.precedes) == sorted)
    }

    @Test func `a film precedes those whose names go on from its own, whatever their extensions`() {
        let sorted = [
            "1.mp4", "1 a.mp4", "film", "film.mkv", "film.mp4", "film2.mp4", "film 2.mp4", "film-2.mp4", "film.1.mp4",
        ]
        #expect(sorted.reversed().sorted(by: NaturalOrder.filmPrecedes) == sorted)
    }

    @Test func `two different names are never equal`() {
        #expect(NaturalOrder.precedes("01", "1"))
        #expect(!NaturalOrder.precedes("1", "01"))
        #expect(NaturalOrder.precedes("A", "a"))
        #expect(!NaturalOrder.precedes("a", "a"))
        #expect(NaturalOrder.precedes("a", "a1"))
    }
}
