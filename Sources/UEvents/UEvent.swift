/// A kernel message about a device: a header `ACTION@PATH`, then `NAME=VALUE` fields, each terminated by a zero byte.
public struct UEvent: Hashable, Sendable {
    public var fields: [String: String]

    /// `nil` if it is not the kernel's (udev's own start with "libudev").
    public init?(_ bytes: some Collection<UInt8>) {
        let parts = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        guard let head = parts.first, head.contains("@") else { return nil }
        fields = [:]
        for part in parts.dropFirst() {
            guard let equals = part.firstIndex(of: "=") else { continue }
            fields[String(part[..<equals])] = String(part[part.index(after: equals)...])
        }
    }

    /// Whether a display may have been added, removed or changed: a cable, a television's EDID, a bad link, a lease, a
    /// card or a connector of its own.
    public var isAboutDisplays: Bool {
        guard fields["SUBSYSTEM"] == "drm" else { return false }
        return switch fields["ACTION"] {
        case "change": fields["HOTPLUG"] == "1" || fields["LEASE"] == "1"
        case "add", "remove": true
        default: false
        }
    }

    /// Whether a sound card may have been added, removed or become ready: udev announces the latter as a change of the
    /// card.
    public var isAboutSound: Bool { fields["SUBSYSTEM"] == "sound" }
}
