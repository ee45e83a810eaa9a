internal import CGStreamer

extension MediaLocation {
    /// Whether an address is of this machine's files, whether or not there is one. Looks at nothing.
    public static func isLocal(_ address: String) -> Bool {
        gst_uri_is_valid(address) == 0 || address.hasPrefix("file:")
    }

    /// "http://name:password@host/film" is "http://name@host/film".
    static func withoutPassword(_ address: String) -> String {
        password(in: address).map { address.replacing($0, with: "@", maxReplacements: 1) } ?? address
    }

    /// With what stands around it: ":password@".
    static func password(in address: String) -> Substring? {
        guard let scheme = address.firstRange(of: "://") else { return nil }
        let authority = address[scheme.upperBound...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else {
            return nil
        }
        return address[colon...at]
    }
}
