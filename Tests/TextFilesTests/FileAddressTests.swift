import Glibc
import Testing

@testable import TextFiles

/// Names of files whose bytes are not UTF-8.
struct FileAddressTests {
    @Test(arguments: [
        ("file:///films/a%20b.mp4", "/films/a b.mp4"), ("FILE://localhost/a", "/a"), ("file:/a", "/a"),
        ("file:///f%FCnf%201.mkv", "file:///f%FCnf%201.mkv"), ("file:///100%", "/100%"),
        ("file://elsewhere/a", nil), ("file:a", nil), ("/films/a%20b.mp4", nil),
    ])
    func `an address is a path, or stays one`(_ address: String, _ path: String?) {
        #expect(FileAddress.path(of: address) == path)
    }

    @Test func `bytes are kept, and read as Windows writes them`() {
        let bytes: [UInt8] = Array("/films/f".utf8) + [0xFC] + Array("nf #1.mkv".utf8)
        let name = FileAddress.name(ofPath: bytes)
        #expect(name == "file:///films/f%FCnf%20%231.mkv")
        #expect(FileAddress.bytes(of: name) == bytes)
        #expect(FileAddress.withPath(name) { strlen($0) } == bytes.count)
        #expect(FileAddress.readable(name) == "/films/fünf #1.mkv")
        #expect(FileAddress.name(ofPath: [0xFC], besides: "/films/list.m3u") == "file:///films/%FC")
        #expect(FileAddress.name(ofPath: Array("b".utf8), besides: name) == "/films/b")
        #expect(FileAddress.name(ofPath: [0xFC], besides: "a").hasPrefix("file:///"))
    }
}
