public import ArgumentParser
import Control
import Glibc
import KMS
public import Logging
import Media
import PlayerCore
import ScrubSheet
import ServiceLifecycle
import Settings
import UnixSignals
import Vitrine

struct PlayCommand: AsyncParsableCommand {
    static let name = "play"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Plays films, one after another.",
        discussion: """
            A touch shows the controls: a button that starts and stops the film, the seek bar, on which a finger scrubs the film \
            under it, languages, subtitles and volume where there are any. A tap on the film hides them again. A film that waits at \
            its start or its end is started by a tap anywhere.
            SIGTERM and SIGINT end the program and give the console back.

            With --settings, films and options come from that file where they are not named here, and the program stays, \
            whatever happens to films, settings and display: as a kiosk's service wants it. To a service manager that \
            listens (systemd's Type=notify) it reports when the first frame is on the screen and, for its watchdog, \
            that frames reach the screen.
            """)

    @Argument(
        help: ArgumentHelp(
            "The films: paths, any address that GStreamer plays, folders, lists (M3U, XSPF, PLS), - for standard input. "
                + "testsrc: is a test picture with a tone, shown also for an empty folder or list.", valueName: "uri"),
        completion: .file())
    var films: [String] = []

    @Option(
        help: ArgumentHelp("Films and options come from this file, vitrine.toml.", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var settings: String?

    @Option(
        help: ArgumentHelp(
            "Films that loop while nobody is there: a folder, a list or a film. A touch plays the other film, or opens a menu of them; "
                + "after a while without a finger these loop again. With --settings, by default the folder attract in the films' folder.",
            valueName: "folder"), completion: .directory)
    var attract: String?

    @Option(
        help: ArgumentHelp(
            "Keep in this folder where the film is, and go on there at the next start; also scrub sheets, visits, and which decoders "
                + "and films failed.", valueName: "folder"),
        completion: .directory)
    var state: String?

    @Option(
        help: ArgumentHelp(
            "What happens at the end of the last film: back to its start and pause, which is the default; stop on the "
                + "last frame; loop, the first film again; next, which ends the program.", valueName: "what"))
    var end: PlaylistEnd?

    @Flag(inversion: .prefixedNo, help: "The same as --end loop.")
    var loop: Bool?

    @Flag(help: "Show the first frame and wait.")
    var paused = false

    @Option(help: ArgumentHelp("Where the first film starts: [[HH:]mm:]ss[.fff].", valueName: "time"))
    var start: String?

    @Option(
        help: ArgumentHelp(
            "Where the film goes: to the display, or into a window of the desktop (X11 or Wayland), with the mouse, "
                + "its left button down, as the finger. Closing the window ends the program.",
            valueName: "where"))
    var output: Output = .display

    @Option(help: "The display's connector; `vitrine displays` lists them. The first connected one by default.")
    var connector: String?

    @Option(
        help: ArgumentHelp(
            "The display's mode, WIDTHxHEIGHT or WIDTHxHEIGHT@REFRESH. By default the one that the display prefers, "
                + "but not more than 1920x1080 where it offers that. A window's size, 1280x720 by default.",
            valueName: "mode"))
    var mode: String?

    @Option(
        help: ArgumentHelp(
            "Listen on this Unix socket for mpv's JSON IPC; docs/mpv.md lists the commands and properties.",
            valueName: "path"), completion: .file())
    var control: String?

    @Option(
        help: ArgumentHelp(
            "The seek bar: automatic, which is the default, on a plane of its own, composited into the film's frames, or off. "
                + "`vitrine displays` says what this display can.",
            valueName: "how"))
    var osd: OSDRequest?

    @Option(
        help: ArgumentHelp(
            "What a touch shows: full, which is the default, buttons for all that the film has a use for; bar, the seek bar and the "
                + "button that starts and stops the film; off, nothing: a tap starts a film that stands.",
            valueName: "what"))
    var controls: ControlsMode?

    @Option(
        help: ArgumentHelp(
            "What the time beside the bar counts: total, how long the film is, which is the default; remaining, how much of "
                + "it is left.", valueName: "what"))
    var time: TimeDisplay?

    @Flag(
        inversion: .prefixedNo,
        help: "Let visitors choose where the sound comes out, if there are several places.")
    var chooseOutput: Bool?

    @Option(
        help: ArgumentHelp(
            "Turn film, bar and touch by 90, 180 or 270 degrees clockwise.", valueName: "degrees"))
    var rotate: DisplayTransform.Rotation?

    @Flag(inversion: .prefixedNo, help: "Mirror film, bar and touch left to right, before they are turned.")
    var reflect: Bool?

    @Option(
        help: ArgumentHelp(
            "What turns the film: the plane if it can, or always the pipeline, for a driver that wrongly "
                + "says that its plane can.", valueName: "what"))
    var rotateBy: TurnedBy = .plane

    @Flag(
        inversion: .prefixedNo, help: "Use the display's mode whose refresh rate suits the film, of the same size.")
    var matchRefresh: Bool?

    @Option(help: "What the film does while its display is unplugged: play on, which is the default, or pause.")
    var whenUnplugged: PlayerOptions.WhenUnplugged?

    @Option(
        help: ArgumentHelp(
            "The touch panel: a part of its name, or its node (event3). By default all that udev's WL_OUTPUT does not "
                + "give to another display; `vitrine touch` lists them.", valueName: "panel"))
    var touch: String?

    @Option(
        name: .customLong("drm-fd"),
        help: ArgumentHelp(
            "Play on an open DRM device that was handed over: a lease, or a card whose master the caller is.",
            valueName: "number"))
    var fileDescriptor: Int32?

    @Flag(help: "Leave the text console's keyboard on: Ctrl-C ends the program, and what is typed reaches the shell.")
    var keyboard = false

    @Flag(inversion: .prefixedNo, help: "Play without sound.")
    var mute: Bool?

    @Option(
        help: ArgumentHelp(
            "Where the sound comes out: hdmi, headphones, usb, default (what ALSA's own settings say), or a part of a name "
                + "that `vitrine sounds` lists; hdmi,usb is both at once. By default the display that shows the film, else headphones, else USB.",
            valueName: "where"))
    var sound: String?

    @Option(help: ArgumentHelp("How loud, of the film's own loudness: 0 to 100.", valueName: "per-cent"))
    var volume: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How fast: 0.25 to 4 times, -4 to -0.25 backwards from --start.", valueName: "times"))
    var rate = 1.0

    @Option(
        help: ArgumentHelp(
            "How a film of another shape than the display's is fitted into it: fit, black beside it, which is the default; "
                + "fill, cropped; stretch, distorted.", valueName: "how"))
    var gravity: VideoGravity?

    @Option(
        help: ArgumentHelp(
            "The sound's language, of films that have several: de, or de,en, the best first.", valueName: "languages"))
    var audio: String?

    @Option(
        help: ArgumentHelp(
            "Subtitles in this language, of the film or of a file beside it (film.de.srt): de, or de,en, the best first; "
                + "off, which is the default.", valueName: "languages"))
    var subtitle: String?

    @Option(help: "How much to log to standard error: trace, debug, info, notice, warning, error.")
    var log: Logger.Level = .notice

    func validate() throws {
        if let start, MediaTime(start) == nil {
            throw ValidationError("--start \(start): not a time; 90, 1:30 and 00:01:30.5 are.")
        }
        if let mode, ModeRequest(mode) == nil {
            throw ValidationError("--mode \(mode): not a mode; 1280x720 and 1920x1080@50 are.")
        }
        if output == .window, connector != nil || fileDescriptor != nil || osd == .plane {
            throw ValidationError("--output window has no connector, no DRM device and no planes.")
        }
        if PlaybackRate(factor: rate).map({ !$0.isPaused && $0 == $0.playable }) != true {
            throw ValidationError("--rate \(rate): 0.25 to 4, or -4 to -0.25 backwards.")
        }
        if let audio, !Self.areLanguages(audio) {
            throw ValidationError("--audio \(audio): not a language; de, en and pt-BR are.")
        }
        if let subtitle, subtitle != "off", !Self.areLanguages(subtitle) {
            throw ValidationError("--subtitle \(subtitle): neither a language, such as de or pt-BR, nor off.")
        }
        if end != nil, loop != nil { throw ValidationError("--loop is --end loop: name one of them.") }
        if let volume, !(0...100).contains(volume) { throw ValidationError("--volume \(volume): 0 to 100.") }
        if films.isEmpty, settings == nil {
            throw ValidationError(
                "Missing expected argument '<uri> ...': name at least one film (testsrc: is a test picture), or --settings."
            )
        }
    }

    private static func areLanguages(_ text: String) -> Bool {
        LanguageTag.list(text)?.allSatisfy(\.hasShortName) == true
    }

    func run() async throws {
        let log = Log.make(level: log)
        do {
            try await play(log)
        } catch let failure as MediaFailure {
            printError(failure.advice)
            throw ExitStatus(failure).code
        } catch let error as KMSError {
            printError("\(error). \(error.remedy)")
            throw ExitStatus(error).code
        } catch let error as IPCServerError {
            printError("\(error)")
            throw ExitStatus.failure.code
        }
    }

    private func window(_ launch: LaunchOptions, _ log: Logger) throws(MediaFailure) -> PlayerWindow? {
        guard output == .window else { return nil }
        let system = try FilmOutput.Window.ofDesktop()
        log.info("a window of \(system.rawValue)")
        if try !system.reportsPointer {
            log.warning(
                """
                this version of GStreamer's waylandsink does not report the mouse: the film plays, but cannot be touched. \
                With Xwayland (DISPLAY is set) it can.
                """)
        }
        let size = launch.mode ?? ModeRequest(width: 1280, height: 720)
        return PlayerWindow(system, width: size.width, height: size.height, transform: launch.transform)
    }

    /// The options of scrub sheets, which are kept beside the playback record.
    private static func sheets(in state: String) -> SheetMaker.Options {
        var options = SheetMaker.Options()
        options.cache = SheetCache(folder: "\(state)/sheets")
        // A board of 1 GB has a little less for programs.
        let memory = Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE)))
        options.size = memory < 800 << 20 ? .small : .large
        return options
    }

    private func play(_ log: Logger) async throws {
        let manager = ServiceManager()
        // GStreamer's first scan of Debian's two hundred plugins takes a slow machine longer than a start may.
        manager?.extendStart(until: FilmPipeline.whenLoaded)
        let launch = LaunchOptions(self)
        log.trace("settings read")
        // Wrong names are reported before the screen goes dark.
        var (films, problems) = try launch.films(log)
        let server = try control.map { path throws(IPCServerError) in try IPCServer(path: path) }
        films = launch.withoutAttract(films)
        let keeper = launch.keepsState ? state.map { StateFile(folder: $0, log: log) } : nil
        let resumption = keeper?.resumption(of: &films)
        var attract = launch.attract(log)
        let broken = keeper?.resumption(of: &attract, hasOthers: !films.isEmpty).passedOver ?? []
        // There is nothing else to play.
        if films.isEmpty { (films, attract) = (attract, []) }
        problems += LaunchOptions.problems(failed: keeper?.failures(of: films + attract) ?? [])
        problems += LaunchOptions.problems(passedOver: (resumption?.passedOver ?? []) + broken)
        launch.report(problems, log)
        let window = try self.window(launch, log)
        // The film that is shown first.
        let resumed = films.indices.contains(resumption?.first ?? 0) ? films[resumption?.first ?? 0] : nil
        let first = attract.first ?? resumed
        FilmPipeline.beginLoading(for: first, window: window?.system, hasSound: !launch.mute)
        let console = window == nil ? FilmConsole(keyboardStaysOn: keyboard, log) : nil
        defer { console?.giveBack() }
        let request = DisplayRequest(
            connector: launch.connector, mode: launch.mode, osd: launch.osd, transform: launch.transform,
            planeRotation: rotateBy == .plane, fileDescriptor: fileDescriptor)
        var options = PlayerOptions(
            hasOSD: launch.osd != .off, hasSound: !launch.mute, touch: launch.touch,
            whenUnplugged: launch.whenUnplugged, matchesRefresh: launch.matchRefresh, window: window)
        options.volume = launch.volume
        options.sound = launch.sound
        options.gravity = launch.gravity
        options.audio = launch.audio
        options.subtitle = launch.subtitle
        options.controls = launch.controls
        options.timeDisplay = launch.time
        options.choosesOutput = launch.chooseOutput
        options.volumeLimit = launch.volumeLimit
        // Without scrubbing, sheets are not needed.
        options.sheets = launch.osd == .off || launch.controls == .off ? nil : state.map { Self.sheets(in: $0) }
        let plan = Kiosk.Plan(
            stock: FilmStock(films: films, attract: attract), first: resumption?.first ?? 0,
            start: start.flatMap { MediaTime($0) } ?? resumption?.start,
            end: launch.end, isPaused: paused, rate: PlaybackRate(factor: rate) ?? .normal, options: options,
            supply: launch.supply(keeper), visit: launch.visit(state: state))
        let kiosk = Kiosk(
            plan, on: request, record: keeper.map { FilmRecord($0, of: films + attract, log: log) }, service: manager,
            server: server, log: log, whenDisplayLacks: launch.displayReport(after: problems, log)
        ) { console?.take() }
        let clock = StopClock()
        let service = ClockedService(base: kiosk, clock: clock)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
                gracefulShutdownSignals: [.sigterm, .sigint, .sighup], logger: Log.quiet))
        defer { keeper?.finish(within: clock.left()) }
        try await group.run()
        switch await kiosk.outcome {
        case .ended(let code)?:
            if code != 0 { throw ExitCode(code) }
        case .failed(let failure)?: throw failure
        case nil: break
        }
    }
}

enum Output: String, CaseIterable, ExpressibleByArgument {
    case display, window
}

enum TurnedBy: String, CaseIterable, ExpressibleByArgument {
    case plane, pipeline
}

extension VideoGravity: ExpressibleByArgument {}

extension PlayerOptions.WhenUnplugged: ExpressibleByArgument {}

extension ControlsMode: ExpressibleByArgument {}

extension TimeDisplay: ExpressibleByArgument {}

extension PlaylistEnd: ExpressibleByArgument {}

extension OSDRequest: ExpressibleByArgument {}

extension DisplayTransform.Rotation: ExpressibleByArgument {}

extension Logger.Level: @retroactive ExpressibleByArgument {}
