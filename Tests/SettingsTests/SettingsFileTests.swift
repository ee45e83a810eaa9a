import Glibc
import PlayerCore
import Testing

@testable import Settings
@testable import TextFiles

/// The file on the card, as people write it (N8).
struct SettingsFileTests {
    private func file(_ text: String) -> SettingsFile { SettingsFile(path: "vitrine.toml", bytes: Array(text.utf8)) }

    /// "LINE: what; remedy", of each problem.
    private func reported(_ text: String) -> [String] {
        file(text).problems.map { "\($0.line ?? 0): \($0.what); \($0.remedy)" }
    }

    @Test func `every setting is read`() {
        let file = file(
            """
            films = ["a.mp4", "films"]   # both
            attract = "welcome"
            menu = "on"
            idle-seconds = 45
            film-idle-seconds = 300
            countdown-seconds = 5
            statistics = false
            volume-limit = 80
            order = "random"
            at-end = "pause"
            resume = false
            volume = 40
            mute = true
            sound = ["hdmi", "LG TV"]
            connector = "HDMI-A-2"
            mode = "1920x1080@50"
            rotate = 270
            reflect = true
            gravity = "fill"
            osd = "off"
            controls = "bar"
            time = "remaining"
            choose-output = true
            match-refresh = true
            when-unplugged = "pause"
            touch = "Goodix"
            languages = ["de", "pt-BR"]
            subtitles = "de, en"
            time-zone = "Europe/Berlin"
            host-name = "museum-2"
            wifi = "Café #1"
            wifi-password = "a \\"secret\\" word"
            wifi-country = "DE"
            network-address = "192.168.1.20/24"
            network-gateway = "192.168.1.1"
            name-servers = "9.9.9.9"
            remote-password = "longer than 8"
            ssh-keys = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAnfKqVmUMvsrnNXBpvqSKAiI1eAeUQGL9Wmb5IfsDHE me"
            """)
        #expect(file.problems == [])
        #expect(file.lines.count == SettingsKey.allCases.count)
        var expected = Settings()
        expected.films = ["a.mp4", "films"]
        (expected.order, expected.atEnd, expected.resume) = (.random, .pause, false)
        (expected.volume, expected.mute, expected.sound) = (40, true, ["hdmi", "LG TV"])
        (expected.connector, expected.mode, expected.rotate) = ("HDMI-A-2", "1920x1080@50", .threeQuarters)
        (expected.controls, expected.time, expected.chooseOutput) = (.bar, .remaining, true)
        (expected.reflect, expected.osd, expected.matchRefresh) = (true, .off, true)
        (expected.whenUnplugged, expected.touch) = (.pause, "Goodix")
        (expected.gravity, expected.subtitles) = (.resizeAspectFill, "de, en")
        (expected.languages, expected.timeZone, expected.hostName) = (["de", "pt-BR"], "Europe/Berlin", "museum-2")
        expected.attract = "welcome"
        expected.menu = .on
        (expected.idleSeconds, expected.filmIdleSeconds, expected.countdownSeconds) = (45, 300, 5)
        expected.statistics = false
        expected.volumeLimit = 80
        expected.network.wifi = "Café #1"
        expected.network.wifiPassword = "a \"secret\" word"
        expected.network.wifiCountry = "DE"
        expected.network.address = "192.168.1.20/24"
        expected.network.gateway = "192.168.1.1"
        expected.network.nameServers = ["9.9.9.9"]
        expected.remotePassword = "longer than 8"
        expected.sshKeys = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAnfKqVmUMvsrnNXBpvqSKAiI1eAeUQGL9Wmb5IfsDHE me"]
        #expect(file.settings == expected)
    }

    @Test func `an empty text leaves a setting open`() {
        let file = file("connector = \"\"\nlanguages = []\nwifi-password = ''")
        #expect(file.problems == [])
        #expect(file.settings == Settings())
    }

    // MARK: Mistakes

    @Test(arguments: [
        ("volume = 101", "this is too much", "0 to 100"),
        ("volume = -1", "this is too little", "0 to 100"),
        ("volume = 50.5", "this is a number, not a whole number", "write volume = 50"),
        ("volume = \"50\"", "this is a text, not a whole number", "write volume = 50"),
        ("volume = 80,5", "this is not a number", "write volume = 80"),
        ("volume = 080", "this is not a number", "write volume = 80"),
        ("volume = 0,8", "this is not a number", "write volume = 50"),
        ("volume = loud", "this is not a number", "write volume = 50"),
        ("volume 30", "has no \"=\"", "write volume = 30"),
        ("lautstärke = 30", "there is no setting \"lautstärke\"", "write volume = 30"),
        ("schriftgröße = 30", "there is no setting \"schriftgröße\"", "remove the line"),
        ("statistics: false", "has no \"=\"", "write statistics = false"),
        ("statistics = nein", "this is not true or false", "write statistics = false"),
        ("resume = off", "this is not true or false", "write resume = false"),
        ("loop = no", "there is no setting \"loop\"", "write at-end = \"loop\" or \"pause\" or \"stop\""),
        ("remaining = yes", "there is no setting", "write time = \"total\" or \"remaining\""),
        ("menu = off", "this is not \"", "write menu = \"off\""),
        ("wifi = off", "this is not a text", "write wifi = \"\""),
        ("wifi = Gast#1", "this is not a text", "write wifi = \"Gast#1\""),
        ("volume = 1e2", "this is a number", "0 to 100"),
        ("idle-seconds = 5 minutes", "this is not a number", "write idle-seconds = 300"),
        ("resume = False", "this is not true or false", "write resume = false"),
        ("subtitles = off", "this is not a text", "write subtitles = \"off\""),
        ("subtitles = de, en", "this is not a text", "write subtitles = \"de, en\""),
        ("attract = false", "this is false, not a text", "write attract = \"off\""),
        ("attract = yes", "this is not a text", "write attract = \"films/attract\""),
        ("idle-seconds = 60,5", "this is not a number", "write idle-seconds = 60"),
        ("idle_seconds = 60", "there is no setting \"idle_seconds\"", "write idle-seconds = 60"),
        ("wifi = Museum Gast", "this is not a text", "write wifi = \"Museum Gast\""),
        ("sound = \"hdmi\", \"usb\"", "several values", "write sound = [\"hdmi\", \"usb\"]"),
        ("sound = Kopfhörer", "this is not a text", "write sound = \"headphones\""),
        ("sound = off", "this is not a text", "write mute = true"),
        ("rotate = \"90\"", "this is a text, not a number", "write rotate = 90"),
        ("wifi-password = geheim12", "this is not a text", "write wifi-password = \"...\""),
        ("films = http://me:secret@host/a.mp4", "this is not a text", "write films = \"...\""),
        ("volume = 50%", "this is not a number", "write volume = 50"),
        ("mute = yes", "this is not true or false", "write mute = true"),
        ("sound = false", "this says where the sound comes out", "write mute = true"),
        ("sound = 1", "this is a number, not a text", "\"hdmi\""),
        ("sound = [\"hdmi\", \"usb\", \"headphones\"]", "in 2 places at the most", "write for example"),
        ("audio = \"hdmi\"", "there is no setting \"audio\"", "write sound = \"hdmi\""),
        ("mute = 1", "this is a number, not true or false", "write mute = true"),
        ("rotate = 45", "turns by quarters", "0, 90, 180 or 270"),
        ("mode = 1280x720", "this is not a mode between quotes", "write mode = \"1280x720\""),
        ("mode = \"1280\"", "this is not a mode", "1920x1080@50"),
        ("mode = \"1280x720", "not closed", "write \""),
        ("mode = “1280x720”", "quotes", "straight quotes"),
        ("films = \"C:\\videos\"", "between double quotes", "/"),
        ("films = \"C:\\new\"", "control characters", "/"),
        ("osd = \"on\"", "no such choice", "\"automatic\", \"plane\", \"composited\" or \"off\""),
        ("controls = \"all\"", "no such choice", "\"full\", \"bar\" or \"off\""),
        ("time = \"left\"", "no such choice", "\"total\" or \"remaining\""),
        ("buttons = \"off\"", "there is no setting", "write controls = \"off\""),
        ("choose-output = \"yes\"", "not true or false", "write choose-output = true"),
        ("osd =", "nothing behind", "write osd = \"automatic\""),
        ("mute true", "has no \"=\"", "write mute = true"),
        ("idle-seconds = 2", "too little", "from 5 to 3600"),
        ("menu = \"posters\"", "no such choice", "\"automatic\""),
        ("volume-limit = 101", "too much", "from 0 to 100"),
        ("turn the picture", "has no \"=\"", "#"),
        ("Volume = 3", "there is no setting \"Volume\"", "write volume = 3"),
        ("volum = 3", "there is no setting \"volum\"", "write volume = 3"),
        ("time_zone = \"UTC\"", "there is no setting \"time_zone\"", "write time-zone"),
        ("loop = yes", "there is no setting \"loop\"", "write at-end = \"loop\""),
        ("display.rotate = 90", "there is no setting \"display.rotate\"", "write rotate"),
        ("colour = \"blue\"", "there is no setting \"colour\"", "remove the line"),
        ("time-zone = \"Europe/Nowhere\"", "no such time zone", "Europe/Berlin"),
        ("time-zone = \"../../etc/passwd\"", "no such time zone", "Europe/Berlin"),
        ("host-name = \"my museum\"", "machine's name", "museum-2"),
        ("languages = [\"german\"]", "short name", "\"de\""),
        ("languages = 1979-05-27", "this is a date or a time", "\"de\""),
        ("wifi-country = \"Germany\"", "country's code", "\"DE\""),
        ("wifi = \"\(String(repeating: "x", count: 33))\"", "at most 32", "router"),
        ("wifi = \"a\\nb\"", "control characters", "one line"),
        ("network-address = \"192.168.1.20\"", "length", "/24"),
        ("network-address = \"192.168.1.20/+24\"", "length", "/24"),
        ("network-gateway = \"192.168.1\"", "not an address", "192.168.1.1"),
        ("remote-password = \"short\"", "too short", "8"),
        ("ssh-keys = \"-----BEGIN OPENSSH PRIVATE KEY-----\"", "private key", ".pub"),
    ])
    func `each mistake has its line, what is wrong, and its remedy`(line: String, what: String, remedy: String) {
        let file = file("# note\nreflect = true\n\(line)\nresume = false\n")
        #expect(file.problems.count == 1, "\(file.problems)")
        guard let problem = file.problems.first else { return }
        #expect(problem.line == 3)
        #expect(problem.what.contains(what), "\(problem)")
        #expect(problem.remedy.contains(remedy), "\(problem)")
        // The rest of the file is valid, and the wrong line has no effect.
        var expected = Settings()
        (expected.reflect, expected.resume) = (true, false)
        #expect(file.settings == expected)
    }

    @Test(arguments: [
        "wifi password geheim12", "wifi password: geheim12", "WLAN Passwort geheim12",
        "wifi = Museum, password = geheim12",
        "wifi = Museum wifi-password = geheim12", "WIFI:S:Museum;T:WPA;P:geheim12;;", "wifi-password = geheim12",
        "wlan-schlüssel = geheim12", "wifi schlüssel geheim12", "films = http://me:geheim12@host/a.mp4",
        "films = http://me:se,geheim12@host/a.mp4", "films = http://me:geheim12@host/a.mp4, b.mp4",
    ])
    func `no remedy repeats a password`(line: String) {
        let problems = file(line).problems
        #expect(!problems.isEmpty && !problems.contains { "\($0)".contains("geheim12") }, "\(problems)")
    }

    @Test func `TextEdit's formatted text is one mistake`() {
        let file = file("{\\rtf1\\ansi\\ansicpg1252\n{\\fonttbl}\n\\f0\\fs24 \\cf0 rotate = 90\\\n}")
        #expect(file.problems.count == 1)
        #expect(file.problems.first?.remedy.contains("Make Plain Text") == true)
        #expect(file.settings == Settings())
    }

    @Test func `a problem is one line that a person can follow`() {
        #expect(
            file("\nvolume = 150 # loud").problems.map(\.description) == [
                "vitrine.toml:2: volume = 150: this is too much; write a whole number from 0 to 100, without quotes"
            ])
    }

    @Test func `a list that is not closed costs no line after it`() {
        let file = file("films = [\n  \"a.mp4\",\n  \"b.mp4\",\nvolume = 40\n\nmute = true")
        #expect(
            reported("films = [\n  \"a.mp4\",\n  \"b.mp4\",\nvolume = 40\n\nmute = true").map { $0.prefix(2) } == ["1:"]
        )
        #expect(file.settings.volume == 40 && file.settings.mute)
    }

    @Test func `lists and texts may take several lines`() {
        let file = file(
            "films = [  # all\n  \"a.mp4\",\n\n  \"b.mp4\"\n]\nvolume = 4\nhost-name = \"\"\"\nvitrine\"\"\"\nrotate = 45"
        )
        #expect(file.settings.films == ["a.mp4", "b.mp4"])
        #expect(file.settings.volume == 4)
        #expect(file.settings.hostName == "vitrine")
        #expect(file.problems.map(\.line) == [9])
    }

    @Test func `the first of two lines holds`() {
        #expect(file("volume = 10\nvolume = 20").settings.volume == 10)
        #expect(
            reported("volume = 10\nvolume = 20") == [
                "2: volume stands in line 1 already, which holds; remove one of the two lines"
            ])
    }

    @Test func `sections are not needed, and what stands in them counts`() {
        let file = file("[display]\nrotate = 90\n[network\nwifi-country = \"DE\"")
        #expect(file.problems.map(\.line) == [1, 3])
        #expect(file.settings.rotate == .quarter)
        #expect(file.settings.network.wifiCountry == "DE")
    }

    @Test func `of a list, what is right holds`() {
        #expect(file("languages = [\"de\", \"french\", \"en\"]").settings.languages == ["de", "en"])
    }

    @Test func `a setting that stands twice is read where it is right`() {
        let file = file("volume = 500\nvolume = 50")
        #expect(file.settings.volume == 50)
        #expect(file.problems.count == 1)
    }

    @Test func `a gateway alone does nothing, and is reported, in the file's order`() {
        let file = file("volumme = 1\nnetwork-gateway = \"10.0.0.1\"\nrotate = 45")
        #expect(file.problems.map(\.line) == [1, 2, 3])
        #expect(file.problems[1].what == "network-gateway does nothing without network-address")
        #expect(self.file("network-gateway = \"10.0.0.1\"\nnetwork-address = 5").problems.count == 1)
    }

    /// A network of that name without a password may be anybody's.
    @Test(arguments: [
        "wifi-password = \"short\"", "wifi-pasword = \"long enough\"", "wifi-password = unquoted", "wifi-password = ",
        "password = \"long enough\"",
    ])
    func `without its password, a wireless network is not joined`(line: String) {
        #expect(file("wifi = \"Museum\"\n\(line)").settings.network.wifi == nil)
        let address = "network-address = \"10.0.0.2/8\"\nnetwork-gateway = \"10.0.0.1\"\n"
        #expect(file(address + "wifi = \"Museum\"\n\(line)").settings.network.address == nil, "nor is it the cable's")
        #expect(file(address + "wifi = \"\"").settings.network.address == "10.0.0.2/8")
        #expect(file("wifi = \"Museum\"").settings.network.wifi == "Museum")
    }

    @Test(arguments: [
        "wifi-password = \"tellnobody", "wifi-password = tellnobody", "wifipassword = \"tellnobody\"",
        "psk = 'tellnobody'", "wlan-pass = tellnobody", "network = { ssid = \"M\", password = \"tellnobody\" }",
        "wifi = \"M\", wifi-password = \"tellnobody\"",
        "remote-password = [\"tellnobody\"]", "Password: tellnobody", "wifi_pass = \"tellnobody\"",
        "ssh-keys = \"-----BEGIN OPENSSH PRIVATE KEY-----\ntellnobodytellnobodytellnobodytellnobodytellnobody\n-----END\"",
    ])
    func `a secret is not reported, however it is written`(line: String) {
        let reported = file(line).problems.map(\.description).joined(separator: "\n")
        #expect(!reported.isEmpty)
        #expect(!reported.contains("tellnobody"), "\(reported)")
    }

    @Test func `what was never a settings file is reported once more and left alone`() {
        for text in [
            (0..<5000).map { "line \($0) = [[[ \"\"\" \n" }.joined(), String(repeating: "x = 3\n", count: 9000),
        ] {
            let file = file(text)
            #expect(file.settings == Settings())
            #expect(file.problems.count == 101)
            #expect(file.problems.last?.what.contains("too much is wrong") == true)
        }
    }

    @Test(arguments: [
        "a = " + String(repeating: "[", count: 50_000), String(repeating: "a.", count: 50_000) + "b = 3",
        "[" + String(repeating: "a.", count: 50_000) + "b]", "volume = " + String(repeating: "9", count: 5000),
        "a = [\n" + String(repeating: "{ b = [\n", count: 300),
        "films = {" + String(repeating: "a.", count: 1900) + "b = 3}",
    ])
    func `nothing in it is too much for the reader`(text: String) {
        let file = file(text + "\nrotate = 90")
        #expect(file.settings.rotate == .quarter)
        #expect(file.problems.allSatisfy { $0.description.count < 500 })
        #expect(!file.problems.isEmpty)
    }

    // MARK: Files

    @Test func `no file is one problem, and all has its default`() {
        for (path, what) in [("/nowhere/vitrine.toml", "no such file"), ("/tmp", "cannot be read")] {
            let file = SettingsFile(path: path)
            #expect(file.settings == Settings())
            #expect(file.problems.count == 1)
            #expect(file.problems.first?.what.contains(what) == true, "\(file.problems)")
        }
    }

    @Test func `a file that others may not read is not damaged: the remedy is another one`() {
        let problem = SettingsFile.problem(WholeFileError(path: "x/vitrine.toml", reason: .cannotOpen(EACCES)))
        #expect(problem.what.contains("Permission denied") && problem.remedy.contains("sudo"), "\(problem)")
    }

    @Test func `a file of zeros, as a power cut leaves it, is reported as damaged`() {
        let file = SettingsFile(path: "x", bytes: [UInt8](repeating: 0, count: 4096))
        #expect(file.settings == Settings())
        #expect(file.problems.map(\.what) == ["the file is damaged: there are zero bytes in it"])
    }

    private static let umlauts = "host-name = \"m\"\r\nwifi = \"Müller €\"\r\nvolume = 101\r\n"

    private static let saved: [[UInt8]] = {
        var littleEndian: [UInt8] = [0xFF, 0xFE]
        var bigEndian: [UInt8] = [0xFE, 0xFF]
        for unit in umlauts.utf16 {
            littleEndian += [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            bigEndian += [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        }
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(umlauts.utf8)
        let others = ["\n", "\r"].map { Array(umlauts.replacing("\r\n", with: $0).utf8) }
        return [marked, littleEndian, bigEndian] + others
    }()

    @Test(arguments: saved)
    func `whatever Notepad saves is read`(bytes: [UInt8]) {
        let file = SettingsFile(path: "x", bytes: bytes)
        #expect(file.settings.network.wifi == "Müller €")
        #expect(file.problems.map(\.line) == [3])
    }

    @Test func `Notepad's ANSI is read, and reported`() {
        let file = SettingsFile(
            path: "x", bytes: Array("volume = 4\nwifi = \"M".utf8) + [0xFC, 0x80] + Array("\"".utf8))
        #expect(file.settings.network.wifi == "Mü€")
        #expect(file.problems.map(\.line) == [2])
    }

    // MARK: The documented example

    private static let teaching =
        #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/board/vitrine.toml"

    @Test func `the file on the card has no mistake, and no note of it has one`() throws {
        #expect(SettingsFile(path: Self.teaching).problems == [])
        let text = String(decoding: try WholeFile.bytes(of: Self.teaching), as: UTF8.self)
        let reported = text.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("#"), let name = line.dropFirst().description.writtenName,
                SettingsKey(rawValue: name) != nil
            else { return nil }
            return String(line.dropFirst())
        }
        let file = file(reported.joined(separator: "\n"))
        #expect(file.lines.count == SettingsKey.allCases.count, "each setting is explained")
        #expect(file.problems == [])
        var settings = file.settings
        // The image's.
        settings.hostName = nil
        #expect(settings == Settings(), "each has its default")
    }

    @Test func `what is shown is what would be written`() {
        var settings = Settings()
        settings.films = ["a \"b\".mp4", "c\\d"]
        settings.network.wifiPassword = "tellnobody"
        let shown = SettingsKey.allCases.map { $0.shown(in: settings) }
        #expect(shown.contains("wifi-password = \"...\""))
        #expect(file(shown.filter { !$0.contains("...") }.joined(separator: "\n")).problems == [])
        #expect(file(shown[0]).settings.films == settings.films)
    }
}
