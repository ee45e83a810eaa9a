internal import Glibc

public enum VitrineVersion {
    /// As `--version` tells it. Films that brought another version down, as the record of playing says, are tried again.
    public static let current = "0.1.0"

    static var processID: Int32 { getpid() }
}
