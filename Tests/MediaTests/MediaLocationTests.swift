import Foundation
import Media
import PlayerCore
import Testing

@Suite("Where a film is: paths and URIs (M1)")
struct MediaLocationTests {
    /// A folder for each test, which is removed with it.
    final class Folder {
        let path: String

        init() throws {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("vitrine-\(UUID())")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            path = url.path
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }

        func file(_ name: String, bytes: Int = 3) throws -> String {
            let file = "\(path)/\(name)"
            try Data(count: bytes).write(to: URL(fileURLWithPath: file))
            return file
        }
    }

    private func failure(of text: String) -> MediaFailure? {
        do throws(MediaFailure) {
            _ = try MediaLocation(text)
            return nil
        } catch {
            return error
        }
    }

    @Test("a path becomes a URI, with what is special in it escaped, and is local (M4)")
    func path() throws {
        let folder = try Folder()
        let path = try folder.file("Ein Film über 100% #1?.final.mp4")
        let location = try MediaLocation(path)
        #expect(location.uri == "file://\(folder.path)/Ein%20Film%20%C3%BCber%20100%25%20%231%3F.final.mp4")
        #expect(location.isLocal && location.path == path && location.name == path)
        #expect(location.title == "Ein Film über 100% #1?.final")
    }

    @Test("a file: URI is a path, too")
    func fileURI() throws {
        let folder = try Folder()
        #expect(failure(of: "file://\(folder.path)/none.mp4")?.reason == .noSuchFile)
        _ = try folder.file("a b.mp4")
        let location = try MediaLocation("file://\(folder.path)/a%20b.mp4")
        #expect(location.path == "\(folder.path)/a b.mp4" && location.isLocal && location.title == "a b")
    }

    @Test("a name that is not UTF-8 keeps its bytes")
    func bytes() throws {
        let folder = try Folder()
        let uri = "file://\(folder.path)/f%FCnf.mkv"
        let file = try #require(
            fopen(Array("\(folder.path)/f".utf8).map(CChar.init) + [-4, 0x6E, 0x66, 0x2E, 0x6D, 0x6B, 0x76, 0], "w"))
        fputs("film", file)
        fclose(file)
        let location = try MediaLocation(uri)
        #expect(location.uri == uri && location.path == uri && location.isLocal && location.size == 4)
        #expect(location.title == "fünf" && location.fileTitle == "fünf")
        #expect(failure(of: "\(folder.path)/f\u{FFFD}nf.mkv")?.reason == .noSuchFile)
    }

    @Test("a file whose name begins like an address is a file")
    func colon() throws {
        let folder = try Folder()
        _ = try folder.file("Alien: Covenant.mkv")
        let here = FileManager.default.currentDirectoryPath
        defer { _ = FileManager.default.changeCurrentDirectoryPath(here) }
        #expect(FileManager.default.changeCurrentDirectoryPath(folder.path))
        _ = try folder.file("Who: Me?.mkv")
        let other = try MediaLocation("Who: Me?.mkv")
        #expect(other.title == "Who: Me?" && other.fileTitle == "Who: Me?")
        let location = try MediaLocation("Alien: Covenant.mkv")
        #expect(location.isLocal && location.title == "Alien: Covenant")
        #expect(
            location.uri == "file://\(folder.path)/Alien%3A%20Covenant.mkv"
                || location.uri.hasSuffix("/Alien:%20Covenant.mkv"))
        #expect(try MediaLocation("Aliens: not there.mkv").isLocal == false)
    }

    @Test(
        "any other URI is left as it is, and is remote",
        arguments: [
            ("https://example.org/films/Night%20Train.mp4?key=a.b/c", "Night%20Train"), ("rtsp://camera/live", "live"),
            ("http://example.org/", "example"),
        ])
    func remote(text: String, title: String) throws {
        let location = try MediaLocation(text)
        #expect(location.uri == text && !location.isLocal && location.path == nil)
        if text.hasSuffix("/") { #expect(!location.title.isEmpty) } else { #expect(location.title == title) }
    }

    @Test(
        "UDP is received as VLC writes it, too",
        arguments: [
            ("udp://@:5004", "udp://0.0.0.0:5004"), ("udp://@239.1.2.3:5004", "udp://239.1.2.3:5004"),
            ("udp://239.1.2.3:5004", "udp://239.1.2.3:5004"),
        ])
    func senders(text: String, uri: String) throws {
        let location = try MediaLocation(text)
        #expect(location.uri == uri && location.name == text && !location.isLocal)
    }

    @Test(
        "a password is nobody's business",
        arguments: [
            ("http://ann:secret@example.org/film.mp4", "http://ann@example.org/film.mp4"),
            ("rtsp://ann:p:@cret@camera:554/live", "rtsp://ann@camera:554/live"),
            ("http://ann@example.org/film.mp4", "http://ann@example.org/film.mp4"),
            ("rtsp://ann:se#cr/et?@192.168.1.9:554/live", "rtsp://ann@192.168.1.9:554/live"),
            ("http://example.org:80/a:b@c.mp4", "http://example.org:80/a:b@c.mp4"),
        ])
    func password(text: String, name: String) throws {
        let location = try MediaLocation(text)
        #expect(location.name == name && location.uri == text)
        #expect(MediaLocation.withoutPassword(of: text, "from \(text) and \(text)") == "from \(name) and \(name)")
    }

    @Test("a text that has the password's signs as they are has it no longer, either")
    func unescapedPassword() {
        let address = "rtsp://ann:top%23key@camera/live"
        #expect(
            MediaLocation.withoutPassword(of: address, "no answer from rtsp://ann:top#key@camera/live")
                == "no answer from rtsp://ann@camera/live")
    }

    @Test("names without an ending, and hidden ones, are their own titles (A12)", arguments: [".mp4", "film", "a.b.c"])
    func titles(name: String) throws {
        let folder = try Folder()
        #expect(try MediaLocation(folder.file(name)).title == (name == "a.b.c" ? "a.b" : name))
    }

    @Test("what is not there, is a folder or is empty is said before anything is built")
    func wrong() throws {
        let folder = try Folder()
        let missing = try #require(failure(of: "\(folder.path)/none.mp4"))
        #expect(missing.reason == .noSuchFile && missing.message.contains("none.mp4: No such file or directory (2)"))
        #expect(failure(of: "")?.reason == .noSuchFile)
        #expect(failure(of: folder.path)?.reason == .notMedia)
        let empty = try #require(failure(of: folder.file("empty.mp4", bytes: 0)))
        #expect(empty.reason == .notMedia && empty.message.contains("0 bytes"))
        #expect(failure(of: "file:relative.mp4")?.reason == .noSuchFile)
        #expect(failure(of: "file://elsewhere/film.mp4") != nil)
        #expect(failure(of: "\(try folder.file("film.mp4"))/inside.mp4")?.reason == .noSuchFile)
    }
}
