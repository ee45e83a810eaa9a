import KMS
import Logging
import Media
import PlayerCore
import Playlists
import Settings
import Vitrine

/// The films to play and the options: the command line takes precedence, then the settings file, then the default.
struct LaunchOptions {
    private let command: PlayCommand
    private let file: SettingsFile?
    private var settings: Settings { file?.settings ?? Settings() }

    /// Reads the settings file. Blocks for as long as its card takes.
    init(_ command: PlayCommand) {
        self.command = command
        file = command.settings.map { SettingsFile(path: $0) }
    }

    var connector: String? { command.connector ?? settings.connector }
    var mode: ModeRequest? { (command.mode ?? settings.mode).flatMap { ModeRequest($0) } }
    var osd: OSDRequest { command.osd ?? OSDRequest(rawValue: settings.osd.rawValue) ?? .automatic }
    var controls: ControlsMode { command.controls ?? settings.controls }
    var time: TimeDisplay { command.time ?? settings.time }
    var chooseOutput: Bool { command.chooseOutput ?? settings.chooseOutput }
    var transform: DisplayTransform {
        DisplayTransform(
            rotation: command.rotate ?? settings.rotate, isReflected: command.reflect ?? settings.reflect)
    }
    var gravity: VideoGravity { command.gravity ?? settings.gravity }
    var matchRefresh: Bool { command.matchRefresh ?? settings.matchRefresh }
    var whenUnplugged: PlayerOptions.WhenUnplugged {
        command.whenUnplugged ?? .init(rawValue: settings.whenUnplugged.rawValue) ?? .play
    }
    var touch: String? { command.touch ?? settings.touch }
    var mute: Bool { command.mute ?? settings.mute }
    var volume: Int { command.volume ?? settings.volume }
    var volumeLimit: Int { settings.volumeLimit }
    var sound: SoundPreference { command.sound.map { SoundPreference(text: $0) } ?? SoundPreference(settings.sound) }
    /// The first track if there is no preference.
    var audio: TrackPreference {
        let tags = command.audio.map { LanguageTag.list($0) ?? [] } ?? settings.languages.compactMap { LanguageTag($0) }
        return tags.isEmpty ? .any : .languages(tags)
    }
    var subtitle: TrackPreference {
        guard let text = command.subtitle ?? settings.subtitles, text != "off", let tags = LanguageTag.list(text) else {
            return .none
        }
        return .languages(tags)
    }
    var keepsState: Bool { settings.resume }

    /// Films from the command line pause at their end, a kiosk's repeat.
    var end: PlaylistEnd {
        if let end = command.end { return end }
        if let loop = command.loop { return loop ? .loop : .pause }
        return file?.settings.atEnd ?? .pause
    }

    // MARK: Films

    /// The available films, and the problems in the settings. Films named on the command line must exist, those in the
    /// settings need not.
    func films(_ log: Logger) throws(MediaFailure) -> (films: [MediaLocation], problems: [SettingsProblem]) {
        guard let file else {
            var films: [MediaLocation] = []
            var isAnyEmpty = false
            for name in command.films {
                let entries: [PlaylistEntry]
                do throws(PlaylistError) {
                    entries = try Self.entries(of: name, log)
                } catch {
                    guard error.isEmpty else { throw MediaFailure(error) }
                    log.error("\(error)")
                    isAnyEmpty = true
                    continue
                }
                // One missing film among many does not keep the others from playing.
                if entries.count == 1 {
                    films.append(try MediaLocation(entries[0]))
                } else {
                    films += MediaLocation.those(of: entries, log)
                }
            }
            if films.isEmpty, isAnyEmpty { return ([.testPicture], []) }
            guard !films.isEmpty else {
                throw MediaFailure(reason: .noSuchFile, message: "there is none of the films named")
            }
            return (films, [])
        }
        if !command.films.isEmpty {
            return (MediaLocation.those(of: Self.entries(ofAll: command.films, log), log), file.problems)
        }
        let list = FilmList(of: file)
        for note in list.notes { log.notice("\(note)") }
        let (films, omissions) = Self.films(of: list)
        return (films, file.problems + list.problems + omissions)
    }

    /// The films that loop while there is no visitor; none if there is no such folder. Problems in the settings are
    /// reported with the films.
    func attract(_ log: Logger) -> [MediaLocation] {
        if let name = command.attract { return MediaLocation.those(of: Self.entries(ofAll: [name], log), log) }
        return file.map { MediaLocation.those(of: FilmList(of: $0).attract, log) } ?? []
    }

    /// The films without those of the attract folder on the command line.
    func withoutAttract(_ films: [MediaLocation]) -> [MediaLocation] { Self.films(films, without: command.attract) }

    private static func films(_ films: [MediaLocation], without attract: String?) -> [MediaLocation] {
        guard let place = attract.map({ FilmPlace($0) }) else { return films }
        return films.filter { !place.holds($0.name) }
    }

    /// The offer to visitors.
    func visit(state: String?) -> VisitPlan {
        var plan = VisitPlan()
        plan.menu = settings.menu
        plan.idle = .seconds(settings.idleSeconds)
        plan.filmIdle = .seconds(settings.filmIdleSeconds)
        plan.countdown = .seconds(settings.countdownSeconds)
        plan.languages = settings.languages.compactMap { LanguageTag($0) }
        plan.statistics = settings.statistics ? state.map { "\($0)/visits.csv" } : nil
        return plan
    }

    /// The available films, and everything that was skipped.
    static func films(of list: FilmList) -> (films: [MediaLocation], omissions: [SettingsProblem]) {
        var (failures, count) = ([SettingsProblem](), 0)
        let films = MediaLocation.those(of: list.entries) { entry, failure in
            count += 1
            if count <= mostReported { failures.append(problem(failure, of: entry)) }
        }
        return (films, list.omissions + failures + rest(count))
    }

    /// A longer list would not say more.
    private static let mostReported = 20

    private static func rest(_ count: Int) -> [SettingsProblem] {
        guard count > mostReported else { return [] }
        let file = "\(count - mostReported) more films"
        return [SettingsProblem(file: file, what: "cannot be played", remedy: "mend these first")]
    }

    private static func problem(_ failure: MediaFailure, of entry: PlaylistEntry) -> SettingsProblem {
        let name = MediaLocation.withoutPassword(entry.location)
        if failure.reason == .noSuchFile {
            return SettingsProblem(
                file: name, what: "there is no such film",
                remedy: "copy it there, or write its path from the list's folder on, as films/film.mp4")
        }
        let message =
            failure.message.hasPrefix("\(name): ") ? failure.message.dropFirst(name.count + 2) : failure.message[...]
        return SettingsProblem(file: name, what: String(message), remedy: "or take it out")
    }

    /// The supply of a player that must keep running: with settings. Films that were skipped are skipped again in later
    /// searches.
    func supply(_ keeper: StateFile?) -> FilmSupply? {
        guard let file else { return nil }
        let named = command.films
        let folder = command.attract
        return FilmSupply(message: "No film found. \(Self.remedy(for: named.isEmpty ? file.settings.films : named))") {
            let list = FilmList(of: file)
            let entries = named.isEmpty ? list.entries : Self.entries(ofAll: named, nil)
            var films = Self.films(MediaLocation.those(of: entries, nil), without: folder)
            var attract = MediaLocation.those(of: folder.map { Self.entries(ofAll: [$0], nil) } ?? list.attract, nil)
            _ = keeper?.resumption(of: &films)
            _ = keeper?.resumption(of: &attract, hasOthers: !films.isEmpty)
            // There is nothing else to play.
            return films.isEmpty ? FilmStock(films: attract) : FilmStock(films: films, attract: attract)
        }
    }

    /// The remedy in words for the person at the machine: the card's folder, another one, or single films.
    private static func remedy(for films: [String]) -> String {
        if films == Settings().films { return "Copy films into the folder \"films\" on the card." }
        guard films.count == 1, !films[0].contains("://") else { return "None of those that are named is there." }
        return "Copy films to \(films[0])."
    }

    private static func entries(ofAll names: [String], _ log: Logger?) -> [PlaylistEntry] {
        names.flatMap { name in
            do throws(PlaylistError) {
                return try entries(of: name, log)
            } catch {
                log?.error("\(error)")
                return []
            }
        }
    }

    private static func entries(of name: String, _ log: Logger?) throws(PlaylistError) -> [PlaylistEntry] {
        let contents = try Playlist.contents(of: name)
        for omission in contents.omissions { log?.warning("\(omission); \(omission.remedy)") }
        for note in contents.notes { log?.notice("\(note)") }
        return contents.entries
    }

    // MARK: Problems

    static func problems(passedOver films: [MediaLocation]) -> [SettingsProblem] {
        films.map { film in
            SettingsProblem(
                file: film.name,
                what: "passed over, because the program went down with it "
                    + "\(PlaybackRecord.mostCrashes) times in a row",
                remedy: "put another file in its place")
        }
    }

    /// A person who was not there learns from the file beside the settings that a film could not be played.
    static func problems(failed films: [(film: MediaLocation, failure: PlaybackRecord.Failure)]) -> [SettingsProblem] {
        let problems = films.prefix(mostReported).map { film, failure in
            SettingsProblem(file: film.name, what: clause(failure.what), remedy: clause(failure.remedy))
        }
        return problems + rest(films.count)
    }

    private static func clause(_ sentence: String) -> String { sentence.prefix(1).lowercased() + sentence.dropFirst() }

    /// Reports problems in the log, and beside the settings file.
    func report(_ problems: [SettingsProblem], _ log: Logger) {
        for problem in problems { log.warning("\(problem)") }
        if let file { Self.write(problems, beside: file, log) }
    }

    /// Writes what the display does not have of the settings beside the settings file, after `problems`. Blocks for as
    /// long as its card takes.
    func displayReport(after problems: [SettingsProblem], _ log: Logger) -> @Sendable ([KMSError]) -> Void {
        guard let file else { return { _ in } }
        return { errors in
            let missing = errors.compactMap { DisplayProblems.problem($0, in: file) }
            if !missing.isEmpty { Self.write(problems + missing, beside: file, log) }
        }
    }

    private static func write(_ problems: [SettingsProblem], beside file: SettingsFile, _ log: Logger) {
        do throws(FileError) {
            try ErrorsFile(beside: file).report(problems)
        } catch {
            log.info("\(error)")
        }
    }
}
