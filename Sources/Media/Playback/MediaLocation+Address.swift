internal import CGStreamer
internal import PlayerCore
internal import TextFiles

extension MediaLocation {
    /// Whether an address is a file on this machine, whether or not it exists; standard input is none. Does no I/O.
    public static func isLocal(_ address: String) -> Bool {
        address != "-" && gst_uri_is_valid(address) == 0 || address.hasPrefix("file:")
    }

    /// The name of the file at an address, without its extension and query. Does no I/O.
    public static func title(of address: String) -> String {
        let path =
            isLocal(address)
            ? path(of: address) ?? address : withoutPassword(address).split(separator: "?").first.map(String.init) ?? ""
        return title(ofPath: path)
    }

    /// Whether the extension is a playlist's. An M3U8 is HLS, which is a film.
    var isRemoteList: Bool {
        guard !isLocal else { return false }
        let path = uri.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return [".m3u", ".pls", ".xspf"].contains { path.hasSuffix($0) }
    }

    static func title(ofPath path: String) -> String {
        let path = FileAddress.readable(path)
        let file = path.split(separator: "/").last ?? Substring(path)
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return String(file) }
        return String(file[..<dot])
    }

    /// The path of a `file:` URI, or the path itself; `nil` for other URIs. A path that is not UTF-8 stays a URI.
    static func path(of address: String) -> String? {
        address.hasPrefix("file:") ? FileAddress.path(of: address) : address
    }

    /// "http://name:password@host/film" is "http://name@host/film".
    public static func withoutPassword(_ address: String) -> String { AddressPassword.hidden(in: address) }

    /// A text that may contain an address, without the address's password, also if the text has it decoded: "#" for the
    /// address's "%23".
    public static func withoutPassword(of address: String, _ text: String) -> String {
        let hidden = AddressPassword.hidden(of: address, in: text)
        guard let plain = takeString(g_uri_unescape_string(address, nil)), plain != address else { return hidden }
        return AddressPassword.hidden(of: plain, in: hidden)
    }
}
