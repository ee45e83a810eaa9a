internal import Glibc

public enum VitrineVersion {
    public static let current = "0.1.0"

    static var processID: Int32 { getpid() }
}
