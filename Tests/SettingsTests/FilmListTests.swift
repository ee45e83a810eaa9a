import Glibc
import Playlists
import Testing

@testable import Settings

/// The folder `films` on the card (N8).
struct FilmListTests {
    private let folder = Temporary()

    private func list(_ text: String = "") -> FilmList {
        FilmList(of: SettingsFile(path: "\(folder.path)/vitrine.toml", bytes: Array(text.utf8)))
    }

    private func names(_ list: FilmList) -> [String] { list.films.map { String($0.dropFirst(folder.path.count + 1)) } }

    @Test func `a folder's films are played by name, and what systems leave there is not`() {
        for name in [
            "film 10.mp4", "Film 2.MOV", "film 1.mkv", "noending", "._film 1.mkv", ".DS_Store", "readme.txt",
            "vitrine.toml",
            "Thumbs.db", "film 1.srt", "more/film 0.mp4", "System Volume Information/x.mp4", "$RECYCLE.BIN/x.mp4",
            "__MACOSX/x.mp4", "Icon\r", "$9.99 (2008).mkv", "...And Justice.mkv", "GX010001.LRV", "x.mp4.filepart",
            "talk.pptx", "sums.md5",
        ] { folder.write("films/\(name)") }
        mkdir("\(folder.path)/films/more", 0o755)
        folder.write("films/more/film 0.mp4")
        let list = list()
        #expect(
            names(list) == [
                "films/$9.99 (2008).mkv", "films/...And Justice.mkv", "films/film 1.mkv", "films/Film 2.MOV",
                "films/film 10.mp4", "films/noending", "films/more/film 0.mp4",
            ])
        #expect(list.problems == [] && list.omissions == [])
        #expect(list.notes.count == 1 && list.notes.first?.contains("GX010001.LRV, sums.md5") == true, "\(list.notes)")
    }

    @Test func `the films in the folder attract loop, and are none of the others`() {
        for name in ["The river.mp4", "attract/loop.mp4", "more/mills.mp4"] { folder.write("films/\(name)") }
        let list = list()
        #expect(names(list) == ["films/The river.mp4", "films/more/mills.mp4"])
        #expect(list.attract.map(\.location) == ["\(folder.path)/films/attract/loop.mp4"])
        let off = self.list("attract = \"off\"")
        #expect(off.attract.isEmpty && off.films.count == 3)
        let other = self.list("attract = \"films/more\"")
        #expect(names(other) == ["films/The river.mp4", "films/attract/loop.mp4"] && other.attract.count == 1)
    }

    @Test func `the attract folder is the same however its path is written`() {
        for name in ["The river.mp4", "attract/loop.mp4", "attract/more/loop.mp4"] { folder.write("films/\(name)") }
        symlink("attract", "\(folder.path)/films/Loop")
        for name in ["films/attract/", "films//attract", "./films/attract", "films/Loop"] {
            let list = list("attract = \"\(name)\"")
            #expect(names(list) == ["films/The river.mp4"] && list.attract.count == 2, "\(name): \(names(list))")
        }
        let slash = list("films = \"films/\"")
        #expect(slash.films.count == 1 && slash.attract.count == 2, "\(slash.films)")
    }

    @Test func `where there are only attract films, these are the films`() {
        folder.write("films/attract/loop.mp4")
        let only = list()
        #expect(names(only) == ["films/attract/loop.mp4"] && only.attract.isEmpty && only.problems.isEmpty)
        folder.write("films/a.mp4")
        let all = list("\nattract = \"films\"")
        #expect(all.films.count == 2 && all.attract.isEmpty && all.omissions.map(\.line) == [2], "\(all)")
    }

    @Test func `a film's poster is nothing that is passed over`() {
        for name in ["films/The river.mp4", "films/The river.jpg", "films/other.png"] { folder.write(name) }
        let list = list()
        #expect(list.omissions.count == 1 && "\(list.omissions)".contains("other.png"), "\(list.omissions)")
        #expect(!"\(list.omissions)".contains("river"), "\(list.omissions)")
    }

    @Test func `several films and nothing on the screen have no menu, which is reported at the line of osd`() {
        for name in ["a.mp4", "b.mp4", "attract/loop.mp4"] { folder.write("films/\(name)") }
        let omissions = list("idle-seconds = 20\nosd = \"off\"").omissions
        #expect(omissions.map(\.line) == [2] && omissions.first?.what.contains("menu") == true, "\(omissions)")
        #expect(list("osd = \"off\"\nmenu = \"off\"").omissions == [])
        #expect(list("osd = \"off\"\nattract = \"off\"").omissions == [])
        #expect(list("").omissions == [])
    }

    @Test func `an attract folder that is missing or has no film costs itself`() {
        folder.write("films/a.mp4")
        let missing = list("\nattract = \"welcome\"")
        #expect(missing.attract.isEmpty && names(missing) == ["films/a.mp4"])
        #expect(missing.omissions.map(\.line) == [2], "\(missing.omissions)")
        mkdir("\(folder.path)/films/attract", 0o755)
        let empty = list()
        #expect(empty.attract.isEmpty && empty.omissions.count == 1 && names(empty) == ["films/a.mp4"])
    }

    @Test func `films are found from the settings file, from the root, and on the network`() {
        folder.write("b.mp4")
        folder.write("a.mp4")
        let list = list("films = [\"b.mp4\", \"\(folder.path)/a.mp4\", \"https://example.org/c.mp4\"]")
        #expect(list.films == ["\(folder.path)/b.mp4", "\(folder.path)/a.mp4", "https://example.org/c.mp4"])
        #expect(list.problems == [])
    }

    @Test func `files, folders and lists may be named by their addresses`() {
        folder.write("a b.mp4")
        folder.write("films/c.mp4")
        folder.write("list.m3u", "a%20b.mp4\n")
        let addresses = ["a%20b.mp4", "films", "list.m3u"].map { "\"file://\(folder.path)/\($0)\"" }
        let list = list("films = [\(addresses.joined(separator: ", "))]")
        #expect(names(list) == ["a b.mp4", "films/c.mp4", "a b.mp4"])
        #expect(list.problems == [])
        #expect(
            self.list("films = [\"file:///nowhere.mp4\"]").problems.first?.what.contains("no film or folder") == true)
    }

    @Test func `a film that is not there is reported with its line, and the others are played`() {
        folder.write("a.mp4")
        let list = list("\nfilms = [\"A.mp4\", \"a.mp4\"]")
        #expect(names(list) == ["a.mp4"])
        #expect(list.problems.map(\.line) == [2])
        #expect(list.problems.first?.value == "A.mp4")
        #expect(list.problems.first?.remedy.contains("upper and lower case") == true)
    }

    @Test func `a list without a film is reported`() {
        #expect(list().problems.map(\.line) == [nil])
        folder.write("films/readme.txt")
        #expect(list().problems.first?.what.contains("there is no film in") == true)
        #expect(list("films = \"films\"").problems.map(\.line) == [1])
    }

    @Test func `pictures in a folder are reported, and how to show them`() {
        folder.write("films/cover.jpg")
        #expect(list().omissions.first?.what.contains("there are only pictures") == true)
        folder.write("films/film.mkv")
        let list = list("films = \"films\"")
        #expect(names(list) == ["films/film.mkv"] && list.problems == [])
        #expect(list.omissions.map(\.line) == [1])
        #expect(list.omissions.first?.what.hasSuffix("are passed over: cover.jpg") == true)
        #expect(list.omissions.first?.remedy.contains("name it in a list") == true)
    }

    @Test func `by chance, all are played`() {
        for number in 1...30 { folder.write("films/\(number).mp4") }
        let (first, second) = (list("order = \"random\"").films, list("order = \"random\"").films)
        #expect(first.count == 30 && Set(first) == Set(second))
        #expect(first != second, "30! to 1")
    }
}

/// `vitrine-errors.txt`
struct ErrorsFileTests {
    private let folder = Temporary()
    private let problem = SettingsProblem(
        file: "x/vitrine.toml", line: 3, value: "volume = 101", what: "too much", remedy: "less")

    private var errors: ErrorsFile { ErrorsFile(beside: SettingsFile(path: "\(folder.path)/vitrine.toml", bytes: [])) }

    @Test func `it is there while something is wrong, and says the same once`() throws {
        try errors.report([problem])
        let text = try #require(folder.read("vitrine-errors.txt"))
        #expect(text.contains("Line 3: volume = 101  ->  too much; less.\r\n"))
        try errors.report([problem, SettingsProblem(file: "b.mp4", what: "passed over", remedy: "change it")])
        #expect(folder.read("vitrine-errors.txt")?.contains("b.mp4: passed over; change it.\r\n") == true)
        try errors.report([problem])
        var before = stat()
        stat(errors.path, &before)
        try errors.report([problem])
        var after = stat()
        stat(errors.path, &after)
        #expect(before.st_ino == after.st_ino, "the card is not written to for nothing")
        try errors.report([])
        #expect(folder.read("vitrine-errors.txt") == nil)
        try errors.report([])
    }

    @Test func `where it cannot be written, that is said`() {
        let errors = ErrorsFile(beside: SettingsFile(path: "/proc/vitrine.toml", bytes: []))
        #expect(throws: FileError.self) { try errors.report([problem]) }
    }
}
