import ArgumentParser
import Logging
import Media
import Settings
import Vitrine

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Checks the settings file, shows what holds, and sets the machine up as it says.",
        discussion:
            "The file itself explains its names, values and defaults: vitrine.toml on the card, /etc/vitrine.toml of the package, "
            + "board/vitrine.toml where Vitrine was built. `vitrine settings check --help` has more.",
        subcommands: [CheckCommand.self, ShowCommand.self, ApplyCommand.self])

    struct CheckCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Prints each mistake in the file, with its line and its remedy.")

        @OptionGroup var file: SettingsArgument

        @Flag(help: "Write them into vitrine-errors.txt beside the file too, or remove that where there are none.")
        var beside = false

        @Option(
            help: ArgumentHelp(
                "Write them into this file, in place of the one beside the settings.", valueName: "file"),
            completion: .file())
        var errors: String?

        @Option(
            help: ArgumentHelp(
                "Name also the films that \"play --state\" could not play, and those that it passes over because the program went "
                    + "down with them.",
                valueName: "folder"), completion: .directory)
        var state: String?

        @Flag(help: "Ask this machine's displays too whether they have the connector and the mode.")
        var displays = false

        @Flag(help: "Ask this machine's sound cards too whether they have what the setting sound names.")
        var sounds = false

        func run() throws {
            let file = SettingsFile(path: file.path)
            let list = FilmList(of: file)
            var (films, omissions) = LaunchOptions.films(of: list)
            // A default folder that is missing or empty is no error in the file: it is said, and not counted.
            let hints = list.problems.filter { $0.line == nil }
            var problems = file.problems + list.problems.filter { $0.line != nil } + omissions
            if displays { problems += DisplayProblems.all(of: file) }
            if sounds { problems += SoundProblems.all(of: file) }
            if let state, file.settings.resume {
                let record = StateFile(folder: state, log: Log.quiet)
                var attract = MediaLocation.those(of: list.attract, nil)
                var passedOver = record.resumption(of: &films).passedOver
                passedOver += record.resumption(of: &attract, hasOthers: !films.isEmpty).passedOver
                problems += LaunchOptions.problems(failed: record.failures(of: films + attract))
                problems += LaunchOptions.problems(passedOver: passedOver)
            }
            for problem in problems { say("\(problem)") }
            for note in list.notes { say(note) }
            for hint in hints { printError("\(hint)") }
            if problems.isEmpty, hints.isEmpty { say("\(file.path): no mistakes") }
            if beside || errors != nil {
                var place = ErrorsFile(beside: file)
                if let errors { place.path = errors }
                do throws(FileError) {
                    try place.report(problems)
                } catch {
                    printError("\(error)")
                }
            }
            if !problems.isEmpty { throw ExitStatus.badSettings.code }
        }
    }

    struct ShowCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows every setting with the value that holds, except for passwords.")

        @OptionGroup var file: SettingsArgument

        func run() {
            let file = SettingsFile(path: file.path)
            for problem in file.problems { printError("\(problem)") }
            for key in SettingsKey.allCases { say(key.shown(in: file.settings)) }
        }
    }

    struct ApplyCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apply",
            abstract: "Sets up host name, time zone, network and SSH keys, for the services that read these files.",
            discussion: """
                Writes the files that change, and prints their paths: etc/hostname, etc/hosts, etc/localtime, \
                run/systemd/network/50-vitrine-*.network, etc/wpa_supplicant/wpa_supplicant-wlan0.conf (mode 600), \
                etc/ssh/authorized_keys.d/\(SystemFiles.administrator). With --root / it sets the kernel's host name, \
                too. It prints mistakes in the file on standard error, and sets up the rest.
                """)

        @OptionGroup var file: SettingsArgument

        @Option(help: ArgumentHelp("Write below this folder, / for this machine.", valueName: "folder"))
        var root: String

        func run() throws {
            let file = SettingsFile(path: file.path)
            for problem in file.problems { printError("\(problem)") }
            let files = SystemFiles(file.settings)
            do throws(FileError) {
                for path in try files.write(root: root) { say(path) }
                if root == "/", let name = files.hostName { try SystemFiles.setHostName(name) }
            } catch {
                printError("\(error)")
                throw ExitStatus.failure.code
            }
        }
    }
}

struct SettingsArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The settings file.", valueName: "file"), completion: .file(extensions: ["toml"]))
    var path: String
}
