import FoundationEssentials
import Glibc
import Testing

@testable import Playlists

/// Lists and folders of films.
struct PlaylistTests {
    private let folder = Folder()

    private func entries(_ name: String) throws -> [PlaylistEntry] {
        try Playlist.contents(of: "\(folder.path)/\(name)").entries.map { entry in
            PlaylistEntry(entry.location.replacing(folder.path + "/", with: ""), title: entry.title)
        }
    }

    @Test func `a film and an address stand for themselves`() throws {
        folder.write("a.mp4", "x")
        #expect(try entries("a.mp4") == [PlaylistEntry("a.mp4")])
        #expect(try entries("nowhere.m3u") == [PlaylistEntry("nowhere.m3u")])
        for name in ["http://example.org/list.m3u", "-", "testsrc:"] {
            #expect(try Playlist.contents(of: name).entries == [PlaylistEntry(name)])
        }
    }

    @Test func `M3U has a film in each line, from the list's folder on`() throws {
        folder.write(
            "list.m3u",
            "#EXTM3U\r\n#EXTINF:12,The first, and best\r\na.mp4\r\n\r\n# a note\r\n  more\\b.mp4 \r\n/root/c.mp4\r\n"
                + "http://example.org/d.mp4?x=1\r\n")
        #expect(
            try entries("list.m3u") == [
                PlaylistEntry("a.mp4", title: "The first, and best"), PlaylistEntry("more/b.mp4"),
                PlaylistEntry("/root/c.mp4"), PlaylistEntry("http://example.org/d.mp4?x=1"),
            ])
    }

    @Test func `titles stand behind the attributes`() throws {
        folder.write(
            "list.m3u",
            "#EXTINF:-1 tvg-id=\"\" tvg-name=\"Good, bad\" group-title=\"A, B\",The Good, the Bad\na.mkv\n"
                + "#EXTVLCOPT:start-time=2\n#EXTINF:4 , Artist - Title\nb.mkv\n#EXTINF:4,A 7\" single\nc.mkv\n"
                + "#EXTINF:4 x=\",Open\nd.mkv\n")
        #expect(
            try entries("list.m3u").map(\.title) == ["The Good, the Bad", "Artist - Title", "A 7\" single", "Open"])
    }

    /// A list that was written on another machine, and moved with its films.
    @Test func `what is not there is looked for beside the list`() throws {
        folder.write("films/a.mkv", "x")
        folder.write("films/sub/b.mkv", "x")
        folder.write("films/sub/a b.mkv", "x")
        folder.write(
            "films/list.m3u",
            "C:\\Users\\museum\\Videos\\a.mkv\nC:\\Users\\museum\\Videos\\sub\\b.mkv\n\\\\nas\\films\\a.mkv\n"
                + "/home/museum/sub/a%20b.mkv\nsub/a.mkv\nD:\\none.mkv\n")
        #expect(
            try entries("films/list.m3u").map(\.location) == [
                "films/a.mkv", "films/sub/b.mkv", "films/a.mkv", "films/sub/a b.mkv", "films/sub/a.mkv",
                "films/D:/none.mkv",
            ])
        folder.write(
            "films/list.xspf",
            "<playlist><trackList><track><location>file:///C:/Videos/sub/a%20b.mkv</location></track></trackList></playlist>"
        )
        #expect(try entries("films/list.xspf").map(\.location) == ["films/sub/a b.mkv"])
    }

    @Test func `what programs add to a path is taken away where the film is there without it`() throws {
        folder.write("a.mkv", "x")
        folder.write("b#1.mkv", "x")
        folder.write(
            "list.m3u", "a.mkv|User-Agent=x\na.mkv#t=2\na.mkv?x=1\nb#1.mkv\n?x=1\nhttp://127.0.0.1/a?b=1|Referer=y\n")
        #expect(
            try entries("list.m3u").map(\.location) == [
                "a.mkv", "a.mkv", "a.mkv", "b#1.mkv", "?x=1", "http://127.0.0.1/a?b=1",
            ])
    }

    @Test func `PLS has numbered films, and other lists are not read`() throws {
        folder.write(
            "list.PLS", "[playlist]\r\nNumberOfEntries=2\r\nFile10=b.mkv\r\nFile2=sub\\a=1.mkv\r\nTitle2=One\r\n")
        #expect(try entries("list.PLS") == [PlaylistEntry("sub/a=1.mkv", title: "One"), PlaylistEntry("b.mkv")])
        folder.write("list.asx", "<asx/>")
        let error = #expect(throws: PlaylistError.self) { try entries("list.asx") }
        #expect(error?.what == "lists of this kind are not read" && error?.isEmpty == false)
    }

    /// A camera's card, a link back, a link to nothing, and a folder in Windows' own letters.
    @Test func `films are found in deep folders, once, with the bytes of their names`() throws {
        folder.write("films/PRIVATE/AVCHD/BDMV/STREAM/00000.MTS", "x")
        symlink(".", "\(folder.path)/films/again")
        symlink("/nowhere/film.mkv", "\(folder.path)/films/gone.mkv")
        let odd = "\(folder.path)/films/".utf8.map { CChar($0) } + [-4]
        mkdir(odd + [0], 0o755)
        fclose(fopen(odd + "/\u{FC}.mkv".utf8.map { CChar(bitPattern: $0) } + [0], "w"))
        folder.write("films/two\nlines.mkv", "x")
        #expect(
            try entries("films").map(\.location)
                == [
                    "films/gone.mkv", "films/two\nlines.mkv", "films/PRIVATE/AVCHD/BDMV/STREAM/00000.MTS",
                    "file://\(folder.path)/films/%FC/%C3%BC.mkv",
                ].map { $0.replacing(folder.path + "/", with: "") })
    }

    @Test func `what cannot be read of a list is passed over`() throws {
        mkdir("\(folder.path)/empty", 0o755)
        folder.write("broken.xspf", "<playlist")
        folder.write("list.m3u", "a.mp4\nempty\nbroken.xspf\nlist.m3u\nb.mp4\n")
        let films = try entries("list.m3u").map(\.location)
        #expect(films.first == "a.mp4" && films.last == "b.mp4" && Set(films) == ["a.mp4", "b.mp4"])
        folder.write("nothing.m3u", "empty\n")
        #expect(throws: PlaylistError.self) { try entries("nothing.m3u") }
    }

    @Test func `what is passed over is reported`() throws {
        mkdir("\(folder.path)/empty", 0o755)
        folder.write("broken.xspf", "<playlist")
        folder.write("list.m3u", "a.mp4\nempty\nbroken.xspf\nempty\n")
        let omissions = try Playlist.contents(of: "\(folder.path)/list.m3u").omissions.map(\.description)
        #expect(omissions.count == 2)
        #expect(omissions.first?.hasSuffix("empty: there is no film in this folder") == true)
        #expect(omissions.last?.contains("broken.xspf: line 1") == true)
        folder.write("long.m3u", String(repeating: "a.mp4\n", count: 10_001))
        let long = try Playlist.contents(of: "\(folder.path)/long.m3u")
        #expect(long.omissions.map(\.what) == ["has more than 10000 films; the rest is left out"])
        folder.write("many/1.mp4", "x")
        folder.write("many/2.mp4", "x")
        folder.write("last.m3u", String(repeating: "a.mp4\n", count: 9_999) + "many\n")
        #expect(try Playlist.contents(of: "\(folder.path)/last.m3u").omissions.count == 1)
        folder.write("full.m3u", String(repeating: "a.mp4\n", count: 9_998) + "many\n")
        folder.write("outer.m3u", "full.m3u\n")
        let full = try Playlist.contents(of: "\(folder.path)/outer.m3u")
        #expect(full.omissions.isEmpty && full.entries.count == 10_000)
    }

    @Test func `a list, a folder and a film may be named by the address of a file`() throws {
        folder.write("my list.m3u", "a%20b.mp4\n100%25.mp4\nfilms\n")
        folder.write("a b.mp4", "x")
        folder.write("100%25.mp4", "x")
        folder.write("films/c.mp4", "x")
        let films = ["a b.mp4", "100%25.mp4", "films/c.mp4"].map { "\(folder.path)/\($0)" }
        for address in ["file://", "file:", "FILE://localhost"] {
            let list = try Playlist.contents(of: "\(address)\(folder.path)/my%20list.m3u")
            #expect(list.entries.map(\.location) == films)
            let inner = try Playlist.contents(of: "\(address)\(folder.path)/films")
            #expect(inner.entries.map(\.location) == [films[2]])
        }
        let film = "file://\(folder.path)/a%20b.mp4"
        #expect(try Playlist.contents(of: film).entries == [PlaylistEntry(film)])
        #expect(try Playlist.contents(of: "file://elsewhere/list.m3u").entries.count == 1)
        folder.write(
            "list.xspf",
            """
            <playlist><trackList><track><location>file://localhost\(folder.path)/a%20b.mp4</location></track>
            <track><location>file:\(folder.path)/films/</location></track></trackList></playlist>
            """)
        #expect(
            try Playlist.contents(of: "\(folder.path)/list.xspf").entries.map(\.location)
                == [films[0], "\(folder.path)/films/c.mp4"])
    }

    @Test func `lists in lists do not multiply`() throws {
        folder.write("inner.m3u", String(repeating: "a.mp4\n", count: 9000))
        folder.write("outer.m3u", String(repeating: "inner.m3u\n", count: 9000))
        #expect(try entries("outer.m3u").count <= 10_000)
        folder.write("brief.m3u", "a.mp4\n")
        folder.write("lists.m3u", String(repeating: "brief.m3u\n", count: 2000))
        let lists = try Playlist.contents(of: "\(folder.path)/lists.m3u")
        #expect(lists.entries.count == 999 && lists.omissions.map(\.what) == ["more than 1000 lists in lists"])
        mkdir("\(folder.path)/many", 0o755)
        for number in 0..<200 { folder.write("many/\(number).mp4", "x") }
        folder.write("folders.m3u", String(repeating: "many\n", count: 9000))
        #expect(try entries("folders.m3u").count <= 10_000)
    }

    @Test func `a list that is too large is refused, and not cut in mid-line`() throws {
        folder.write("long.m3u", String(repeating: "film.mp4\n", count: 500_000))
        let error = #expect(throws: PlaylistError.self) { try entries("long.m3u") }
        #expect(error?.what == "is larger than 4096 KB")
    }

    @Test func `M3U is read as editors save it`() throws {
        folder.write("latin.m3u", bytes: Array("M".utf8) + [0xFC] + Array("nchen.mp4\n".utf8))
        #expect(try entries("latin.m3u") == [PlaylistEntry("München.mp4")])
        folder.write("list.M3U8", "\u{FEFF}München.mp4\n")
        #expect(try entries("list.M3U8") == [PlaylistEntry("München.mp4")])
    }

    @Test func `an M3U8 of HLS is a film`() throws {
        folder.write("live.m3u8", "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:4,\npiece0.ts\n")
        #expect(try entries("live.m3u8") == [PlaylistEntry("live.m3u8")])
    }

    @Test func `XSPF has tracks with an address and a title`() throws {
        folder.write(
            "list.xspf",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <playlist version="1" xmlns="http://xspf.org/ns/0/"><title>All</title>
              <trackList>
                <track><location>a%20b.mp4</location><title>One &amp;
                  only</title></track>
                <track><title>without a film</title></track>
                <track><location>file:///root/c%25.mp4</location><location>other.mp4</location></track>
                <track><location>https://example.org/d%20e.mp4</location></track>
              </trackList>
            </playlist>
            """)
        #expect(
            try entries("list.xspf") == [
                PlaylistEntry("a b.mp4", title: "One & only"), PlaylistEntry("/root/c%.mp4"),
                PlaylistEntry("https://example.org/d%20e.mp4"),
            ])
    }

    @Test(arguments: [
        ("<playlist><trackList><track></trackList>", "line 1"), ("<html></html>", "not a playlist"),
        ("<playlist><trackList/></playlist>", "no film in this list"), ("", "line 1"),
        // Ten lines that expand to ten thousand million: refused, and not kept in memory.
        (
            "<!DOCTYPE a [<!ENTITY a0 \"aaaaaaaaaa\">"
                + (1...9).map { "<!ENTITY a\($0) \"\(String(repeating: "&a\($0 - 1);", count: 10))\">" }.joined()
                + "]><playlist><title>&a9;</title></playlist>", "limit on input amplification"
        ),
    ])
    func `what is no list of films is said`(_ text: String, _ what: String) {
        folder.write("list.xspf", text)
        do {
            _ = try entries("list.xspf")
            Issue.record("it was read")
        } catch {
            #expect("\(error)".contains(what))
        }
    }

    @Test func `lists may hold lists and folders, but not themselves`() throws {
        folder.write("inner/film 10.mp4", "x")
        folder.write("inner/film 9.mp4", "x")
        folder.write("inner/list.m3u", "film 9.mp4")
        folder.write("list.m3u", "inner\ninner/list.m3u\n")
        #expect(
            try entries("list.m3u").map(\.location) == ["inner/film 9.mp4", "inner/film 10.mp4", "inner/film 9.mp4"])
        folder.write("self.m3u", "self.m3u\n")
        #expect(throws: PlaylistError.self) { try entries("self.m3u") }
        folder.write("empty/notes.txt", "x")
        #expect(throws: PlaylistError.self) { try entries("empty") }
    }
}

/// A folder that is removed with its test.
private final class Folder {
    let path: String

    init() {
        var template = Array("/tmp/vitrine-playlists-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/nowhere"
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ name: String, _ text: String) {
        write(name, bytes: Array(text.utf8))
    }

    func write(_ name: String, bytes: [UInt8]) {
        if let slash = name.lastIndex(of: "/") {
            try? FileManager.default.createDirectory(
                atPath: "\(path)/\(name[..<slash])", withIntermediateDirectories: true)
        }
        let stream = fopen("\(path)/\(name)", "w")
        fwrite(bytes, 1, bytes.count, stream)
        fclose(stream)
    }
}
