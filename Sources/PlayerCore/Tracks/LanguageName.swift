/// Names of common film languages as their own speakers write them.
enum LanguageName {
    /// ISO 639-1; ISO 639-2, both codes if there are two; the name.
    private static let all: [(short: String, long: [String], name: String)] = [
        ("ar", ["ara"], "العربية"), ("be", ["bel"], "Беларуская"), ("bg", ["bul"], "Български"),
        ("bn", ["ben"], "বাংলা"), ("bs", ["bos"], "Bosanski"), ("ca", ["cat"], "Català"),
        ("cs", ["ces", "cze"], "Čeština"), ("cy", ["cym", "wel"], "Cymraeg"), ("da", ["dan"], "Dansk"),
        ("de", ["deu", "ger"], "Deutsch"), ("el", ["ell", "gre"], "Ελληνικά"), ("en", ["eng"], "English"),
        ("eo", ["epo"], "Esperanto"), ("es", ["spa"], "Español"), ("et", ["est"], "Eesti"),
        ("eu", ["eus", "baq"], "Euskara"), ("fa", ["fas", "per"], "فارسی"), ("fi", ["fin"], "Suomi"),
        ("fr", ["fra", "fre"], "Français"), ("ga", ["gle"], "Gaeilge"), ("gl", ["glg"], "Galego"),
        ("he", ["heb"], "עברית"), ("hi", ["hin"], "हिन्दी"), ("hr", ["hrv"], "Hrvatski"), ("hu", ["hun"], "Magyar"),
        ("hy", ["hye", "arm"], "Հայերեն"), ("id", ["ind"], "Bahasa Indonesia"), ("is", ["isl", "ice"], "Íslenska"),
        ("it", ["ita"], "Italiano"), ("ja", ["jpn"], "日本語"), ("ka", ["kat", "geo"], "ქართული"),
        ("ko", ["kor"], "한국어"), ("lb", ["ltz"], "Lëtzebuergesch"), ("lt", ["lit"], "Lietuvių"),
        ("lv", ["lav"], "Latviešu"), ("mk", ["mkd", "mac"], "Македонски"), ("ms", ["msa", "may"], "Bahasa Melayu"),
        ("mt", ["mlt"], "Malti"), ("nb", ["nob"], "Norsk bokmål"), ("nl", ["nld", "dut"], "Nederlands"),
        ("nn", ["nno"], "Norsk nynorsk"), ("no", ["nor"], "Norsk"), ("pl", ["pol"], "Polski"),
        ("pt", ["por"], "Português"), ("rm", ["roh"], "Rumantsch"), ("ro", ["ron", "rum"], "Română"),
        ("ru", ["rus"], "Русский"), ("sk", ["slk", "slo"], "Slovenčina"), ("sl", ["slv"], "Slovenščina"),
        ("sq", ["sqi", "alb"], "Shqip"), ("sr", ["srp"], "Српски"), ("sv", ["swe"], "Svenska"),
        ("th", ["tha"], "ไทย"), ("tr", ["tur"], "Türkçe"), ("uk", ["ukr"], "Українська"), ("ur", ["urd"], "اردو"),
        ("vi", ["vie"], "Tiếng Việt"), ("zh", ["zho", "chi"], "中文"),
    ]

    private static let shortOf = Dictionary(
        uniqueKeysWithValues: all.flatMap { entry in entry.long.map { ($0, entry.short) } })
    private static let nameOf = Dictionary(uniqueKeysWithValues: all.map { ($0.short, $0.name) })

    static func shortest(of language: String) -> String { shortOf[language] ?? language }

    /// `nil` for a language that is not in the list.
    static func name(of language: String) -> String? { nameOf[language] }
}

extension LanguageTag {
    /// The language's name for people: "Deutsch", "Português (BR)"; the tag itself for a language without a name here.
    public var displayName: String {
        guard let name = LanguageName.name(of: language) else { return description }
        let rest = description.dropFirst(language.count + 1)
        return rest.isEmpty ? name : "\(name) (\(rest))"
    }
}
