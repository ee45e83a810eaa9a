internal import TOMLKit

/// One statement of the file: TOMLKit reads each by itself, so that each value has its line, and what is wrong in one
/// costs no other.
struct Statement {
    enum Content {
        /// Names, joined by dots, with their values: several from a table on one line.
        case settings([(name: String, value: SettingValue)])
        /// `[name]`
        case section(String)
        /// What TOMLKit says of it.
        case wrong(String)
    }

    /// Of its first line, counted from 1.
    var line: Int
    /// As written: its first line, without white space around.
    var text: String
    var content: Content

    /// Lists and texts in three quotes may have so many lines.
    private static let longest = 200
    /// Bytes of a line; a public key of RSA has 3 KB at most. A name of ten thousand parts would be too much for TOMLKit.
    private static let longestLine = 4 << 10
    /// A file of more statements is no settings file.
    private static let most = 1000

    /// Takes the file apart. A statement goes on for as many lines as TOMLKit needs to understand it; where no number of
    /// them will do, it is wrong, and ends before the next line that looks like another one.
    /// - Parameter limit: of wrong statements, after which the rest is not looked at.
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

    /// Only lists, tables and texts in three quotes have more than one line.
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

    /// What stands before the first `=`; `nil` where there is none.
    var writtenName: String? {
        firstIndex(of: "=").map { String(self[..<$0]).trimmed }
    }

    /// What stands behind it.
    var written: String? {
        firstIndex(of: "=").map { String(self[index(after: $0)...]).trimmed }
    }
}
