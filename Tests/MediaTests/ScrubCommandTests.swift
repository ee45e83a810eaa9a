import PlayerCore
import Testing

@testable import Media

@Suite("What `inspect` says would mend scrubbing, whatever the file is called (N9)")
struct ScrubCommandTests {
    private func command(_ file: String?) -> String? {
        MediaInspection(name: "", file: file, duration: .seconds(10), isSeekable: true, streams: [], keyframes: [])
            .scrubCommand
    }

    @Test(
        "from the file to a copy beside it",
        arguments: [
            ("film.mp4", "film.mp4", "film-scrub.mp4"),
            ("/films/a.b/film.TS", "/films/a.b/film.TS", "/films/a.b/film-scrub.mkv"),
            ("it's.webm", "'it'\\''s.webm'", "'it'\\''s-scrub.webm'"),
            // Neither a folder's extension nor a protocol nor an option.
            ("/media/disk.1/film", "/media/disk.1/film", "/media/disk.1/film-scrub.mkv"),
            ("Alien: Covenant.mkv", "'./Alien: Covenant.mkv'", "'./Alien: Covenant-scrub.mkv'"),
            ("/films/Alien: Covenant.mkv", "'/films/Alien: Covenant.mkv'", "'/films/Alien: Covenant-scrub.mkv'"),
            ("-film.mp4", "./-film.mp4", "./-film-scrub.mp4"), (".hidden", ".hidden", ".hidden-scrub.mkv"),
        ])
    func names(file: String, input: String, output: String) throws {
        let words = try #require(command(file))
        #expect(words.hasPrefix("ffmpeg -i \(input) -map"), "\(words)")
        #expect(words.hasSuffix(" \(output)"), "\(words)")
    }

    @Test("there is none of what is not a file")
    func remote() {
        #expect(command(nil) == nil)
    }

    @Test("where no key frames are known, that is said, and nothing is guessed")
    func unknown() {
        let video = MediaInspection.Stream(kind: "video", codec: "H.264", details: "")
        var film = MediaInspection(
            name: "", file: nil, duration: .seconds(10), isSeekable: true, streams: [video], keyframes: [])
        #expect(film.text.contains("key frames unknown") && film.text.contains("when the finger lifts"))
        film.file = "film.mp4"
        #expect(film.text.contains("key frames unknown") && !film.text.contains("ffmpeg"))
        film.streams = []
        #expect(!film.text.contains("key frames"))
    }
}
