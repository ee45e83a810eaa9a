internal import CGStreamer

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

    static func title(ofPath path: String) -> String {
        let file = path.split(separator: "/").last ?? Substring(path)
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return String(file) }
        return String(file[..<dot])
    }

    /// Of a `file:` URI, or as it is; `nil` for a URI that is none of a file's.
    static func path(of address: String) -> String? {
        address.hasPrefix("file:") ? takeString(g_filename_from_uri(address, nil, nil)) : address
    }

    /// "http://name:password@host/film" is "http://name@host/film".
    public static func withoutPassword(_ address: String) -> String { withoutPassword(of: address, address) }

    /// A text that may speak of an address, without the address's password.
    public static func withoutPassword(of address: String, _ text: String) -> String {
        password(in: address).map { text.replacing($0, with: "@") } ?? text
    }

    /// With what stands around it: ":password@".
    private static func password(in address: String) -> Substring? {
        guard let scheme = address.firstRange(of: "://") else { return nil }
        let authority = address[scheme.upperBound...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else {
            return nil
        }
        return address[colon...at]
    }
}
