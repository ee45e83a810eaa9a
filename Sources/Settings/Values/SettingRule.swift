internal import PlayerCore

/// The type of a setting: each rule stores a value in the settings, or reports the problem.
struct SettingRule {
    struct Fault: Error {
        var what: String
        var remedy: String

        init(_ what: String, _ remedy: String) {
            self.what = what
            self.remedy = remedy
        }
    }

    /// The accepted values, in words.
    let kind: String
    /// An example in the file's notation.
    let example: String
    /// Whether the value is one of some words.
    var isChoice = false
    /// Whether the value is any text, or a list of them.
    var takesText = false
    /// The current value in the file's notation.
    let show: (Settings) -> String
    let apply: (SettingValue, inout Settings) throws(Fault) -> Void

    // MARK: Kinds

    static func flag(_ path: WritableKeyPath<Settings, Bool>, example: Bool) -> SettingRule {
        SettingRule(kind: "true or false", example: "\(example)", show: { "\($0[keyPath: path])" }) {
            value, settings throws(Fault) in
            guard case .flag(let flag) = value else {
                throw Fault(
                    "this is \(value.kind), not true or false", "write true or false in small letters, without quotes")
            }
            settings[keyPath: path] = flag
        }
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable & Equatable>(
        _ path: WritableKeyPath<Settings, Choice>, example: String, of choices: [Choice] = Array(Choice.allCases)
    ) -> SettingRule {
        let words = choices.map { "\"\($0.rawValue)\"" }
        return SettingRule(
            kind: words.joined(separator: " or "), example: "\"\(example)\"", isChoice: true,
            show: { "\"\($0[keyPath: path].rawValue)\"" }
        ) {
            value, settings throws(Fault) in
            let remedy = "write \(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")"
            guard case .text(let text) = value else { throw Fault("this is \(value.kind)", remedy) }
            guard let choice = Choice(rawValue: text.lowercased()), choices.contains(choice) else {
                throw Fault("there is no such choice", remedy)
            }
            settings[keyPath: path] = choice
        }
    }

    static func text(
        _ path: WritableKeyPath<Settings, String?>, example: String, kind: String = "a text between quotes",
        check: @escaping (String) throws(Fault) -> Void = { _ throws(Fault) in }
    ) -> SettingRule {
        SettingRule(
            kind: kind, example: "\"\(example)\"", takesText: true, show: { quoted($0[keyPath: path] ?? "") }
        ) { value, settings throws(Fault) in
            guard case .text(let text) = value else {
                throw Fault("this is \(value.kind), not a text", "write it between quotes: \"\(example)\"")
            }
            // An empty value counts as unset.
            guard !text.isEmpty else { return settings[keyPath: path] = nil }
            try checkPlain(text)
            try check(text)
            settings[keyPath: path] = text
        }
    }

    /// A text, or a list of them.
    static func texts(
        _ path: WritableKeyPath<Settings, [String]>, example: String,
        check: @escaping (String) throws(Fault) -> Void = { _ throws(Fault) in }
    ) -> SettingRule {
        SettingRule(
            kind: "a text between quotes, or a list of them", example: example, takesText: true,
            show: { "[\($0[keyPath: path].map { quoted(AddressPassword.hidden(in: $0)) }.joined(separator: ", "))]" }
        ) {
            value, settings throws(Fault) in
            let values: [SettingValue] = if case .list(let list) = value { list } else { [value] }
            var (texts, fault) = ([String](), Fault?.none)
            for value in values {
                do throws(Fault) {
                    guard case .text(let text) = value else {
                        throw Fault("this is \(value.kind), not a text", "write it between quotes: \(example)")
                    }
                    guard !text.isEmpty else { continue }
                    try checkPlain(text)
                    try check(text)
                    texts.append(text)
                } catch {
                    fault = fault ?? error
                }
            }
            // The other texts stay valid.
            if !texts.isEmpty || fault == nil { settings[keyPath: path] = texts }
            if let fault { throw fault }
        }
    }

    /// The sound output: a text, or two.
    static var sound: SettingRule {
        let texts = texts(\.sound, example: "\"hdmi\"")
        return SettingRule(kind: texts.kind, example: texts.example, takesText: true, show: texts.show) {
            value, settings throws(Fault) in
            if case .flag(let flag) = value {
                throw Fault(
                    "this says where the sound comes out, not whether there is any",
                    "write mute = \(!flag), or for example sound = \(texts.example)")
            }
            if case .list(let list) = value, list.count > SoundPreference.mostOutputs {
                throw Fault(
                    "sound comes out in \(SoundPreference.mostOutputs) places at the most",
                    "write for example sound = [\"hdmi\", \"usb\"]")
            }
            try texts.apply(value, &settings)
        }
    }

    static func number(
        _ path: WritableKeyPath<Settings, Int>, in range: ClosedRange<Int>, example: Int
    ) -> SettingRule {
        SettingRule(kind: "a number", example: "\(example)", show: { "\($0[keyPath: path])" }) {
            value, settings throws(Fault) in
            let remedy = "write a whole number from \(range.lowerBound) to \(range.upperBound), without quotes"
            guard case .integer(let number) = value else {
                throw Fault("this is \(value.kind), not a whole number", remedy)
            }
            guard range.contains(number) else {
                throw Fault(number < range.lowerBound ? "this is too little" : "this is too much", remedy)
            }
            settings[keyPath: path] = number
        }
    }

    /// The text in TOML's notation. Control characters were refused.
    private static func quoted(_ text: String) -> String {
        "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }

    private static func checkPlain(_ text: String) throws(Fault) {
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw Fault(
                "there are control characters in it",
                "write / in paths in place of \\, and a text on one line, without \\n or \\t")
        }
    }
}

extension SettingsKey {
    var kind: String { rule.kind }
    var example: String { rule.example }

    var rule: SettingRule {
        typealias Fault = SettingRule.Fault
        switch self {
        case .films: return .texts(\.films, example: "\"films\"")
        case .order: return .choice(\.order, example: "name")
        case .atEnd: return .choice(\.atEnd, example: "loop", of: [.loop, .pause, .stop])
        case .resume: return .flag(\.resume, example: true)
        case .attract: return .text(\.attract, example: "films/attract")
        case .menu: return .choice(\.menu, example: "automatic")
        case .idleSeconds: return .number(\.idleSeconds, in: 5...3600, example: 30)
        case .filmIdleSeconds: return .number(\.filmIdleSeconds, in: 5...86400, example: 600)
        case .countdownSeconds: return .number(\.countdownSeconds, in: 1...60, example: 10)
        case .statistics: return .flag(\.statistics, example: true)
        case .volumeLimit: return .number(\.volumeLimit, in: 0...100, example: 80)
        case .volume: return .number(\.volume, in: 0...100, example: 50)
        case .mute: return .flag(\.mute, example: false)
        case .sound: return .sound
        case .connector:
            return .text(\.connector, example: "HDMI-A-1") { name throws(Fault) in
                guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
                    throw Fault("no connector has such a name", "write one that `vitrine displays` lists: \"HDMI-A-1\"")
                }
            }
        case .mode:
            return .text(\.mode, example: "1920x1080", kind: "a mode between quotes") { mode throws(Fault) in
                guard Check.isMode(mode) else {
                    throw Fault("this is not a mode", "write \"1920x1080\" or, with the rate, \"1920x1080@50\"")
                }
            }
        case .rotate:
            return SettingRule(
                kind: "0, 90, 180 or 270", example: "90", show: { "\($0.rotate.rawValue)" }
            ) { value, settings throws(Fault) in
                let remedy = "write 0, 90, 180 or 270, without quotes"
                guard case .integer(let degrees) = value else {
                    throw Fault("this is \(value.kind), not a number", remedy)
                }
                guard let rotation = DisplayTransform.Rotation(rawValue: degrees) else {
                    throw Fault("the film turns by quarters only", remedy)
                }
                settings.rotate = rotation
            }
        case .reflect: return .flag(\.reflect, example: false)
        case .gravity: return .choice(\.gravity, example: "fill")
        case .osd: return .choice(\.osd, example: "automatic")
        case .controls: return .choice(\.controls, example: "full")
        case .time: return .choice(\.time, example: "total")
        case .chooseOutput: return .flag(\.chooseOutput, example: true)
        case .matchRefresh: return .flag(\.matchRefresh, example: false)
        case .whenUnplugged: return .choice(\.whenUnplugged, example: "play")
        case .touch: return .text(\.touch, example: "event3")
        case .languages:
            return .texts(\.languages, example: "[\"de\", \"en\"]") { tag throws(Fault) in
                guard Check.isLanguage(tag) else {
                    throw Fault("\"\(tag)\" is not a language's short name", "write \"de\", \"en\" or \"pt-BR\"")
                }
            }
        case .subtitles:
            return .text(\.subtitles, example: "de") { languages throws(Fault) in
                let tags = languages.split(separator: ",").map { $0.filter { $0 != " " } }
                guard languages == "off" || !tags.isEmpty && tags.allSatisfy({ Check.isLanguage($0) }) else {
                    throw Fault(
                        "this is not a language's short name", "write \"off\", \"de\", or \"de, en\", the best first")
                }
            }
        case .timeZone:
            return .text(\.timeZone, example: "Europe/Berlin") { zone throws(Fault) in
                guard Check.isTimeZone(zone) else {
                    throw Fault(
                        "there is no such time zone",
                        "write continent and city, as in \"Europe/Berlin\" (en.wikipedia.org/wiki/List_of_tz_database_time_zones)"
                    )
                }
            }
        case .hostName:
            return .text(\.hostName, example: "vitrine") { name throws(Fault) in
                guard Check.isHostName(name) else {
                    throw Fault(
                        "this cannot be a machine's name",
                        "write at most 63 letters, digits and -, which is neither first nor last: \"museum-2\"")
                }
            }
        case .wifi:
            return .text(\.network.wifi, example: "Museum") { name throws(Fault) in
                guard name.utf8.count <= 32 else {
                    throw Fault("a wireless network's name has at most 32 bytes", "write it as the router shows it")
                }
            }
        case .wifiPassword:
            return .text(\.network.wifiPassword, example: "...") { password throws(Fault) in
                guard Check.isWirelessPassword(password) else {
                    throw Fault(
                        "a wireless password has 8 to 63 characters", "write it as the router has it")
                }
            }
        case .wifiCountry:
            return .text(\.network.wifiCountry, example: "DE") { country throws(Fault) in
                guard country.count == 2, country.allSatisfy({ $0.isASCII && $0.isUppercase }) else {
                    throw Fault("this is not a country's code", "write its two capital letters: \"DE\", \"GB\", \"US\"")
                }
            }
        case .networkAddress:
            return .text(\.network.address, example: "192.168.1.20/24") { address throws(Fault) in
                guard Check.isAddress(address, hasPrefix: true) else {
                    throw Fault(
                        "this is not an address with its network's length", "write for example \"192.168.1.20/24\"")
                }
            }
        case .networkGateway:
            return .text(\.network.gateway, example: "192.168.1.1") { address throws(Fault) in
                guard Check.isAddress(address, hasPrefix: false) else {
                    throw Fault("this is not an address", "write the router's, for example \"192.168.1.1\"")
                }
            }
        case .nameServers:
            return .texts(\.network.nameServers, example: "[\"192.168.1.1\"]") { address throws(Fault) in
                guard Check.isAddress(address, hasPrefix: false) else {
                    throw Fault("this is not an address", "write the router's, for example \"192.168.1.1\"")
                }
            }
        case .remotePassword:
            return .text(\.remotePassword, example: "...") { password throws(Fault) in
                guard password.count >= 8 else {
                    throw Fault("this is too short for a password", "write 8 characters or more")
                }
            }
        case .sshKeys:
            return .texts(\.sshKeys, example: "\"ssh-ed25519 AAAA... name\"") { key throws(Fault) in
                guard Check.isPublicKey(key) else {
                    throw Fault(
                        key.contains("PRIVATE KEY")
                            ? "this is the private key, which nobody else may have"
                            : "this is not a public SSH key",
                        "write the one line of the file that ends in .pub: \"ssh-ed25519 AAAA... name\"")
                }
            }
        }
    }
}
