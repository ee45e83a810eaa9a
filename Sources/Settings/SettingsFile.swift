internal import Glibc
internal import PlayerCore
internal import TextFiles

/// The settings file's contents: the valid settings, and the problems.
public struct SettingsFile: Hashable, Sendable {
    /// The path as given.
    public var path: String
    public var settings = Settings()
    /// In the file's order. Problems never prevent playback.
    public var problems: [SettingsProblem] = []
    /// The lines of the settings in the file.
    public private(set) var lines: [SettingsKey: Int] = [:]

    /// Settings that are present but invalid.
    private var faults: Set<SettingsKey> = []

    /// 256 KB; the documented example has 6.
    static let largest = 256 << 10
    /// The number of wrong statements after which the rest is not read: the file is something else.
    static let mostWrong = 100

    /// Reads the file. A missing or unreadable file is one problem, and all settings have their defaults. Blocks for as
    /// long as the card takes.
    public init(path: String) {
        self.path = path
        // This is a mistake even where the card's original file is there, too.
        let hasHiddenEnd = access("\(path).txt", F_OK) == 0
        if hasHiddenEnd {
            let name = path.split(separator: "/").last ?? ""
            problems.append(
                SettingsProblem(
                    file: "\(path).txt", what: "is not read: Windows hides the end of its name, which is .txt",
                    remedy: "rename it to \(name): in the Explorer's menu View, show file name extensions first"))
        }
        do throws(WholeFileError) {
            read(try WholeFile.bytes(of: path, atMost: Self.largest))
        } catch {
            if hasHiddenEnd, case .cannotOpen(ENOENT) = error.reason { return }
            problems.append(Self.problem(error))
        }
    }

    /// Parses `bytes` as the file's contents.
    public init(path: String, bytes: [UInt8]) {
        self.path = path
        read(bytes)
    }

    /// The folder that relative paths of films start at.
    public var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The reason why there are no settings, and the remedy.
    static func problem(_ error: WholeFileError) -> SettingsProblem {
        let (what, remedy) =
            switch error.reason {
            case .cannotOpen(ENOENT): ("there is no such file", "put a vitrine.toml there to change them")
            case .cannotOpen(EACCES):
                (error.what, "look at it with sudo, or let the player's user read it (chmod, chgrp)")
            case .isLarger: ("\(error.what) and no settings file", "copy the file there again")
            default: (error.what, "copy the file there again")
            }
        return SettingsProblem(file: error.path, what: "\(what): all settings have their defaults", remedy: remedy)
    }

    // MARK: Reading

    private mutating func read(_ bytes: [UInt8]) {
        let text = FileText(bytes)
        let written = Array(text.lines)
        if written.first?.hasPrefix("{\\rtf") == true {
            problems.append(
                SettingsProblem(
                    file: path, what: "this is formatted text (RTF): all settings have their defaults",
                    remedy: "choose Format, Make Plain Text in TextEdit, and save it again"))
            return
        }
        if text.hasZeros {
            problems.append(
                SettingsProblem(
                    file: path, what: "the file is damaged: there are zero bytes in it",
                    remedy: "copy the file there again"))
        }
        if let line = text.firstForeignLine {
            problems.append(
                SettingsProblem(
                    file: path, line: line, what: "the file is not UTF-8, and was taken for Windows-1252",
                    remedy: "save it as UTF-8 if special letters come out wrong"))
        }
        var (statements, isComplete) = Statement.all(in: written, limit: Self.mostWrong)
        for statement in statements {
            take(statement)
            guard problems.count < Self.mostWrong else {
                isComplete = false
                break
            }
        }
        let isWireless = settings.network.wifi != nil || faults.contains(.wifi)
        if settings.network.gateway != nil, settings.network.address == nil, !faults.contains(.networkAddress) {
            reportGateway()
        }
        // Without its password, a network of that name is another one, which anybody may have set up.
        if settings.network.wifiPassword == nil, !faults.isDisjoint(with: [.wifiPassword, .remotePassword]) {
            settings.network.wifi = nil
        }
        // The address that was meant for it is not the cable's.
        if isWireless, settings.network.wifi == nil { settings.network.address = nil }
        if !isComplete {
            problems.append(
                SettingsProblem(
                    file: path, what: "too much is wrong: the rest of the file is not read",
                    remedy: "copy the file there again"))
        }
    }

    /// Reports a gateway without an address, which has no effect, at its line.
    private mutating func reportGateway() {
        let line = lines[.networkGateway]
        let place = problems.firstIndex { $0.line ?? .max > line ?? .max } ?? problems.endIndex
        problems.insert(
            SettingsProblem(
                file: path, line: line, what: "network-gateway does nothing without network-address",
                remedy: "write network-address = \(SettingsKey.networkAddress.example), too, or put a # before the line"
            ),
            at: place)
    }

    private mutating func take(_ statement: Statement) {
        switch statement.content {
        case .wrong(let reason):
            if let meant = statement.text.writtenName.flatMap({ SettingsKey.nearest(to: $0) }) { faults.insert(meant) }
            let advice = SyntaxAdvice(statement.text, reason: reason)
            problems.append(
                SettingsProblem(
                    file: path, line: statement.line, value: Self.shown(statement.text), what: advice.what,
                    remedy: advice.remedy))
        case .section:
            problems.append(
                SettingsProblem(
                    file: path, line: statement.line, value: statement.text.withoutNote,
                    what: "this file has no sections; what follows is read as if the line were not there",
                    remedy: "remove the line"))
        case .settings(let settings):
            for (name, value) in settings { take(name, value, statement, isAlone: settings.count == 1) }
        }
    }

    /// - Parameter isAlone: whether the statement has no other setting.
    private mutating func take(_ name: String, _ value: SettingValue, _ statement: Statement, isAlone: Bool) {
        func problem(_ what: String, _ remedy: String) -> SettingsProblem {
            SettingsProblem(
                file: path, line: statement.line, value: Self.shown(statement.text), what: what, remedy: remedy)
        }
        guard let key = SettingsKey(rawValue: name) else {
            let nearest = SettingsKey.nearest(to: name)
            if let nearest { faults.insert(nearest) }
            problems.append(
                problem(
                    Self.unknown(name),
                    nearest.map {
                        "write \($0.setting(for: statement.text.written, of: statement.text)) if that is meant"
                    }
                        ?? SyntaxAdvice.noSetting))
            return
        }
        if let first = lines[key], !faults.contains(key) {
            problems.append(
                problem("\(name) stands in line \(first) already, which holds", "remove one of the two lines"))
            return
        }
        lines[key] = statement.line
        do throws(SettingRule.Fault) {
            try key.rule.apply(value, &settings)
        } catch {
            faults.insert(key)
            let isShown = isAlone && Self.isOpen(statement.text)
            let meant = isShown ? statement.text.written.flatMap(key.meant) : nil
            problems.append(problem(error.what, meant.map { "write \(name) = \($0)" } ?? error.remedy))
        }
    }

    /// Says that there is no setting of this name. A long name is not repeated, because it may be a part of a key.
    static func unknown(_ name: String) -> String {
        name.count > 40 ? "there is no setting of this name" : "there is no setting \"\(name)\""
    }

    /// Whether nothing of the line has to be hidden.
    static func isOpen(_ line: String) -> Bool {
        let text = line.withoutNote
        return text.count <= longestShown && shown(line) == text
    }

    /// A line that may be shown: without passwords, even if their name is misspelt.
    private static func shown(_ text: String) -> String? {
        var shown = AddressPassword.hidden(inLine: text).withoutNote
        if shown.count > longestShown { shown = shown.prefix(longestShown) + "..." }
        guard let name = shown.writtenName else {
            // Possibly a part of a key that was pasted with its line ends.
            let isWord = shown.count > 40 && !shown.contains(where: \.isWhitespace)
            return isWord || isSecret(shown) ? nil : shown
        }
        guard name.count <= 40 else { return nil }
        // With several settings in one line, each may be a secret.
        let hides = isSecret(name) || words.contains { shown.lowercased().contains($0) }
        return hides ? "\(name) = ..." : shown
    }

    private static let longestShown = 160

    // ";p:" is of a router's QR code.
    private static let words = ["pass", "psk", "pwd", "secret", "kennwort", "schlüssel", "schluessel", ";p:"]

    private static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return SettingsKey.nearest(to: name)?.isSecret == true
            || (words + ["key"]).contains { name.contains($0) }
    }
}
