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

/// `playing.json` in the folder of `--state`: the film's position, kept across starts, crashes and power cuts.
///
/// A missing or damaged file is ignored, and a failed write stops nothing.
///
/// `@unchecked Sendable` because all mutable state is confined to its queue.
final class StateFile: @unchecked Sendable {
    private struct Kept: Codable {
        /// The program's version: another version may not crash with the same film, or may play it.
        var version: String
        var record: PlaybackRecord
    }

    private let path: String
    private let log: Logger
    let queue = DispatchQueue(label: "vitrine.state", qos: .utility)
    /// The record as it was kept.
    let record: PlaybackRecord
    /// Serializes writes.
    private let writing = Mutex(())
    // Belongs to the queue.
    private var waiting: PlaybackRecord?
    private var synced: PlaybackRecord
    private var isFailureReported = false
    private var writtenAt = DispatchTime(uptimeNanoseconds: 0)

    /// The least interval of writes, however often there is something new, such as a finger's seeks: cards wear out.
    private static let pause = DispatchTimeInterval.seconds(1)

    /// Reads the kept record.
    init(folder: String, log: Logger) {
        path = "\(folder)/playing.json"
        self.log = log
        let kept = (try? WholeFile.bytes(of: path)).flatMap { try? JSONDecoder().decode(Kept.self, from: Data($0)) }
        var record = kept?.record ?? PlaybackRecord()
        if kept?.version != VitrineVersion.current {
            (record.crashes, record.decoders, record.failures) = ([:], nil, nil)
        }
        self.record = record
        synced = record
    }

    struct Resumption {
        var first: Int
        var start: MediaTime?
        var passedOver: [MediaLocation]
    }

    /// The place to start; removes films that are not to be played.
    /// - Parameter hasOthers: whether there are other films to play, so that all of these may be removed.
    func resumption(of films: inout [MediaLocation], hasOthers: Bool = false) -> Resumption {
        let all = films
        let resumption = record.resumption(of: all.map { ($0.name, $0.size) }, hasOthers: hasOthers)
        films = resumption.films.map { all[$0] }
        return Resumption(
            first: resumption.first, start: resumption.start, passedOver: resumption.passedOver.map { all[$0] })
    }

    /// The films that could not be played when they were tried last.
    func failures(of films: [MediaLocation]) -> [(film: MediaLocation, failure: PlaybackRecord.Failure)] {
        films.compactMap { film in record.failure(of: film.name, size: film.size).map { (film, $0) } }
    }

    /// Writes that a film is about to start; this survives the process. On `queue`.
    func takeStart(_ record: PlaybackRecord) {
        // The waiting record is older.
        waiting = nil
        do throws(FileError) {
            try write(record, isSynced: false)
            queue.async {
                AtomicFile.sync(self.path)
                // The next healthy mark must be written, so that it survives a power cut.
                self.synced = record
            }
        } catch {
            take(record)
        }
    }

    /// Returns when everything is on the card, or after `limit`: a slow card must not delay the program's end. If it is
    /// late, the film's position is lost, not the file.
    /// - Returns: whether everything is on the card.
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

    /// Writes a film's progress or health, once a second at most. On `queue`.
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
        // Progress is passed to the kernel, which outlives the program and writes it to the card later. A power cut
        // then costs some seconds of the film, and the card gets far fewer writes.
        let isNews =
            (record.film, record.crashes, record.decoders, record.failures)
            != (synced.film, synced.crashes, synced.decoders, synced.failures)
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
