internal import Glibc

/// Addresses of this machine's files (RFC 8089), such as `file:///films/a%20b.mp4`.
///
/// The kernel's paths are bytes. A path in UTF-8 is named by its text. Any other one would lose its bytes in a
/// `String`, and is named by its address: `file:///films/f%FCnf.mp4`. `withPath` converts a name for the kernel.
public enum FileAddress {
    /// The name of the file at an address: its path, or the address itself if the path is not UTF-8. `nil` for other
    /// addresses, and for another machine's.
    public static func path(of address: String) -> String? { unescapedPath(of: address).map { name(ofPath: $0) } }

    /// The name of a file.
    public static func name(ofPath path: some Collection<UInt8>) -> String {
        String(validating: path, as: UTF8.self) ?? "file://\(escaped(absolute(Array(path))))"
    }

    /// The name of a file that another file refers to: its path, relative to that one's folder.
    public static func name(ofPath path: some Collection<UInt8>, besides other: String) -> String {
        let slash = UInt8(ascii: "/")
        guard path.first != slash else { return name(ofPath: path) }
        let folder = bytes(of: other)
        return name(ofPath: (folder.lastIndex(of: slash).map { folder[...$0] } ?? []) + path)
    }

    /// The name in readable form: a part that is not UTF-8 is decoded as Windows-1252.
    public static func readable(_ name: String) -> String {
        unescapedPath(of: name).map { FileText.ofName($0) } ?? name
    }

    /// Calls a function with the path for the kernel.
    public static func withPath<Result>(_ name: String, _ call: (UnsafePointer<CChar>) -> Result) -> Result {
        (bytes(of: name).map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { call($0.baseAddress!) }
    }

    /// Whether the file or folder exists. Blocks for as long as the card takes.
    public static func isThere(_ name: String) -> Bool { withPath(name) { access($0, F_OK) } == 0 }

    /// The path for the kernel, without a terminating zero.
    public static func bytes(of name: String) -> [UInt8] { unescapedPath(of: name) ?? Array(name.utf8) }

    private static func unescapedPath(of address: String) -> [UInt8]? {
        guard address.prefix(5).lowercased() == "file:" else { return nil }
        var rest = address.dropFirst(5)
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            if rest.prefix(10).lowercased() == "localhost/" { rest = rest.dropFirst(9) }
        }
        return rest.hasPrefix("/") ? unescaped(Array(rest.utf8)) : nil
    }

    /// Replaces `%20` and the like by their bytes; invalid escapes stay.
    public static func unescaped(_ escaped: [UInt8]) -> [UInt8] {
        var (bytes, place) = ([UInt8](), 0)
        while place < escaped.count {
            if escaped[place] == UInt8(ascii: "%"), place + 2 < escaped.count, escaped[place + 1] != UInt8(ascii: "+"),
                let byte = UInt8(String(decoding: escaped[(place + 1)...(place + 2)], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                place += 3
            } else {
                bytes.append(escaped[place])
                place += 1
            }
        }
        return bytes
    }

    private static func escaped(_ path: [UInt8]) -> String {
        path.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "/-._~".contains(character) {
                return String(character)
            }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    private static func absolute(_ path: [UInt8]) -> [UInt8] {
        guard path.first != UInt8(ascii: "/"), let here = getcwd(nil, 0) else { return path }
        defer { free(here) }
        return UnsafeBufferPointer(start: here, count: strlen(here)).map { UInt8(bitPattern: $0) }
            + [UInt8(ascii: "/")] + path
    }
}
