internal import Glibc

public enum VitrineVersion {
    /// Another one than kept the record of playing gives films that brought it down another chance.
    public static let current = "0.1.0"

    static var processID: Int32 { getpid() }
}
