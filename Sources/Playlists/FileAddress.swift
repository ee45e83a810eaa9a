/// `file:///films/a%20b.mp4`, as addresses of this machine's files are written (RFC 8089).
public enum FileAddress {
    /// `nil` for what is no such address, and for another machine's.
    public static func path(of address: String) -> String? {
        guard address.prefix(5).lowercased() == "file:" else { return nil }
        var rest = address.dropFirst(5)
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            if rest.prefix(10).lowercased() == "localhost/" { rest = rest.dropFirst(9) }
        }
        return rest.hasPrefix("/") ? unescaped(String(rest)) : nil
    }

    /// `%20` is a blank; what is no such thing stays.
    static func unescaped(_ text: String) -> String {
        guard text.contains("%") else { return text }
        let escaped = Array(text.utf8)
        var (bytes, place) = ([UInt8](), 0)
        while place < escaped.count {
            if escaped[place] == UInt8(ascii: "%"), place + 2 < escaped.count,
                let byte = UInt8(String(decoding: escaped[(place + 1)...(place + 2)], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                place += 3
            } else {
                bytes.append(escaped[place])
                place += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
