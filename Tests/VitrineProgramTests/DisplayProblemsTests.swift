import FoundationEssentials
import Glibc
import KMS
import Logging
import Settings
import Testing

@testable import VitrineProgram

@Suite("Settings that the display does not support")
struct DisplayProblemsTests {
    private static let text = "volume = 101\nconnector = \"HDMI-A-9\"\nmode = \"123x45\"\nosd = \"plane\"\n"
    private static let noConnector = KMSError.noSuchConnector(name: "HDMI-A-9", available: ["HDMI-A-1"])
    private static let noMode = KMSError.noSuchMode(
        requested: ModeRequest(width: 123, height: 45), connector: "HDMI-A-1", available: [])
    private static let noPlane = KMSError.noOSDPlane(card: "/dev/dri/card0", connector: "HDMI-A-1")

    @Test("Each is named with its line; what the command line asked for is not the file's mistake")
    func lines() {
        let file = SettingsFile(path: "vitrine.toml", bytes: Array(Self.text.utf8))
        let problems = [Self.noConnector, Self.noMode, Self.noPlane].map { DisplayProblems.problem($0, in: file) }
        #expect(problems.map { $0?.line } == [2, 3, 4])
        #expect(problems.map { $0?.value } == ["connector = \"HDMI-A-9\"", "mode = \"123x45\"", "osd = \"plane\""])
        #expect(DisplayProblems.problem(.noCard, in: file) == nil)
        let other = SettingsFile(path: "vitrine.toml", bytes: Array("connector = \"HDMI-A-2\"\n".utf8))
        for error in [Self.noConnector, Self.noMode, Self.noPlane] {
            #expect(DisplayProblems.problem(error, in: other) == nil)
        }
    }

    @Test("A player that goes on without them writes them beside the file, after the other mistakes")
    func written() throws {
        let folder = "/tmp/vitrine-display-problems-\(getpid())"
        mkdir(folder, 0o755)
        defer { for name in ["vitrine.toml", "vitrine-errors.txt", ""] { remove("\(folder)/\(name)") } }
        try Data(Self.text.utf8).write(to: URL(filePath: "\(folder)/vitrine.toml"))
        let command = try #require(
            PlayCommand(ofService: [
                "play", "--settings", "\(folder)/vitrine.toml", "--state", folder, "--control", "\(folder)/control",
            ]))
        let (launch, log) = (LaunchOptions(command), Logger(label: "test"))
        let problems = SettingsFile(path: "\(folder)/vitrine.toml").problems
        launch.report(problems, log)
        func errors() throws -> String {
            String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/vitrine-errors.txt")), as: UTF8.self)
        }
        #expect(try !errors().contains("connector"))
        let report = launch.displayReport(after: problems, log)
        report([Self.noConnector])
        #expect(try errors().contains("Line 1: ") && errors().contains("Line 2: connector = \"HDMI-A-9\"  ->  "))
        let before = try errors()
        report([.noCard])
        #expect(try errors() == before)
    }
}
