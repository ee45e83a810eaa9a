internal import CGStreamer
internal import PlayerCore
internal import TextFiles

extension MediaLocation {
    /// Whether an address is of this machine's files, whether or not there is one; standard input is none. Looks at nothing.
    public static func isLocal(_ address: String) -> Bool {
        address != "-" && gst_uri_is_valid(address) == 0 || address.hasPrefix("file:")
    }

    /// The name of the file that an address is of, without its ending, and without the question after it that a server is
    /// asked. Looks at nothing.
    public static func title(of address: String) -> String {
        let path =
            isLocal(address)
            ? path(of: address) ?? address : withoutPassword(address).split(separator: "?").first.map(String.init) ?? ""
        return title(ofPath: path)
    }

    /// By its ending. An M3U8 is HLS, which is a film.
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

    /// Of a `file:` URI, or as it is; `nil` for a URI that is none of a file's. One that is not UTF-8 stays a URI.
    static func path(of address: String) -> String? {
        address.hasPrefix("file:") ? FileAddress.path(of: address) : address
    }

    /// "http://name:password@host/film" is "http://name@host/film".
    public static func withoutPassword(_ address: String) -> String { AddressPassword.hidden(in: address) }

    /// A text that may speak of an address, without the address's password, also where the text has its signs as they are: "#" for
    /// the address's "%23".
    public static func withoutPassword(of address: String, _ text: String) -> String {
        let hidden = AddressPassword.hidden(of: address, in: text)
        guard let plain = takeString(g_uri_unescape_string(address, nil)), plain != address else { return hidden }
        return AddressPassword.hidden(of: plain, in: hidden)
    }
}
