internal import Glibc
internal import PlayerCore

/// Checks the texts of settings.
enum Check {
    /// `WIDTHxHEIGHT` or `WIDTHxHEIGHT@REFRESH`.
    static func isMode(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let size = parts[0].split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count <= 2, size.count == 2, size.allSatisfy({ (number($0) ?? 0) > 0 }) else { return false }
        guard parts.count == 2 else { return true }
        return Double(parts[1]).map { $0 > 0 && $0 < 1000 } ?? false
    }

    /// A BCP 47 tag: "de", "pt-BR", "zh-Hant-TW".
    static func isLanguage(_ text: String) -> Bool {
        !text.contains("_") && LanguageTag(text)?.hasShortName == true
    }

    /// Whether the machine's zone table has the zone; without a table, whether the form is right.
    static func isTimeZone(_ text: String) -> Bool {
        let hasShape =
            !text.hasPrefix("/")
            && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_+-".contains($0)) }
            }
        guard hasShape, access(SystemFiles.zones, F_OK) == 0 else { return hasShape }
        var status = stat()
        return stat("\(SystemFiles.zones)/\(text)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// A label of RFC 1123.
    static func isHostName(_ text: String) -> Bool {
        (1...63).contains(text.count) && text.first != "-" && text.last != "-"
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    /// A passphrase of WPA, or its key in 64 hexadecimal digits (IEEE 802.11, J.4.1).
    static func isWirelessPassword(_ text: String) -> Bool {
        if text.count == 64 { return text.allSatisfy { $0.isASCII && $0.isHexDigit } }
        return (8...63).contains(text.count) && text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }
    }

    static func isAddress(_ text: String, hasPrefix: Bool) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == (hasPrefix ? 2 : 1) else { return false }
        var bytes = in6_addr()
        let isVersion4 = inet_pton(AF_INET, parts[0], &bytes) == 1
        guard isVersion4 || inet_pton(AF_INET6, parts[0], &bytes) == 1 else { return false }
        guard hasPrefix else { return true }
        return number(parts[1]).map { (1...(isVersion4 ? 32 : 128)).contains($0) } ?? false
    }

    /// A number of digits alone; `Int` accepts "+24", too.
    private static func number(_ text: some StringProtocol) -> Int? {
        text.allSatisfy { ("0"..."9").contains($0) } ? Int(text) : nil
    }

    /// A line of an `authorized_keys` file without options.
    static func isPublicKey(_ text: String) -> Bool {
        let parts = text.split(separator: " ")
        let kinds = ["ssh-ed25519", "ssh-rsa", "ecdsa-sha2-", "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-"]
        guard parts.count >= 2, kinds.contains(where: { parts[0].hasPrefix($0) }), parts[1].count >= 64 else {
            return false
        }
        // Base64 of a length, in four bytes, whose first two are zero.
        return parts[1].hasPrefix("AAAA")
            && parts[1].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0)) }
    }
}
