public enum SystemFiles {
    static let zones = "/usr/share/zoneinfo"
}
