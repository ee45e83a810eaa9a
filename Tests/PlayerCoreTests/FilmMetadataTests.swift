import PlayerCore
import Testing

/// A film's texts as clients read them (A12).
struct FilmMetadataTests {
    private func tags(_ tags: [String: String]) -> (String) -> String? { { tags[$0] } }

    @Test func `tags have mpv's names, and what is no word about the film is left out`() {
        var metadata = FilmMetadata()
        metadata.learn(of: nil, tags(["album-artist": "Ann", "track-number": "3", "image-orientation": "rotate-90"]))
        #expect(metadata.texts == ["album_artist": "Ann", "track": "3"])
    }

    @Test func `the container's word goes before a stream's, the first stream's before another's`() {
        var metadata = FilmMetadata()
        metadata.learn(of: 7, tags(["encoder": "of the pictures", "artist": "Bob"]))
        metadata.learn(of: 8, tags(["encoder": "of the sound", "genre": "Western"]))
        metadata.learn(of: nil, tags(["artist": "Ann"]))
        #expect(metadata.texts == ["encoder": "of the pictures", "artist": "Ann", "genre": "Western"])
    }

    @Test func `the newest word of the same one counts`() {
        var metadata = FilmMetadata()
        for song in ["First", "Second"] {
            metadata.learn(of: nil, tags(["album": song]))
            metadata.learn(of: 7, tags(["comment": song]))
        }
        #expect(metadata.texts == ["album": "Second", "comment": "Second"])
    }

    @Test func `a day is better than the moment at which a file was written`() {
        var metadata = FilmMetadata()
        metadata.learn(of: nil, tags(["datetime": "2024-05-06T07:08Z", "date": "1968-12-21"]))
        #expect(metadata.texts == ["date": "1968-12-21"])
    }

    @Test func `the title is the film's own alone`() {
        var metadata = FilmMetadata()
        metadata.learn(of: 7, tags(["title": "Comments"]))
        #expect(metadata.texts.isEmpty)
        metadata.title = "Once upon a Time"
        #expect(metadata.texts == ["title": "Once upon a Time"])
    }
}
