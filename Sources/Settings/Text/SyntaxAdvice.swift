/// Common syntax errors in such a file, with the remedy.
struct SyntaxAdvice {
    var what: String
    var remedy: String

    /// - Parameters:
    ///   - text: the statement's first line.
    ///   - reason: TOMLKit's reason.
    init(_ text: String, reason: String) {
        guard let name = text.writtenName, let value = text.written else {
            self.init(withoutSign: text)
            return
        }
        let key = SettingsKey(rawValue: name)
        if key == nil, let nearest = SettingsKey.nearest(to: name) {
            self.init(
                what: SettingsFile.unknown(name),
                remedy: "write \(nearest.setting(for: value, of: text)) if that is meant")
            return
        }
        if key == nil, !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) }) {
            self.init(what: SettingsFile.unknown(name), remedy: Self.noSetting)
            return
        }
        let suggestion = key.map { "write \($0.setting(for: value, of: text))" }
        if name.isEmpty {
            self.init(what: "there is no name before \"=\"", remedy: "write NAME = VALUE")
        } else if value.isEmpty || value.hasPrefix("#") {
            self.init(
                what: "there is nothing behind \"=\"",
                remedy: (suggestion ?? "write a value") + ", or put # before the line to leave it at its default")
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
        } else if let suggestion, !value.hasPrefix("\""), !value.hasPrefix("'") {
            self.init(what: "this is not \(key?.kind ?? "a value")", remedy: suggestion)
        } else if let key, let suggestion, value.contains(","), key.meant(by: value)?.hasPrefix("[") == true {
            self.init(what: "several values stand between [ and ]", remedy: suggestion)
        } else if !value.hasPrefix("\""), !value.hasPrefix("'") {
            self.init(
                what: "this is neither a number nor true or false",
                remedy: "write a text between quotes: \"like this\"")
        } else {
            self.init(what: "this is not understood (\(reason))", remedy: suggestion ?? "write NAME = VALUE")
        }
    }

    /// The remedy for a name that is like none of the settings'.
    static let noSetting = "remove the line, or see the names that there are in the file that Vitrine came with"

    /// A line without an `=`.
    private init(withoutSign text: String) {
        if text.hasPrefix("[") {
            self.init(what: "this line is not closed", remedy: "remove it: the file needs no lines in [ ]")
            return
        }
        let words = text.split { $0.isWhitespace || $0 == ":" }
        // A name of two words first: the second of "wifi password" is no network's name.
        for count in [2, 1] where words.count >= count {
            let name = words.prefix(count).joined(separator: "-")
            guard let key = SettingsKey.nearest(to: name), count == 1 || key.rawValue.contains("-") else { continue }
            let value = words.dropFirst(count).joined(separator: " ")
            self.init(
                what: "this line has no \"=\"",
                remedy: "write \(key.setting(for: value.isEmpty ? nil : value, of: text))")
            return
        }
        self.init(
            what: "this line has no \"=\"", remedy: "write NAME = VALUE, or put # before what is only a note")
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
