import ArgumentParser
import Media
import PlayerCore
import ScrubSheet

struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Tells what is in a film, and whether it plays and scrubs well here.",
        discussion: """
            Streams, codecs, size, duration, what the film says of itself, chapters. Of a film on a disk also how fast this machine \
            decodes it, which takes two seconds, and how far apart its key frames are; where either is too little, the ffmpeg \
            command that makes a copy which plays and scrubs well. And how far its scrub sheet is ("vitrine prepare --help").
            """)

    @Argument(help: ArgumentHelp("A path, or any address that GStreamer plays.", valueName: "uri"), completion: .file())
    var film: String

    @Option(
        help: ArgumentHelp("Look for scrub sheets in this folder, too.", valueName: "folder"), completion: .directory)
    var cache: String?

    func run() async throws {
        do throws(MediaFailure) {
            let location = try MediaLocation(film)
            var inspection = try await MediaInspection.of(location)
            if location.isLocal, inspection.streams.contains(where: { $0.kind == "video" }) {
                inspection.decoding = await DecodingSpeed.measure(location)
            }
            say(inspection.text)
            if let path = location.path, inspection.streams.contains(where: { $0.kind == "video" }) {
                for line in Self.sheetLines(of: path, in: cache.map { SheetCache(folder: $0) }) { say(line) }
            }
        } catch {
            tell(error.message)
            throw ExitStatus(error).code
        }
    }

    /// Where the film's scrub sheet is and how far it has come, or what would make one.
    static func sheetLines(of film: String, in cache: SheetCache?) -> [String] {
        let lines: [String]
        if let sheet = ScrubSheet.find(for: film, in: cache) {
            let kind = "\(sheet.count) pictures of \(sheet.size.width)x\(sheet.size.height)"
            let size = "\((sheet.byteCount + 50_000) / 100_000)"
            let megabytes = "\(size.count > 1 ? size.dropLast() : "0").\(size.suffix(1)) MB"
            if let plan = sheet.plan {
                lines = [
                    "\(sheet.count * 100 / plan.count) % made, \(kind), \(megabytes): \(sheet.path)",
                    "\"vitrine prepare\" goes on with it",
                ]
            } else {
                lines = ["complete, \(kind), \(megabytes): \(sheet.path)"]
            }
        } else if let problem = SheetPlace.beside(film: film).problem(of: film) {
            lines = ["none that can be used: \(problem)", "\"vitrine prepare\" makes a new one"]
        } else {
            lines = ["none; vitrine prepare makes one: the picture under the finger at every move"]
        }
        return lines.enumerated().map { "  \($0 == 0 ? "sheet    " : "         ")  \($1)" }
    }
}
