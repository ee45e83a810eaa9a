import ArgumentParser
import Glibc
import Media

@main
enum Main {
    static func main() async {
        endWithoutFinalizers()
        let words = CommandLine.arguments.dropFirst()
        // Beside the reading of arguments and settings: on a small board both take a good part of a second. Who asks for help
        // waits for none of it, and reads none of its warnings.
        let isQuestion = words.contains("--help") || words.contains("-h")
        if words.first == PlayCommand.name, !isQuestion { FilmPipeline.beginLoading() }
        if let service = PlayCommand(ofService: Array(words)) {
            do { try await service.run() } catch { PlayCommand.exit(withError: error) }
        } else {
            await VitrineProgram.main()
        }
        GStreamer.endForTracers()
    }

    /// `exit` finalizes the libraries while threads of GStreamer's still load plugins. glibc takes a finalized library for
    /// one that was never initialized, and the next plugin that needs it initializes it once more: GObject aborts.
    /// Registered first, this runs after all other handlers, and in place of the libraries' own.
    private static func endWithoutFinalizers() {
        on_exit(
            { status, _ in
                fflush(nil)
                _exit(status)
            }, nil)
    }
}
