import Foundation
import Logging
import Testing
import Vitrine

@testable import Control
@testable import MPVAdapter

/// docs/mpv.md lists all supported commands and properties of mpv, and nothing else.
struct MPVListTests {
    private func text(of file: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: file), encoding: .utf8)
    }

    /// The names in the first column of the table under this heading.
    private func names(under heading: String) throws -> [String] {
        let text = try text(of: "docs/mpv.md")
        let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix(heading) })
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }
            .flatMap { line in
                line.split(separator: "|")[0].split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            }
    }

    @Test func `the commands are those of the table`() throws {
        #expect(try names(under: "Commands").filter { !$0.isEmpty }.sorted() == CommandTable.all.map(\.name).sorted())
    }

    @Test func `the properties are those of the table`() throws {
        let player = QueuePlayer(playlist: [], options: PlayerOptions(hasOSD: false, hasSound: false))
        let adapter = MPVAdapter(player, hasOSD: false, isFullscreen: true, log: Logger(label: "test")) { _ in }
        let all = adapter.propertyNames + ["command-list", "property-list"]
        #expect(try names(under: "Properties").sorted() == all.sorted())
    }

    @Test(arguments: ["README.md", "docs/mpv.md"])
    func `the documents say how many there are`(file: String) throws {
        let commands = try names(under: "Commands").filter { !$0.isEmpty }
        let properties = try names(under: "Properties").filter { !$0.hasPrefix("vitrine/") }
        #expect(
            try text(of: file)
                .contains("\(commands.count) of mpv's commands and \(properties.count) of its properties"))
    }
}
