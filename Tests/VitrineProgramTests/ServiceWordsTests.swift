import Testing
import TextFiles

@testable import VitrineProgram

/// The player parses the unit's arguments by itself. Other arguments than these would be parsed by ArgumentParser,
/// which takes a board a tenth of a second longer, and nobody would notice.
struct ServiceWordsTests {
    private static let unit =
        #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        + "/rootfs-overlay/usr/lib/systemd/system/vitrine.service"
    private static let file = "/etc/vitrine.toml"

    private func words() throws -> [String] {
        let text = String(decoding: try WholeFile.bytes(of: Self.unit), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        // Without the program's path; systemd fills in the variable.
        return line.split(separator: " ").dropFirst().map { $0 == "${VITRINE_SETTINGS}" ? Self.file : String($0) }
    }

    @Test func `the unit's words are those that are read without ArgumentParser`() throws {
        let command = try #require(PlayCommand(ofService: try words()))
        #expect(command.settings == Self.file)
        #expect(command.state == "/var/lib/vitrine")
        #expect(command.control == "/run/vitrine/control")
    }

    @Test func `a person's words are not`() throws {
        let words = try words()
        #expect(PlayCommand(ofService: words + ["--loop"]) == nil)
        #expect(PlayCommand(ofService: Array(words.dropLast(2)) + ["--mode", "1280x720"]) == nil)
        #expect(PlayCommand(ofService: Array(words.dropLast()) + ["--loop"]) == nil)
        #expect(PlayCommand(ofService: ["inspect"] + words.dropFirst()) == nil)
    }
}
