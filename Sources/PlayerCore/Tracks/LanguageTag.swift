/// A language's tag (BCP 47): `de`, `pt-BR`, `zh-Hant-TW`.
///
/// Films often have the three letters of ISO 639-2. They become the two of ISO 639-1 if the language has them, as BCP
/// 47 requires.
public struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
    /// In the usual writing: language in lower case, script capitalized, region in upper case.
    public let description: String

    /// `nil` for text that is no tag, and for tags without a language (`und`, `zxx`, `mul`, `mis`).
    public init?(_ text: String) {
        var subtags = text.split(separator: "-", omittingEmptySubsequences: false).map { $0.lowercased() }
        // POSIX locales write pt_BR.
        if subtags.count == 1 { subtags = text.split(separator: "_").map { $0.lowercased() } }
        guard let first = subtags.first, (2...8).contains(first.count) || first == "x" && subtags.count > 1,
            first.allSatisfy({ $0.isASCII && $0.isLetter }), !Self.saysNothing.contains(first),
            subtags.allSatisfy({
                (1...8).contains($0.count) && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            })
        else { return nil }
        subtags[0] = LanguageName.shortest(of: first)
        var isExtended = false
        for place in subtags.indices.dropFirst() {
            let subtag = subtags[place]
            if subtag.count == 1 { isExtended = true }
            guard !isExtended else { continue }
            if subtag.count == 2 { subtags[place] = subtag.uppercased() }
            if subtag.count == 4, subtag.allSatisfy(\.isLetter) {
                subtags[place] = subtag.prefix(1).uppercased() + subtag.dropFirst()
            }
        }
        description = subtags.joined(separator: "-")
    }

    private static let saysNothing: Set<String> = ["und", "zxx", "mul", "mis", "qaa"]

    /// The language without script, region and other subtags.
    public var language: String { description.split(separator: "-").first.map(String.init) ?? description }

    /// Whether the language has two or three letters. No language has more: "german" is a mistake.
    public var hasShortName: Bool { (2...3).contains(language.count) }

    /// This tag, followed by its shorter forms as subtags are removed from its end (RFC 4647, 3.4).
    private var fallbacks: [String] {
        var subtags = description.split(separator: "-")[...]
        var fallbacks: [String] = []
        while !subtags.isEmpty {
            fallbacks.append(subtags.joined(separator: "-"))
            subtags.removeLast()
            // A single letter only introduces the subtag behind it.
            if subtags.last?.count == 1 { subtags.removeLast() }
        }
        return fallbacks
    }

    /// The best tag: for each preference, the best first, the tag that equals it or one of its fallbacks (RFC 4647,
    /// lookup); else the first one that is more specific: `de-AT` for `de`.
    /// - Returns: its index in `tags`; `nil` if none matches. Of equal ones the first.
    public static func best(of tags: [LanguageTag?], for preferences: [LanguageTag]) -> Int? {
        for preference in preferences {
            for fallback in preference.fallbacks {
                if let place = tags.firstIndex(where: { $0?.description == fallback }) { return place }
            }
            if let place = tags.firstIndex(where: { $0?.fallbacks.contains(preference.description) == true }) {
                return place
            }
        }
        return nil
    }

    /// Reads a list such as `de,en`.
    public static func list(_ text: String) -> [LanguageTag]? {
        let tags = text.split(separator: ",").map { LanguageTag(String($0.filter { $0 != " " })) }
        return tags.isEmpty || tags.contains(nil) ? nil : tags.compactMap { $0 }
    }
}
