internal import TOMLKit

/// One statement of the file. TOMLKit parses each by itself, so that each value has its line, and an error in one
/// affects no other.
struct Statement {
    enum Content {
        /// Names, joined by dots, with their values: several from an inline table.
        case settings([(name: String, value: SettingValue)])
        /// `[name]`
        case section(String)
        /// TOMLKit's error.
        case wrong(String)
    }

    /// The number of its first line, counted from 1.
    var line: Int
    /// Its first line as written, without surrounding white space.
    var text: String
    var content: Content

    /// The most lines of a list or a multi-line text.
    private static let longest = 200
    /// The most bytes of a line; an RSA public key has 3 KB at most. A name of ten thousand parts would be too much for
    /// TOMLKit.
    private static let longestLine = 4 << 10
    /// The most statements: a larger file is no settings file.
    private static let most = 1000

    /// Splits the file into statements. A statement continues for as many lines as TOMLKit needs to parse it. If no
    /// number of lines suffices, it is wrong, and ends before the next line that looks like another one.
    /// - Parameter limit: the number of wrong statements after which the rest is not read.
    static func all(in lines: [String], limit: Int) -> (statements: [Statement], isComplete: Bool) {
        var statements: [Statement] = []
        var wrong = 0
        var index = 0
        while index < lines.count {
            guard wrong < limit, statements.count < most else { return (statements, false) }
            let text = lines[index].trimmed
            guard !text.isEmpty, !text.hasPrefix("#") else {
                index += 1
                continue
            }
            var (content, next) = (content(of: text), index + 1)
            if case .wrong = content, mayGoOn(text) {
                var joined = text
                for last in next..<max(min(index + longest, lines.count), next) {
                    joined += "\n" + lines[last]
                    let longer = Self.content(of: joined)
                    guard case .wrong = longer else {
                        (content, next) = (longer, last + 1)
                        break
                    }
                }
                if case .wrong = content {
                    while next < lines.count, !looksLikeStatement(lines[next].trimmed) { next += 1 }
                }
            }
            if case .wrong = content { wrong += 1 }
            statements.append(Statement(line: index + 1, text: text, content: content))
            index = next
        }
        return (statements, true)
    }

    private static func content(of text: String) -> Content {
        guard text.split(separator: "\n").allSatisfy({ $0.utf8.count <= longestLine }) else {
            return .wrong("a line is too long")
        }
        do {
            let table = try TOMLTable(string: text)
            if text.hasPrefix("[") { return .section(path(of: table)) }
            var settings: [(String, SettingValue)] = []
            flatten(table, prefix: "", into: &settings)
            return .settings(settings)
        } catch let error as TOMLParseError {
            return .wrong(error.description)
        } catch {
            return .wrong("\(error)")
        }
    }

    private static func path(of table: TOMLTable) -> String {
        guard let key = table.keys.first else { return "" }
        guard let inner = table[key]?.table else { return key }
        let rest = path(of: inner)
        return rest.isEmpty ? key : "\(key).\(rest)"
    }

    private static func flatten(
        _ table: TOMLTable, prefix: String, into settings: inout [(String, SettingValue)]
    ) {
        for key in table.keys {
            guard let value = table[key] else { continue }
            if let inner = value.table, !inner.isEmpty {
                flatten(inner, prefix: "\(prefix)\(key).", into: &settings)
            } else {
                settings.append((prefix + key, SettingValue(value)))
            }
        }
    }

    /// Whether the text may continue: only lists, tables and multi-line texts have more than one line.
    private static func mayGoOn(_ text: String) -> Bool {
        guard let value = text.written else { return false }
        return value.hasPrefix("[") || value.hasPrefix("{") || value.hasPrefix("\"\"\"") || value.hasPrefix("'''")
    }

    private static func looksLikeStatement(_ text: String) -> Bool {
        if text.isEmpty || text.hasPrefix("#") || text.hasPrefix("[") { return true }
        guard let name = text.writtenName else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || "-_. ".contains($0) }
    }
}

extension String {
    var trimmed: String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }

    /// The text before the first `=`; `nil` if there is none.
    var writtenName: String? {
        firstIndex(of: "=").map { String(self[..<$0]).trimmed }
    }

    /// The text behind the first `=`.
    var written: String? {
        firstIndex(of: "=").map { String(self[index(after: $0)...]).trimmed }
    }
}
