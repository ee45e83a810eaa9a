/// Common syntax errors in such a file, with the remedy.
struct SyntaxAdvice {
    var what: String
    var remedy: String

    /// - Parameters:
    ///   - text: the statement's first line.
    ///   - reason: TOMLKit's reason.
    init(_ text: String, reason: String) {
        guard let name = text.writtenName, let value = text.written else {
            let key = text.split(whereSeparator: \.isWhitespace).first.flatMap { SettingsKey.nearest(to: String($0)) }
            self.init(
                what: text.hasPrefix("[") ? "this line is not closed" : "this line has no \"=\"",
                remedy: text.hasPrefix("[")
                    ? "remove it: the file needs no lines in [ ]"
                    : key.map { "write \($0.rawValue) = \($0.example)" }
                        ?? "write NAME = VALUE, or put # before what is only a note")
            return
        }
        let key = SettingsKey(rawValue: name)
        if key == nil, let nearest = SettingsKey.nearest(to: name) {
            self.init(
                what: "there is no setting \"\(name)\"",
                remedy: "write \(nearest.rawValue) = \(nearest.example) if that is meant")
            return
        }
        let example = key.map { "write \($0.rawValue) = \($0.example)" }
        if name.isEmpty {
            self.init(what: "there is no name before \"=\"", remedy: "write NAME = VALUE")
        } else if value.isEmpty || value.hasPrefix("#") {
            self.init(
                what: "there is nothing behind \"=\"",
                remedy: (example ?? "write a value") + ", or put # before the line to leave it at its default")
        } else if text.contains(where: { "“”„«»‘’".contains($0) }) {
            self.init(
                what: "a word processor's quotes are not those of this file",
                remedy: "write straight quotes: \"like this\"")
        } else if value.hasPrefix("\""), Self.hasStrayBackslash(value) {
            self.init(
                what: "\\ means something else between double quotes",
                remedy: "write / in paths, or use single quotes: 'like this'")
        } else if value.hasPrefix("\""), !value.dropFirst().contains("\"") {
            self.init(what: "the text is not closed", remedy: "write \" at its end")
        } else if value.hasPrefix("["), !value.contains("]") {
            self.init(what: "the list is not closed, or a comma is missing in it", remedy: "write ] at its end")
        } else if name.contains(where: \.isWhitespace) {
            self.init(what: "a name has no spaces", remedy: "write - in their place: \(name.replacingSpaces)")
        } else if let example, !value.hasPrefix("\""), !value.hasPrefix("'") {
            self.init(what: "this is not \(key?.kind ?? "a value")", remedy: example)
        } else if !value.hasPrefix("\""), !value.hasPrefix("'") {
            self.init(
                what: "this is neither a number nor true or false",
                remedy: "write a text between quotes: \"like this\"")
        } else {
            self.init(what: "this is not understood (\(reason))", remedy: example ?? "write NAME = VALUE")
        }
    }

    private init(what: String, remedy: String) {
        self.what = what
        self.remedy = remedy
    }

    /// Whether the value has a backslash that starts no escape.
    private static func hasStrayBackslash(_ value: String) -> Bool {
        var isEscaped = false
        for character in value {
            if isEscaped, !"btnfreuUx\"\\".contains(character) { return true }
            isEscaped = character == "\\" && !isEscaped
        }
        return false
    }
}

extension String {
    fileprivate var replacingSpaces: String { split(whereSeparator: \.isWhitespace).joined(separator: "-") }

    /// The text without a comment (`# ...`) at its end.
    var withoutNote: String {
        var quote: Character?
        for index in indices {
            let character = self[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "#" {
                return String(self[..<index]).trimmed
            }
        }
        return self
    }
}
