/// Hides the passwords in an address: only the server gets them.
///
/// People paste an address with its password unescaped. With characters such as `#`, `/`, `?` and `@` in it, the
/// password's end is ambiguous: everything that may belong to it is hidden.
public enum AddressPassword {
    /// "rtsp://name:password@host/film" becomes "rtsp://name@host/film".
    public static func hidden(in address: String) -> String { hidden(of: address, in: address) }

    /// A text that may contain an address, without the address's passwords.
    public static func hidden(of address: String, in text: String) -> String {
        guard let scheme = address.firstRange(of: "://") else { return text }
        let rest = address[scheme.upperBound...]
        var hidden = text
        if let password = password(in: rest) { hidden = hidden.replacing(password, with: "@") }
        // The form that cameras use: "/user=admin_password=1234_channel=1", "?user=admin&pwd=1234".
        let named = #/([?&;\/_](?:password|passwd|passwort|pass|pwd|psw)=)(?:.+?)(?=&|_[a-z]+=|$)/#.ignoresCase()
        for match in rest.matches(of: named) { hidden = hidden.replacing(match.0, with: "\(match.1)...") }
        return hidden
    }

    /// A line that people wrote, with addresses in it. Each address may reach to the line's end.
    public static func hidden(inLine line: String) -> String {
        line.ranges(of: "://").reduce(line) { hidden(of: String(line[$1.lowerBound...]), in: $0) }
    }

    /// The password with its delimiters, ":password@".
    private static func password(in rest: Substring) -> Substring? {
        // Neither a user's name nor a host contains a slash or a question mark, and only a host starts with a bracket.
        guard !rest.hasPrefix("["), let last = rest.lastIndex(of: "@"),
            let colon = rest.prefix(while: { $0 != "/" && $0 != "?" }).firstIndex(of: ":"), colon < last
        else { return nil }
        // "example.org:8080/films/a@b.mp4" names a port.
        let port = rest[colon...].dropFirst().prefix { $0 != "/" }
        let isServer = isNumeric(rest[..<colon]) || isDomain(rest[..<colon])
        if isServer, port.endIndex < last, UInt16(port) != nil { return nil }
        var end = last
        // An @ in a path stays if the host is certain: "name:password@192.168.1.9/a@b".
        for at in rest[colon...].indices where rest[at] == "@" {
            let authority = rest[rest.index(after: at)...].prefix { $0 != "/" && $0 != "?" }
            guard authority.endIndex < rest.endIndex, isNumeric(authority.prefix { $0 != ":" }) else { continue }
            end = at
            break
        }
        return rest[colon...end]
    }

    private static func isNumeric(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return host == "localhost" || parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }

    private static func isDomain(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last, last.count > 1 else { return false }
        return last.allSatisfy { $0.isASCII && $0.isLetter }
            && parts.allSatisfy {
                !$0.isEmpty && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            }
    }
}
