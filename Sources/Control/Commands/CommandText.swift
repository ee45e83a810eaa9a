import FoundationEssentials

/// The text form of commands, as in mpv's `input.conf`: `set pause yes; seek 10 exact # comment`.
enum CommandText {
    /// The commands of one line. A line with a mistake in any of them has none, as in mpv, which never answers text.
    static func parse(_ line: String) -> [CommandRequest] {
        guard let commands = split(line) else { return [] }
        var requests: [CommandRequest] = []
        for words in commands where !words.isEmpty {
            do {
                requests.append(try CommandTable.parse(words.map { .string($0) }, expands: true))
            } catch {
                return []
            }
        }
        return requests
    }

    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }

    /// The words of each command, or `nil` if a quotation does not end or a word follows it without a space.
    private static func split(_ line: String) -> [[String]]? {
        var commands: [[String]] = [[]]
        var rest = line[...]
        while true {
            rest = rest.drop(while: isSpace)
            switch rest.first {
            case nil, "#": return commands
            case ";":
                commands.append([])
                rest.removeFirst()
            case "\"", "'":
                guard let word = takeQuoted(from: &rest) else { return nil }
                commands[commands.count - 1].append(word)
                guard let next = rest.first else { return commands }
                guard isSpace(next) || next == "#" || next == ";" else { return nil }
            default:
                let word = rest.prefix { !isSpace($0) && $0 != "#" && $0 != ";" }
                commands[commands.count - 1].append(String(word))
                rest = rest[word.endIndex...]
            }
        }
    }

    /// `"..."` has the escapes of a JSON string, `'...'` has none.
    private static func takeQuoted(from rest: inout Substring) -> String? {
        let quote = rest.removeFirst()
        var end = rest.startIndex
        while end < rest.endIndex, rest[end] != quote {
            let escapes = quote == "\"" && rest[end] == "\\"
            guard rest.formIndex(&end, offsetBy: escapes ? 2 : 1, limitedBy: rest.endIndex) else { return nil }
        }
        guard end < rest.endIndex else { return nil }
        let body = rest[..<end]
        rest = rest[end...].dropFirst()
        guard quote == "\"" else { return String(body) }
        guard case .string(let text)? = try? JSONValue(jsonText: Data("\"\(body)\"".utf8)) else { return nil }
        return text
    }
}
