internal import Glibc
internal import TextFiles

/// Whether somebody configured ALSA's default: then it is left as it is.
public enum ALSAConfiguration {
    /// Looks for a file of the machine's or of the user's, and for ALSA's variables of the environment.
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

    /// Packages put files into this folder. Most add a PCM of their own and leave the default alone.
    private static func namesDefault(below root: String) -> Bool {
        (FolderEntry.all(in: "\(root)/etc/alsa/conf.d") ?? []).contains { entry in
            guard entry.name.hasSuffix(".conf"), let bytes = try? WholeFile.bytes(of: entry.path) else { return false }
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains {
                $0.trimmed.hasPrefix("pcm.!default")
            }
        }
    }
}
