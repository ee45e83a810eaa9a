import ArgumentParser
import Media
import PlayerCore
import ScrubSheet
import Settings

struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Says what is in a film, and whether it plays and scrubs well here.",
        discussion: """
            Prints streams, codecs, size, duration, tags and chapters. For a film on a disk it also prints which decoder plays it here, \
            whether the display's plane shows its frames without a copy, how fast this machine decodes it (which takes two seconds), \
            how far apart its key frames are, and how far its scrub sheet is ("vitrine prepare --help"). If the film does not play or \
            scrub well here, it prints the ffmpeg command that makes a copy which does.
            """)

    @Argument(help: ArgumentHelp("A path, or any address that GStreamer plays.", valueName: "uri"), completion: .file())
    var film: String

    @Flag(help: "Only which decoder plays it, and whether without a copy.")
    var decoder = false

    @Option(
        help: ArgumentHelp(
            "The settings file, which says how the display is used. By default /boot/firmware/vitrine.toml or /etc/vitrine.toml, "
                + "whichever there is.", valueName: "file"), completion: .file(extensions: ["toml"]))
    var settings: String?

    @Option(
        help: ArgumentHelp("Look for scrub sheets in this folder, too.", valueName: "folder"), completion: .directory)
    var cache: String?

    func run() async throws {
        do throws(MediaFailure) {
            let location = try MediaLocation(film)
            if decoder { return try await reportDecoder(of: location) }
            var inspection = try await MediaInspection.of(location)
            if location.isLocal, inspection.streams.contains(where: { $0.kind == "video" }) {
                let offer = FilmPlane.offer(SettingsFile(at: settings)?.settings)
                let trial = await DecoderTrial.run(location, for: offer)
                inspection.decoderLines = trial.map { Self.lines(of: $0, offer) } ?? []
                inspection.decoding = trial?.speed
            }
            say(inspection.text)
            if let path = location.path, inspection.streams.contains(where: { $0.kind == "video" }) {
                for line in Self.sheetLines(of: path, in: cache.map { SheetCache(folder: $0) }) { say(line) }
            }
        } catch {
            printError(error.advice)
            throw ExitStatus(error).code
        }
    }

    private func reportDecoder(of location: MediaLocation) async throws(MediaFailure) {
        guard location.isLocal else {
            throw MediaFailure(reason: .other, message: "\(location.name): only a film on a disk is tried")
        }
        let offer = FilmPlane.offer(SettingsFile(at: settings)?.settings)
        guard let trial = await DecoderTrial.run(location, for: offer, measuresSpeed: false) else {
            throw MediaFailure(reason: .notMedia, message: "\(location.name): no decoder makes a frame of it")
        }
        say("\(location.name): " + Self.lines(of: trial, offer).joined(separator: "; "))
    }

    private static func lines(
        of trial: DecoderTrial, _ offer: Result<PlaneOffer, DecoderTrial.PlaneProblem>
    ) -> [String] {
        trial.use.lines(knowsScaling: (try? offer.get())?.knowsScaling ?? true)
    }

    /// The place and progress of the film's scrub sheet, or the command that makes one.
    static func sheetLines(of film: String, in cache: SheetCache?) -> [String] {
        let lines: [String]
        if let sheet = ScrubSheet.find(for: film, in: cache) {
            let kind = "\(sheet.count) pictures of \(sheet.size.width)x\(sheet.size.height)"
            let size = "\((sheet.byteCount + 50_000) / 100_000)"
            let megabytes = "\(size.count > 1 ? size.dropLast() : "0").\(size.suffix(1)) MB"
            if let plan = sheet.plan {
                lines = [
                    "\(min(sheet.count * 100 / plan.count, 100)) % made, \(kind), \(megabytes): \(sheet.path)",
                    "\"vitrine prepare\" goes on with it",
                ]
            } else {
                lines = ["complete, \(kind), \(megabytes): \(sheet.path)"]
            }
        } else if let problem = SheetPlace.beside(film: film).problem(of: film) {
            lines = ["none that can be used: \(problem)", "\"vitrine prepare\" makes a new one"]
        } else {
            lines = ["none; vitrine prepare makes one: a picture under the finger at every move"]
        }
        return lines.enumerated().map { "  \($0 == 0 ? "sheet    " : "         ")  \($1)" }
    }
}
