import ArgumentParser
import Media
import PlayerCore

struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Tells what is in a film, and whether it plays and scrubs well here.",
        discussion: """
            Streams, codecs, size, duration, what the film says of itself, chapters. Of a film on a disk also how fast this machine \
            decodes it, which takes two seconds, and how far apart its key frames are; where either is too little, the ffmpeg \
            command that makes a copy which plays and scrubs well.
            """)

    @Argument(help: ArgumentHelp("A path, or any address that GStreamer plays.", valueName: "uri"), completion: .file())
    var film: String

    func run() async throws {
        do throws(MediaFailure) {
            let location = try MediaLocation(film)
            var inspection = try await MediaInspection.of(location)
            if location.isLocal, inspection.streams.contains(where: { $0.kind == "video" }) {
                inspection.decoding = await DecodingSpeed.measure(location)
            }
            say(inspection.text)
        } catch {
            tell(error.message)
            throw ExitStatus(error).code
        }
    }
}
