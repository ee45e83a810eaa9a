import ArgumentParser
import Vitrine

struct VitrineProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vitrine",
        abstract: "Plays films full-screen on a bare Linux display, scrubbed by touch.",
        discussion: """
            EXAMPLES
              vitrine play film.mp4                a film; a touch brings the seek bar
              vitrine play --loop *.mp4            a playlist, for ever
              vitrine displays                     the displays, and which one is used
              vitrine sounds                       the sound outputs, and which one is used
              vitrine touch                        what the touch panel reports
              vitrine inspect film.mp4             will it play, and scrub well?
              vitrine prepare film.mp4             makes small pictures for a fast finger
              vitrine settings check vitrine.toml  the mistakes in the settings
              vitrine report                       what to send with a question

            EXIT STATUS
            \(ExitStatus.table)
            """,
        version: VitrineVersion.current,
        subcommands: [
            PlayCommand.self, DisplaysCommand.self, SoundsCommand.self, TouchCommand.self, InspectCommand.self,
            PrepareCommand.self, SettingsCommand.self, ReportCommand.self, ConsoleGuardCommand.self,
        ],
        defaultSubcommand: nil)

    /// The command to write in place of a word that is none; `nil` if it is one, or an option.
    static func advice(onCommand word: String) -> String? {
        let commands = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard !word.hasPrefix("-"), !commands.contains(word) else { return nil }
        let isFilm = word.contains(".") || word.contains("/")
        let advice = isFilm ? "Did you mean: vitrine play \(word)" : "vitrine --help lists them all."
        return "There is no command \"\(word)\". \(advice)"
    }
}
