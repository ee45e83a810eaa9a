import Testing
import TextFiles

@testable import Settings

/// docs/settings.md lists all settings with their defaults, and nothing else.
struct SettingsTableTests {
    private struct Row {
        var names: [String]
        /// The default in the file's notation; `nil` if the table describes it in words.
        var initial: String?
    }

    private static let document =
        #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/docs/settings.md"

    /// The rows of the table under the heading "Settings".
    private func rows() throws -> [Row] {
        let text = String(decoding: try WholeFile.bytes(of: Self.document), as: UTF8.self)
        let lines = text.split(separator: "\n")
        let section = lines.drop { $0 != "## Settings" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        return try section.filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.split(separator: "|")
            try #require(cells.count == 3, "\(line)")
            let (name, initial) = (Self.parts(of: cells[0]), Self.parts(of: cells[2]))
            return Row(
                names: name.enumerated().filter { $0.offset % 2 == 1 }.map(\.element),
                initial: initial.count == 3 && initial[0] == " " && initial[2] == " " ? initial[1] : nil)
        }
    }

    /// Every second one stood between backquotes.
    private static func parts(of cell: Substring) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `the settings are those of the table, in their order`() throws {
        #expect(try rows().flatMap(\.names) == SettingsKey.allCases.map(\.rawValue))
    }

    @Test func `each default of the table holds without a file`() throws {
        for row in try rows() {
            for name in row.names {
                let key = try #require(SettingsKey(rawValue: name))
                let isUnset = ["\"\"", "[]"].contains { key.shown(in: Settings()) == "\(name) = \($0)" }
                #expect(isUnset == (row.initial == nil), "\(name)")
                guard let initial = row.initial else { continue }
                let file = SettingsFile(path: "vitrine.toml", bytes: Array("\(name) = \(initial)".utf8))
                #expect(file.problems == [])
                #expect(file.settings == Settings(), "\(name) = \(initial)")
            }
        }
    }
}
