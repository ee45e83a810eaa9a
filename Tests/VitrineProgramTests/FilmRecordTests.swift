import FoundationEssentials
import Logging
import Media
import PlayerCore
import Synchronization
import Testing
import Vitrine

@testable import VitrineProgram

@Suite("What the log says about decoders that an earlier start remembered")
struct FilmRecordTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/record-\(UUID().uuidString)"
    private let lines = Lines()
    private let film: MediaLocation
    private let decoder = VideoDecoder(name: "v4l2slh265dec", isHardware: true)

    init() throws {
        film = try MediaLocation("http://127.0.0.1/a.mp4")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    /// One start of the program, whose log this is.
    private func run(_ use: (FilmRecord) -> Void) -> [String] {
        let file = StateFile(folder: folder, log: Log.quiet)
        lines.clear()
        let record = FilmRecord(file, of: [film], log: Logger(label: "test") { [lines] _ in LineHandler(lines: lines) })
        use(record)
        file.finish(within: .seconds(20))
        return lines.all
    }

    private func opens(_ record: FilmRecord) -> AvoidedDecoders {
        defer { record.take(.opens(film, at: nil, isRebuild: false)) }
        return record.avoidedDecoders(of: film)
    }

    @Test func `a later start names them once, the start that meets the failure does not`() {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = run { record in
            #expect(opens(record).isEmpty)
            record.take(.avoids(film, decoder))
            #expect(opens(record).names == [decoder.name])
            record.markHealthy(film)
        }
        #expect(first.isEmpty)
        let second = run { record in
            for _ in 1...3 { #expect(opens(record).names == [decoder.name]) }
            record.markHealthy(film)
        }
        #expect(second.count == 1 && second[0].hasPrefix("notice ") && second[0].contains(" without v4l2slh265dec: "))
    }

    @Test func `only a file that is to blame is remembered, until there is none of its name`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let local = try MediaLocation("/bin/sh")
        func failures() -> [String: PlaybackRecord.Failure]? {
            StateFile(folder: folder, log: Log.quiet).record.failures
        }
        func fail(_ film: MediaLocation, _ reason: MediaFailure.Reason) {
            _ = run { $0.fail(film, MediaFailure(reason: reason, message: "it cannot be played")) }
        }
        fail(film, .notMedia)
        fail(local, .other)
        #expect(failures()?.isEmpty ?? true)
        fail(local, .broken)
        #expect(failures()?[local.name]?.what == "The film is damaged")
        // This start has other films.
        _ = run { _ = opens($0) }
        #expect(failures()?[local.name] == nil)
    }

    @Test func `after two crashes the log says once that no hardware decodes`() {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for _ in 1...2 {
            let lines = run { record in #expect(opens(record).isEmpty) }
            #expect(lines.isEmpty)
        }
        let third = run { record in for _ in 1...3 { #expect(opens(record).allHardware) } }
        #expect(third.count == 1 && third[0].hasPrefix("warning ") && third[0].contains(" twice: "))
    }
}

/// The lines of a log.
private final class Lines: Sendable {
    private let kept = Mutex<[String]>([])

    var all: [String] { kept.withLock { $0 } }

    func append(_ line: String) { kept.withLock { $0.append(line) } }

    func clear() { kept.withLock { $0 = [] } }
}

private struct LineHandler: LogHandler {
    let lines: Lines
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.notice

    init(lines: Lines) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.append("\(event.level) \(event.message)") }
}
