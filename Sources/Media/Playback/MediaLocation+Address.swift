internal import CGStreamer

extension MediaLocation {
    /// Whether an address is of this machine's files, whether or not there is one. Looks at nothing.
    public static func isLocal(_ address: String) -> Bool {
        gst_uri_is_valid(address) == 0 || address.hasPrefix("file:")
    }
}
