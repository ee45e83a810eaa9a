import Foundation
import Media
import Testing

@testable import Control
@testable import Vitrine

/// docs/mpv.md lists what there is of mpv's commands and properties: all of it, and nothing else.
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
        let player = RemotePlayer(VitrinePlayer(options: PlayerOptions(), display: nil))
        let all = player.propertyNames + ["command-list", "property-list"]
        #expect(try names(under: "Properties").sorted() == all.sorted())
    }
}
