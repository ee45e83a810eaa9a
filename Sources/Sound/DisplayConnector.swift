internal import TextFiles

/// A display's connector, as the kernel last detected it.
struct DisplayConnector: Hashable, Sendable {
    /// "HDMI-A-1"
    var name: String
    var isConnected: Bool
    /// `nil` if there is none.
    var edid: EDID?

    /// All connectors, by card and name.
    static func all(below root: String) -> [DisplayConnector] {
        let folder = "\(root)/sys/class/drm"
        let entries = (FolderEntry.all(in: folder) ?? []).sorted { $0.name < $1.name }
        return entries.compactMap { entry in
            // "card0-HDMI-A-1"
            guard entry.name.hasPrefix("card"), let dash = entry.name.firstIndex(of: "-") else { return nil }
            func bytes(_ file: String) -> [UInt8] {
                (try? WholeFile.bytes(of: "\(folder)/\(entry.name)/\(file)")) ?? []
            }
            return DisplayConnector(
                name: String(entry.name[entry.name.index(after: dash)...]),
                isConnected: String(decoding: bytes("status"), as: UTF8.self).hasPrefix("connected"),
                edid: EDID(bytes("edid")))
        }
    }
}
