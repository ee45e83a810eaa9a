internal import Glibc

public enum VitrineVersion {
    /// The version of `--version`. Films that crashed another version, by the playback record, are tried again.
    public static let current = "0.1.0"

    static var processID: Int32 { getpid() }
}
