import Dispatch
import FoundationEssentials
import Glibc
import Logging
import Media
import PlayerCore
import Settings
import Synchronization
import TextFiles
import Vitrine

/// `playing.json` in the folder of `--state`: where the film is, kept across starts, crashes and power cuts.
///
/// A file that is missing or damaged is as good as none, and one that cannot be written stops nothing.
///
/// `@unchecked Sendable` because all mutable state is confined to its queue.
final class StateFile: @unchecked Sendable {
    private struct Kept: Codable {
        /// The program's: another version may not go down with the film that this one does.
        var version: String
        var record: PlaybackRecord
    }

    private let path: String
    private let log: Logger
    let queue = DispatchQueue(label: "vitrine.state", qos: .utility)
    /// As it was kept.
    let record: PlaybackRecord
    /// One writes at a time.
    private let writing = Mutex(())
    // The queue's.
    private var waiting: PlaybackRecord?
    private var synced: PlaybackRecord
    private var isFailureReported = false
    private var writtenAt = DispatchTime(uptimeNanoseconds: 0)

    /// However often something is news, a finger's seeks for one: cards wear out.
    private static let pause = DispatchTimeInterval.seconds(1)

    /// Reads what was kept.
    init(folder: String, log: Logger) {
        path = "\(folder)/playing.json"
        self.log = log
        let kept = (try? WholeFile.bytes(of: path)).flatMap { try? JSONDecoder().decode(Kept.self, from: Data($0)) }
        var record = kept?.record ?? PlaybackRecord()
        if kept?.version != VitrineVersion.current { (record.crashes, record.decoders) = ([:], nil) }
        self.record = record
        synced = record
    }

    struct Resumption {
        var first: Int
        var start: MediaTime?
        var passedOver: [MediaLocation]
    }

    /// Where to begin; takes those films out that are not to be played.
    func resumption(of films: inout [MediaLocation]) -> Resumption {
        let all = films
        let resumption = record.resumption(of: all.map { ($0.name, $0.size) })
        films = resumption.films.map { all[$0] }
        return Resumption(
            first: resumption.first, start: resumption.start, passedOver: resumption.passedOver.map { all[$0] })
    }

    /// A film is about to start: what is written outlives this process. On `queue`.
    func takeStart(_ record: PlaybackRecord) {
        // What waits is older.
        waiting = nil
        do throws(FileError) {
            try write(record, isSynced: false)
            queue.async {
                AtomicFile.sync(self.path)
                // That the film went well is news again, which is to be there after a power cut.
                self.synced = record
            }
        } catch {
            take(record)
        }
    }

    /// Returns when all is on the card, or after `limit`: a slow card holds up no end of the program. What it has not
    /// taken by then costs the place in the film, not the file.
    /// - Returns: whether all is on the card.
    @discardableResult
    func finish(within limit: Duration) -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { [self] in
            write()
            AtomicFile.sync(path)
            isDone.signal()
        }
        let isFinished = isDone.wait(timeout: .now() + .nanoseconds(Int(limit / .nanoseconds(1)))) == .success
        if !isFinished { log.warning("\(path): the card takes too long: the next start may find an earlier place") }
        return isFinished
    }

    /// That a film has gone on, or went well: written once a second at most. On `queue`.
    func take(_ record: PlaybackRecord) {
        let isWaited = waiting != nil
        waiting = record
        guard !isWaited else { return }
        let due = writtenAt + Self.pause
        guard due > .now() else { return write() }
        queue.asyncAfter(deadline: due) { self.write() }
    }

    private func write() {
        guard let record = waiting else { return }
        waiting = nil
        writtenAt = .now()
        // That a film went on is in the kernel's hands, which outlives the program; its writing all that to the card when it
        // likes costs a power cut some seconds of the film, and the card far fewer writes.
        let isNews = (record.film, record.crashes, record.decoders) != (synced.film, synced.crashes, synced.decoders)
        do throws(FileError) {
            try write(record, isSynced: isNews)
            if isNews { synced = record }
            isFailureReported = false
        } catch {
            if !isFailureReported { log.warning("\(error): after a power cut films start from their beginning") }
            isFailureReported = true
        }
    }

    private func write(_ record: PlaybackRecord, isSynced: Bool) throws(FileError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(Kept(version: VitrineVersion.current, record: record)) else { return }
        let result = writing.withLock { _ in
            Result { () throws(FileError) in
                try AtomicFile.write(Array(data), to: path, isSynced: isSynced)
            }
        }
        try result.get()
    }
}
