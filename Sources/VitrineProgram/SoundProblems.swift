import PlayerCore
import Settings
import Sound

/// Finds words of the setting `sound` that match no route of this machine. The player then chooses a route by itself.
enum SoundProblems {
    static func all(of file: SettingsFile, among routes: [SoundRoute] = SoundsCommand.allRoutes()) -> [SettingsProblem]
    {
        let preference = SoundPreference(file.settings.sound)
        return preference.select(from: routes, connector: nil).unknownWords.map { word in
            SettingsProblem(
                file: file.path, line: file.lines[.sound], value: "sound = \"\(word)\"",
                what: SoundsText.unknown([word], among: routes),
                remedy: "write one that there is, plug it in, or put a # before the line")
        }
    }
}
