import PlayerCore
import Testing

@Suite("Passwords in addresses are the server's alone (M1)")
struct AddressPasswordTests {
    @Test(
        "whatever signs a password has, it is hidden",
        arguments: ["rtsp", "http"],
        [
            "secret", "", "p#w", "p/w", "p?w", "p@w", "p%23w", "p:w", "80", "80/w", "p@s/w", "p/s@w", "p?s#w:/@", "@w",
            "//w", "p@s.s/w",
            "p w", "pé@ß",
        ])
    func signs(scheme: String, password: String) {
        for (host, shown) in [("camera", "camera"), ("192.168.1.9:554/live?a=1", "192.168.1.9:554/live?a=1")] {
            #expect(AddressPassword.hidden(in: "\(scheme)://ann:\(password)@\(host)") == "\(scheme)://ann@\(shown)")
            // Users' names may be mail addresses, too.
            #expect(
                AddressPassword.hidden(in: "\(scheme)://ann@example.org:\(password)@\(host)")
                    == "\(scheme)://ann@example.org@\(shown)")
        }
    }

    @Test(
        "an address without a password stays as it is",
        arguments: [
            "http://example.org:80/a:b@c.mp4", "http://ann@example.org/film.mp4", "http://ann@example.org/a:b@c.mp4",
            "rtsp://192.168.1.9:554/live@2", "http://localhost:8080/@ann/film.mp4", "http://[fe80::1]:80/a@b.mp4",
            "http://example.org/film.mp4?at=10:20&mail=ann@example.org", "udp://@:5004", "udp://@239.1.2.3:5004",
            "http://example.org/compass=2/film.mp4", "films/a:b@c.mp4", "-", "",
        ])
    func innocent(address: String) {
        #expect(AddressPassword.hidden(in: address) == address)
    }

    @Test("behind a host that is one for certain, an @ is the path's")
    func path() {
        #expect(AddressPassword.hidden(in: "http://ann:p@10.0.0.7/a@b.mp4") == "http://ann@10.0.0.7/a@b.mp4")
        #expect(AddressPassword.hidden(in: "http://ann:p@localhost:80/a@b.mp4") == "http://ann@localhost:80/a@b.mp4")
        #expect(AddressPassword.hidden(in: "http://ann:p@host/w@camera") == "http://ann@camera")
    }

    @Test(
        "passwords that have a name are hidden, too",
        arguments: [
            ("http://camera/video.cgi?user=ann&pwd=1234", "http://camera/video.cgi?user=ann&pwd=..."),
            ("http://camera/?Password=a/b@c&n=1", "http://camera/?Password=...&n=1"),
            (
                "rtsp://camera/user=ann_password=12_34_channel=1_stream=0.sdp",
                "rtsp://camera/user=ann_password=..._channel=1_stream=0.sdp"
            ),
        ])
    func named(address: String, shown: String) {
        #expect(AddressPassword.hidden(in: address) == shown)
    }

    @Test("in texts about an address, and in a line of addresses")
    func texts() {
        let address = "rtsp://ann:p#w@camera/live"
        #expect(
            AddressPassword.hidden(of: address, in: "from \(address) and \(address)")
                == "from rtsp://ann@camera/live and rtsp://ann@camera/live")
        #expect(
            AddressPassword.hidden(inLine: #"films = ["http://a/b.mp4", "\#(address)"]"#)
                == #"films = ["http://a/b.mp4", "rtsp://ann@camera/live"]"#)
        let several = AddressPassword.hidden(inLine: #"films = ["\#(address)", "http://bob:q"r@b/c.mp4""#)
        #expect(!several.contains("p#w") && !several.contains("q\"r"))
        #expect(AddressPassword.hidden(of: "film.mp4", in: "film.mp4: a:b@c") == "film.mp4: a:b@c")
    }
}
