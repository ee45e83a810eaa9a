import PlayerCore
import Testing

@testable import Media

@Suite("What inspect prints (N9)")
struct InspectionTextTests {
    @Test("all that a film says of itself, a line each: known words first, and no codec's numbers")
    func metadata() {
        let film = MediaInspection(
            name: "film.mkv", duration: .seconds(10), isSeekable: true, streams: [],
            metadata: [
                "zebra": "last", "title": "Once", "genre": "Western", "date": "1968", "datetime": "1968-12-21",
                "video-codec": "H.264", "container-format": "Matroska", "nominal-bitrate": "1", "language-code": "de",
                "extended-comment": "DIRECTOR=Ann\nWRITER=Bob", "artist": "Ann",
            ],
            keyframes: [])
        let lines = film.text.split(separator: "\n")
        #expect(
            lines.dropFirst().prefix { !$0.hasPrefix("  duration") } == [
                "  title      Once", "  artist     Ann", "  genre      Western", "  date       1968",
                "  extended-comment DIRECTOR=Ann WRITER=Bob", "  zebra      last",
            ])
    }

    @Test("what cannot be sought in to its end, with the command for a copy that can (M6)")
    func seeking() {
        func lines(_ container: String, _ file: String?) -> [String] {
            let film = MediaInspection(
                name: "film", file: file, container: container, duration: .seconds(10), isSeekable: true, streams: [],
                keyframes: [])
            return film.text.split(separator: "\n").map(String.init)
        }
        let stream = lines("MPEG-2 Transport Stream", "/films/film.ts")
        #expect(stream.contains("  seeking    the last moments cannot be reached; in this copy they can:"))
        #expect(stream.contains { $0.hasSuffix("-i /films/film.ts -map 0:v:0 -map '0:a?' -c copy /films/film.mkv") })
        #expect(!lines("MPEG-2 System Stream", "/films/film.vob").contains { $0.contains("seeking") })
        #expect(!lines("MPEG-2 Transport Stream", nil).contains { $0.contains("seeking") })
    }

    @Test("HLS in pieces of MPEG-TS, where a seek misses its frame (M6)")
    func pieces() {
        var film = MediaInspection(
            name: "http://host/film.m3u8", container: "HLS", duration: .seconds(10), isSeekable: true, streams: [],
            keyframes: [])
        let words = "  seeking    may miss its frame by up to a second: each piece's clock begins before its frames"
        #expect(!film.text.contains("seeking"))
        film.isInTransportPieces = true
        #expect(film.text.split(separator: "\n").filter { $0.contains("seeking") } == [words[...]])
        film.isSeekable = false
        #expect(!film.text.contains("seeking"))
    }

    private func film(
        _ height: Int, decodedIn clock: Duration, groups: Int64 = 1, frame: RationalTime? = nil
    ) -> [String] {
        var film = MediaInspection(
            name: "film.mkv", file: "film.mkv", duration: .seconds(60), isSeekable: true, streams: [],
            keyframes: stride(from: Int64(0), to: 60, by: Int(groups)).map { .seconds($0) })
        let kind = MediaTrack.Kind.video(width: 16 * height / 9, height: height, frameDuration: frame)
        film.tracks = [MediaTrack(kind: kind, codec: "H.264")]
        film.decoding = DecodingSpeed(film: .seconds(4), clock: clock, decoder: "avdec_h264")
        return film.text.split(separator: "\n").map(String.init)
    }

    @Test("how fast the machine decodes it; where that is too slow, the command for a smaller copy, and that alone")
    func playing() {
        let fast = film(720, decodedIn: .milliseconds(1600))
        #expect(fast.contains("  playing    decoded 2.5 times as fast as it plays, by avdec_h264"))
        #expect(!fast.contains { $0.contains("ffmpeg") })
        for (height, lines, groups) in [(2160, 1080, 1), (1080, 540, 10), (50, 24, 10)] as [(Int, Int, Int64)] {
            let slow = film(height, decodedIn: .milliseconds(3201), groups: groups)
            #expect(slow.contains("  playing    decoded 1.2 times as fast as it plays, by avdec_h264"))
            let commands = slow.filter { $0.contains("ffmpeg") }
            #expect(commands.count == 1 && commands[0].contains("-vf scale=-2:\(lines),fps=30 "), "\(slow)")
        }
        // No more frames than it has.
        for (rate, filter) in [(24, ""), (25, ""), (30, ""), (50, ",fps=30")] as [(Int64, String)] {
            let slow = film(720, decodedIn: .milliseconds(3201), frame: RationalTime(frames: rate, perSeconds: 1))
            #expect(slow.contains { $0.contains("-vf scale=-2:360\(filter) ") }, "\(slow)")
        }
    }
}
