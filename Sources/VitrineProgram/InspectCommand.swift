import ArgumentParser
import Media
import PlayerCore

struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Tells what is in a film: streams, codecs, size, duration, key frames.")

    @Argument(help: ArgumentHelp("A path, or any address that GStreamer plays.", valueName: "uri"), completion: .file())
    var film: String

    func run() async throws {
        do throws(MediaFailure) {
            let location = try MediaLocation(film)
            let inspection = try await MediaInspection.of(location)
            say(inspection.text)
        } catch {
            tell(error.message)
            throw ExitStatus(error).code
        }
    }
}
