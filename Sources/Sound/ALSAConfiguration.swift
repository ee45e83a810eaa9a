internal import Glibc
internal import TextFiles

/// Whether somebody configured ALSA's default, which is then left unchanged.
public enum ALSAConfiguration {
    /// Checks for a configuration file of the machine or the user, and for ALSA's environment variables.
    public static func isThere(below root: String = "") -> Bool {
        func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        let variables = ["ALSA_CONFIG_PATH", "ALSA_CARD", "ALSA_PCM_CARD"]
        return variables.contains { value($0) != nil } || isThere(below: root, home: value("HOME"))
    }

    /// - Parameter home: the user's folder.
    static func isThere(below root: String, home: String?) -> Bool {
        let own = home.map { ["\($0)/.asoundrc", "\($0)/.config/alsa/asoundrc"] } ?? []
        return (["\(root)/etc/asound.conf"] + own).contains { access($0, F_OK) == 0 } || namesDefault(below: root)
    }

    /// Packages install files into this folder. Most add a PCM of their own and do not change the default.
    private static func namesDefault(below root: String) -> Bool {
        (FolderEntry.all(in: "\(root)/etc/alsa/conf.d") ?? []).contains { entry in
            guard entry.name.hasSuffix(".conf"), let bytes = try? WholeFile.bytes(of: entry.path) else { return false }
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains {
                $0.trimmed.hasPrefix("pcm.!default")
            }
        }
    }
}
