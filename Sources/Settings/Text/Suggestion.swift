internal import PlayerCore

/// The value that was probably meant by one in another notation.
extension SettingsKey {
    /// The setting to write in place of a wrong one: with the value that was written if it can be understood, else with an
    /// example.
    /// - Parameters:
    ///   - written: the text behind the `=`, or what stands in its place.
    ///   - line: the line that has it. If it may not be shown, the value is not repeated.
    func setting(for written: String?, of line: String) -> String {
        guard SettingsFile.isOpen(line) else { return "\(rawValue) = \(rule.takesText ? "\"...\"" : example)" }
        guard let written else { return "\(rawValue) = \(example)" }
        if let value = meant(by: written) { return "\(rawValue) = \(value)" }
        let word = written.withoutRemark.unquoted.lowercased()
        let isAnswer = Self.yes.contains(word) || Self.no.contains(word)
        switch self {
        case .sound where Self.no.contains(word): return "mute = true"
        // Yes and no say nothing here.
        case _ where isAnswer && rule.isChoice: return "\(rawValue) = \(rule.kind)"
        case _ where Self.no.contains(word) && rule.takesText: return "\(rawValue) = \"\""
        default: return "\(rawValue) = \(example)"
        }
    }

    /// The written value in the file's notation; `nil` if it is not clear what is meant, or if it is a secret.
    func meant(by written: String) -> String? {
        guard !isSecret, !["[", "{", "\"\"\"", "'''"].contains(where: written.hasPrefix) else { return nil }
        let reading = readings(of: written.withoutRemark).first { reading in
            var settings = Settings()
            do throws(SettingRule.Fault) {
                try rule.apply(reading, &settings)
                return true
            } catch { return false }
        }
        guard let text = reading?.written, text.count <= Self.longestMeant else { return nil }
        return text
    }

    /// Longer values are not repeated in a message.
    private static let longestMeant = 80

    private static let yes: Set = ["true", "yes", "on", "ja", "an", "wahr", "oui", "1"]
    private static let no: Set = ["false", "no", "off", "nein", "aus", "falsch", "non", "0"]
    /// Words for which this file has others.
    private static let otherWords = ["kopfhörer": "headphones", "headphone": "headphones", "endlos": "loop"]

    /// The values that the text may stand for, the most likely first.
    private func readings(of written: String) -> [SettingValue] {
        let text = written.unquoted
        let word = text.lowercased()
        var readings: [SettingValue] = []
        if let number = Self.wholeNumber(in: word) { readings.append(.integer(number)) }
        if Self.yes.contains(word) { return readings + [.flag(true)] + (rule.isChoice ? [.text("on")] : []) }
        if Self.no.contains(word) {
            let hasOff = rule.isChoice || self == .attract || self == .subtitles
            return readings + [.flag(false)] + (hasOff ? [.text("off")] : [])
        }
        let parts = written.split(separator: ",").map { String($0).trimmed.unquoted }.filter { !$0.isEmpty }
        // An address may have commas.
        if parts.count > 1, !written.contains("://") { readings.append(.list(parts.map { .text($0) })) }
        if let other = Self.otherWords[word] { readings.append(.text(other)) }
        if !text.isEmpty, Double(text) == nil, !text.contains(where: { "\"\\".contains($0) }) {
            readings.append(.text(text))
        }
        return readings
    }

    /// The number of "50%", "80,5", "080", "90°", "60 s" and "5 minutes"; `nil` of other texts, and of parts of one.
    private static func wholeNumber(in text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let rest = String(text.dropFirst(digits.count)).trimmed
        guard let number = Int(digits) else { return nil }
        if rest.hasPrefix("min") { return number.multipliedReportingOverflow(by: 60).overflow ? nil : number * 60 }
        let isPart = rest.first.map { ".,".contains($0) } == true && rest.dropFirst().allSatisfy(\.isNumber)
        if isPart { return number == 0 ? nil : number }
        return ["", "%", "°", "s", "sec", "seconds", "sekunden"].contains(rest) ? number : nil
    }
}

extension SettingValue {
    /// The value in the file's notation.
    fileprivate var written: String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case .list(let values): "[\(values.map(\.written).joined(separator: ", "))]"
        case .other(let kind): kind
        }
    }
}

extension String {
    /// The text without a remark (`# ...`) behind a blank; a `#` within a word belongs to it.
    fileprivate var withoutRemark: String {
        if contains("\"") || contains("'") { return withoutNote }
        return firstRange(of: /\s#/).map { String(self[..<$0.lowerBound]).trimmed } ?? self
    }

    /// The text without quotes around it, also those of a word processor.
    fileprivate var unquoted: String {
        let quotes = "\"'“”„«»‘’"
        var text = self[...]
        while let first = text.first, quotes.contains(first) { text.removeFirst() }
        while let last = text.last, quotes.contains(last) { text.removeLast() }
        return String(text)
    }
}
