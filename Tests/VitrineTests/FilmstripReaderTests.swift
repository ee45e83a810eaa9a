import Foundation
import Media
import PlayerCore
import Testing

@testable import Vitrine

@Suite("Pictures of a server's film (A10)", .timeLimit(.minutes(1)))
struct FilmstripReaderTests {
    @Test("a server that answers nothing holds nobody up: reading ends at once when it is cancelled")
    func silentServer() async throws {
        let server = try SilentServer()
        let film = try MediaLocation("http://127.0.0.1:\(server.port)/film.mp4")
        let reader = FilmstripReader(film, nil, nil, tolerance: .seconds(1), .init(width: 160, height: 90))
        let request = FilmstripPlan.Request(place: 3, time: .seconds(9), way: .single)
        let reading = Task { await runBlocking { (reader.read(request).answer, ContinuousClock.now) } }
        let connection = await server.connection()
        let began = ContinuousClock.now
        reader.cancel()
        let (answer, ended) = await reading.value
        #expect(answer == .failed)
        // 50 ms, and what a busy machine adds.
        #expect(ended - began < .seconds(2))
        await runBlocking { reader.close() }
        await connection.end()
        #expect(ContinuousClock.now - began < .seconds(5))
    }

    @Test("stills are taken of files on a disk or a web server alone")
    func hasStills() throws {
        for (address, has) in [
            ("https://host/film.mp4?name=value", true), ("http://host/film", true), ("http://host/live.m3u8", false),
            ("http://host/film.mpd#t=3", false), ("rtsp://host/film.mp4", false), ("udp://@:5004", false),
            ("testsrc:", false),
        ] {
            #expect(try MediaLocation(address).hasStills == has, "\(address)")
        }
    }
}
