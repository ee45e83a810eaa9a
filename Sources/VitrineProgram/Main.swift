import ArgumentParser
import Media

@main
enum Main {
    static func main() async {
        // Beside the reading of arguments and settings: on a small board both take a good part of a second.
        if CommandLine.arguments.dropFirst().first == PlayCommand.configuration.commandName {
            FilmPipeline.beginLoading()
        }
        await VitrineProgram.main()
    }
}
