import KMS
import PlayerCore
import Settings

/// Settings that the display does not support: a player that must keep running ignores them.
enum DisplayProblems {
    /// Reads this machine's displays; empty if there is none, or access is denied.
    static func all(of file: SettingsFile) -> [SettingsProblem] {
        var request = DisplayRequest(
            connector: file.settings.connector, mode: file.settings.mode.flatMap { ModeRequest($0) },
            osd: OSDRequest(rawValue: file.settings.osd.rawValue) ?? .automatic)
        guard request.connector != nil || request.mode != nil || request.osd == .plane,
            let inventory = try? DisplayInventory.read(for: request)
        else { return [] }
        var problems: [SettingsProblem] = []
        while true {
            do throws(KMSError) {
                _ = try DisplayChoice.choose(from: inventory, request: request)
                return problems
            } catch {
                guard let easier = request.easier(after: error), let (key, value) = line(of: error) else {
                    return problems
                }
                request = easier
                problems.append(
                    SettingsProblem(
                        file: file.path, line: file.lines[key], value: "\(key.rawValue) = \"\(value)\"",
                        what: "\(error)",
                        remedy: "write one that there is, or put a # before the line"))
            }
        }
    }

    private static func line(of error: KMSError) -> (SettingsKey, value: String)? {
        switch error {
        case .noSuchConnector(let name, _): (.connector, name)
        case .noSuchMode(let mode, _, _): (.mode, "\(mode)")
        case .noOSDPlane: (.osd, "plane")
        default: nil
        }
    }
}
