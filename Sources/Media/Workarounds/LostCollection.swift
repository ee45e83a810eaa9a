// Bug: `parsebin`, taken down while it exposes its pads, loses their stream collection: memory that is never freed. Not
// reported.
// Versions: GStreamer 1.22 and 1.26.
// May go when Tests/Rig/test_torn_down.py passes without it, many times.

extension KeyframeScan {
    /// Whether the scan may be cancelled before its film is open.
    static let mayCancelBeforePads = false
}
