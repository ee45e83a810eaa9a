import Foundation
import Logging
import Testing
import Vitrine

@testable import Control
@testable import MPVAdapter

/// docs/mpv.md lists all supported commands and properties of mpv, and nothing else.
struct MPVListTests {
    /// The names in the first column of the table under this heading.
    private func names(under heading: String) throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/mpv.md"), encoding: .utf8)
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
}
