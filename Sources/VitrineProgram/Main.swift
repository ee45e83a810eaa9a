import ArgumentParser
import Glibc
import Media
import TextFiles

@main
enum Main {
    static func main() async {
        endWithoutFinalizers()
        ProcessTuning.apply()
        let words = words
        // Concurrently with reading arguments and settings: on a small board both take a good part of a second. A call
        // for help waits for none of it, and shows none of its warnings.
        let isQuestion = words.contains("--help") || words.contains("-h")
        if words.first == PlayCommand.name, !isQuestion { FilmPipeline.beginLoading() }
        if let service = PlayCommand(ofService: words) {
            do { try await service.run() } catch { PlayCommand.exit(withError: error) }
        } else {
            if let word = words.first, let advice = VitrineProgram.advice(onCommand: word) {
                VitrineProgram.exit(withError: ValidationError(advice))
            }
            await VitrineProgram.main(words)
        }
        GStreamer.endForTracers()
    }

    /// The arguments. A file's name need not be UTF-8: it is passed as an address, which keeps its bytes.
    private static var words: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { place in
            guard let word = CommandLine.unsafeArgv[place] else { return nil }
            let isOption = word[0] == CChar(UInt8(ascii: "-"))
            return isOption
                ? String(cString: word)
                : FileAddress.name(
                    ofPath: UnsafeBufferPointer(start: word, count: strlen(word)).map(UInt8.init(bitPattern:)))
        }
    }
}
