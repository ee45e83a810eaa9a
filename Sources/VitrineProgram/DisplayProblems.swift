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
                guard let easier = request.easier(after: error), let problem = problem(error, in: file) else {
                    return problems
                }
                request = easier
                problems.append(problem)
            }
        }
    }

    /// `nil` if the file does not ask for what is missing: the command line does, or nobody.
    static func problem(_ error: KMSError, in file: SettingsFile) -> SettingsProblem? {
        let settings = file.settings
        let (key, value): (SettingsKey, String)
        switch error {
        case .noSuchConnector(let name, _) where name == settings.connector: (key, value) = (.connector, name)
        case .noSuchMode(let mode, _, _) where mode == settings.mode.flatMap { ModeRequest($0) }:
            (key, value) = (.mode, settings.mode ?? "")
        case .noOSDPlane where settings.osd == .plane: (key, value) = (.osd, "plane")
        default: return nil
        }
        return SettingsProblem(
            file: file.path, line: file.lines[key], value: "\(key.rawValue) = \"\(value)\"", what: "\(error)",
            remedy: "write one that there is, or put a # before the line")
    }
}
