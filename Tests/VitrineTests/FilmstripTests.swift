import Media
import PlayerCore
import Testing

@testable import Vitrine

/// The pictures above the bar, before any is read.
struct FilmstripTests {
    private static func marked(_ starts: [MediaTime]) throws -> [Int] {
        let film = try MediaLocation("http://127.0.0.1/film.mp4")
        let pictures = Filmstrip(film, of: .seconds(100), OSDMaterial())
            .pictures(ChapterList(starts.map { Chapter(start: $0) }))
        #expect(pictures.count == FilmstripPlan.count)
        return pictures.indices.filter { pictures[$0].isChapter }
    }

    @Test func `a picture is marked if a chapter starts in its part of the film, and the film's start is no mark`()
        throws
    {
        // Each picture stands for 5 s.
        #expect(try Self.marked([]) == [])
        #expect(try Self.marked([.zero]) == [])
        #expect(try Self.marked([.zero, .milliseconds(1)]) == [0])
        #expect(try Self.marked([.milliseconds(4_999), .seconds(5), .milliseconds(49_999)]) == [0, 1, 9])
        #expect(try Self.marked([.seconds(50), .seconds(52), .seconds(99)]) == [10, 19])
        #expect(try Self.marked([.seconds(100), .seconds(200)]) == [], "behind the end")
    }
}
