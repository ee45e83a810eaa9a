import Testing

@testable import PlayerCore

/// The playback record, and when it is written (N5). Times in milliseconds.
@Suite struct PlaybackJournalTests {
    private var journal = PlaybackJournal(PlaybackRecord())

    private mutating func observe(
        _ now: Int64, at position: Int64, isPlaying: Bool = true, of duration: Int64 = 600_000
    ) {
        journal.observe(
            .milliseconds(position), of: .milliseconds(duration), isPlaying: isPlaying, at: .milliseconds(now))
    }

    private mutating func take(_ now: Int64, isUrgent: Bool = false) -> PlaybackRecord? {
        journal.take(isUrgent: isUrgent, at: .milliseconds(now))
    }

    private mutating func open(_ film: String = "a.mp4", at start: MediaTime? = nil) {
        journal.open(film, size: 7, at: start)
    }

    @Test mutating func `a start is kept before anything can go wrong`() {
        open(at: .seconds(30))
        #expect(
            take(0)
                == PlaybackRecord(
                    film: "a.mp4", size: 7, milliseconds: 30_000, crashes: ["a.mp4": .init(count: 1, size: 7)]))
        #expect(take(1) == nil, "nothing is written twice")
    }

    @Test mutating func `while it plays, once in 5 s is enough, and 10 s mark it healthy`() {
        open()
        _ = take(0)
        observe(0, at: 0)
        #expect(journal.deadline == .milliseconds(5000))
        observe(4000, at: 4000)
        #expect(take(4000) == nil)
        observe(5000, at: 5000)
        #expect(take(5000)?.milliseconds == 5000)
        observe(10_000, at: 10_000)
        #expect(take(10_000) == PlaybackRecord(film: "a.mp4", size: 7, milliseconds: 10_000))
    }

    @Test mutating func `what is no film is named until it played to its end, or another file has its name`() {
        let failure = PlaybackRecord.Failure(size: 7, what: "This is not a film", remedy: "Copy it again")
        open()
        journal.fail("a.mp4", failure)
        let record = take(0)
        #expect(record?.crashes == [:], "it crashed nothing")
        #expect(record?.failure(of: "a.mp4", size: 7) == failure)
        #expect(record?.failure(of: "a.mp4", size: 8) == nil)
        // In a loop it fails each time, which is no news.
        open()
        journal.fail("a.mp4", failure)
        #expect(take(1000, isUrgent: true) == nil)
        // It may be damaged in its midst.
        open()
        observe(2000, at: 0)
        observe(12_000, at: 10_000)
        #expect(take(12_000)?.failure(of: "a.mp4", size: 7) == failure)
        // The next one may be open by then.
        open("b.mp4")
        journal.end("a.mp4")
        #expect(take(13_000)?.failure(of: "a.mp4", size: 7) == nil)
    }

    @Test mutating func `preloaded and opened, a film keeps where it fell`() {
        var record = PlaybackRecord(film: "a.mp4", size: 7, milliseconds: 0)
        record.crashes["b.mp4"] = .init(count: 2, size: 7, milliseconds: 400_000)
        journal = PlaybackJournal(record)
        open()
        journal.expect("b.mp4", size: 7)
        journal.expectNothing()
        open("b.mp4")
        #expect(take(0)?.crashes["b.mp4"] == .init(count: 3, size: 7, milliseconds: 400_000))
    }

    @Test mutating func `a film that is decoded for a poster has its own crash, and only until then`() {
        var record = PlaybackRecord()
        record.crashes["b.mp4"] = .init(count: 1, size: 7)
        journal = PlaybackJournal(record)
        open()
        observe(0, at: 0)
        observe(10_000, at: 10_000)
        journal.beginPicture(of: "b.mp4", size: 7)
        #expect(take(10_000)?.crashes == ["b.mp4": .init(count: 2, size: 7)], "nothing counts for the film that plays")
        // It has not crashed now.
        #expect(!journal.avoidedDecoders(of: "b.mp4", size: 7).allHardware)
        journal.beginPicture(of: "c.mp4", size: 7)
        let others = ["b.mp4", "c.mp4"].map { ($0, PlaybackRecord.Crashes(count: 1, size: 7)) }
        #expect(take(11_000)?.crashes == Dictionary(uniqueKeysWithValues: others))
        // A visitor chooses it meanwhile: one crash counts once.
        open("c.mp4")
        #expect(take(12_000)?.crashes == Dictionary(uniqueKeysWithValues: others))
        journal.endPicture()
        #expect(take(13_000) == nil)
        journal.beginPicture(of: "c.mp4", size: 7)
        #expect(take(14_000) == nil, "its start counts already")
        journal.endPicture()
        #expect(take(15_000) == nil)
    }

    @Test mutating func `a film that brings the program down by its poster is passed over in the end`() {
        var record = PlaybackRecord()
        for crash in 1...3 {
            journal = PlaybackJournal(record)
            open()
            observe(0, at: 0)
            journal.beginPicture(of: "b.mp4", size: 7)
            // The film that plays is healthy meanwhile: the other one is not forgiven.
            observe(10_000, at: 10_000)
            record = take(10_000) ?? record
            #expect(record.crashes == ["b.mp4": .init(count: crash, size: 7)])
        }
    }

    @Test mutating func `a pause is written at once, and then nothing more`() {
        open()
        _ = take(0)
        observe(0, at: 0)
        observe(1200, at: 1200, isPlaying: false)
        #expect(take(1200, isUrgent: true)?.milliseconds == 1200)
        #expect(journal.deadline == nil)
        observe(90_000, at: 1200, isPlaying: false)
        #expect(take(90_000, isUrgent: true) == nil)
    }

    @Test mutating func `time that it stands still does not mark it healthy`() {
        open()
        observe(0, at: 0)
        observe(1000, at: 1000, isPlaying: false)
        observe(60_000, at: 1000)
        observe(68_000, at: 9000)
        #expect(take(68_000)?.crashes["a.mp4"]?.count == 1)
        observe(69_001, at: 10_001)
        #expect(take(69_001)?.crashes == [:])
    }

    @Test mutating func `near its end a film is kept as at its start`() {
        open()
        observe(0, at: 590_001)
        #expect(take(0)?.milliseconds == 0)
        observe(1000, at: 590_000)
        #expect(take(1000, isUrgent: true)?.milliseconds == 590_000)
    }

    @Test mutating func `each start that does not last counts, and a good one forgives all`() {
        var record = PlaybackRecord()
        for count in 1...3 {
            journal = PlaybackJournal(record)
            open()
            record = take(0) ?? record
            #expect(record.crashes["a.mp4"]?.count == count)
        }
        journal.markHealthy()
        #expect(take(1)?.crashes == [:])
    }

    @Test mutating func `a film that is opened again has crashed nothing meanwhile`() {
        journal = PlaybackJournal(PlaybackRecord(crashes: ["a.mp4": .init(count: 1, size: 7)]))
        open()
        for second: Int64 in [0, 8, 16] {
            open(at: .seconds(30))
            observe(second * 1000, at: 30_000)
            observe(second * 1000 + 7000, at: 37_000)
        }
        #expect(take(23_000)?.crashes["a.mp4"]?.count == 2, "it has not played for 10 s")
        observe(26_000, at: 40_000)
        #expect(take(26_000)?.crashes == [:])
        open()
        #expect(take(27_000)?.crashes["a.mp4"]?.count == 1, "the healthy film starts anew")
    }

    /// The news that another film was requested may come before that one is opened, or after.
    @Test(arguments: [false, true])
    mutating func `a film that a viewer left at its start has crashed nothing`(isLate: Bool) {
        for visit: Int64 in 0..<4 {
            open()
            observe(visit * 1000, at: 0)
            if !isLate { journal.markHealthy("a.mp4") }
            open("b.mp4")
            #expect(take(visit)?.crashes.mapValues(\.count) == (isLate ? ["a.mp4": 1, "b.mp4": 1] : ["b.mp4": 1]))
            if isLate { journal.markHealthy("a.mp4") }
            journal.markHealthy("b.mp4")
            #expect(take(visit)?.crashes == [:])
        }
        journal.markHealthy("c.mp4")
        #expect(take(5) == nil, "one that was never opened")
    }

    @Test mutating func `a film that is preloaded again before that news may crash the program still`() {
        open()
        open("b.mp4")
        journal.expect("a.mp4", size: 7)
        journal.markHealthy("a.mp4")
        #expect(take(0)?.crashes["a.mp4"]?.count == 1)
        journal.expectNothing()
        #expect(take(1)?.crashes["a.mp4"] == nil)
    }

    @Test mutating func `another file of the same name starts from nothing`() {
        journal = PlaybackJournal(PlaybackRecord(crashes: ["a.mp4": .init(count: 2, size: 6)]))
        open()
        #expect(take(0)?.crashes["a.mp4"] == .init(count: 1, size: 7))
    }
}

extension PlaybackJournalTests {
    @Test mutating func `where one film is well, one that was passed over gets another chance`() {
        journal = PlaybackJournal(PlaybackRecord(crashes: ["b.mp4": .init(count: 3, size: 1)]))
        open()
        journal.observe(.seconds(1), of: nil, isPlaying: true, at: .milliseconds(0))
        journal.observe(.seconds(11), of: nil, isPlaying: true, at: .milliseconds(10_000))
        #expect(journal.take(isUrgent: true, at: .milliseconds(10_000))?.crashes == ["b.mp4": .init(count: 2, size: 1)])
    }
}

/// A film that crashes the program in its middle, or near its end.
extension PlaybackJournalTests {
    /// Starts the player with the record of the run before, and plays from its place.
    /// - Returns: the place; `nil` if the film is skipped.
    private mutating func start(_ record: inout PlaybackRecord, fallingAt place: Int64?) -> Int64? {
        let resumption = record.resumption(of: [("a.mp4", 7), ("b.mp4", 8)])
        guard resumption.films.contains(0) else { return nil }
        journal = PlaybackJournal(record)
        open(at: resumption.start)
        let first = (resumption.start?.nanoseconds ?? 0) / 1_000_000
        record = take(0, isUrgent: true) ?? record
        for position in stride(from: first, through: place ?? 600_000, by: 1000) {
            observe(position - first, at: position)
            record = take(position - first) ?? record
        }
        if place == nil {
            journal.markHealthy()
            record = take(600_001 - first, isUrgent: true) ?? record
        }
        return first
    }

    @Test(arguments: [60_500, 11_000, 400_000, 595_500, 599_900] as [Int64])
    mutating func `wherever it crashes, it is passed over after some times`(place: Int64) {
        var record = PlaybackRecord()
        var starts: [Int64] = []
        while starts.count < 10, let first = start(&record, fallingAt: place) { starts.append(first) }
        #expect((3...5).contains(starts.count) && starts.last == 0, "\(starts)")
    }

    @Test mutating func `one that comes past that place once is well`() {
        var record = PlaybackRecord()
        for _ in 1...2 { _ = start(&record, fallingAt: 60_500) }
        #expect(record.crashes["a.mp4"]?.count == 1 && start(&record, fallingAt: 90_000) == 60_000)
        #expect(record.crashes == [:])
        // So is a film that has ended, wherever it crashed before.
        _ = start(&record, fallingAt: 595_000)
        _ = start(&record, fallingAt: nil)
        #expect(record.crashes == [:] && record.tail == nil)
    }

    @Test mutating func `a program that is asked to end near the film's end has not crashed there`() {
        open()
        observe(0, at: 0)
        observe(595_000, at: 595_000)
        #expect(take(595_000, isUrgent: true)?.tail == 595_000)
        journal.markHealthy()
        let record = take(595_001, isUrgent: true)
        #expect(record?.tail == nil && record?.crashes == [:])
        // Nor has one that stands there.
        observe(600_000, at: 596_000, isPlaying: false)
        #expect(take(600_000, isUrgent: true)?.tail == nil)
    }
}

/// A film that is preloaded while another one plays.
extension PlaybackJournalTests {
    private mutating func crashes() -> [String: Int]? {
        journal.take(isUrgent: true, at: .milliseconds(0)).map { $0.crashes.mapValues(\.count) }
    }

    @Test mutating func `it may bring the program down, too, but it is not where the player is`() {
        open()
        _ = take(0)
        journal.expect("b.mp4", size: 1)
        let record = take(0)
        #expect(record?.film == "a.mp4" && record?.crashes.mapValues(\.count) == ["a.mp4": 1, "b.mp4": 1])
        journal.markHealthy()
        open("b.mp4")
        #expect(crashes() == ["b.mp4": 1], "one start, counted once")
    }

    /// Nobody knows which of the two crashed the program.
    @Test mutating func `while another film is preloaded, a crash counts for the one that plays, too`() {
        journal.open("a.mp4", size: 1, at: nil)
        journal.markHealthy()
        journal.expect("b.mp4", size: 1)
        #expect(crashes() == ["a.mp4": 1, "b.mp4": 1])
        journal.open("b.mp4", size: 1, at: nil)
        #expect(crashes() == ["b.mp4": 1])
    }

    @Test mutating func `a crash of a film that follows itself counts once`() {
        journal.open("a.mp4", size: 1, at: nil)
        journal.expect("a.mp4", size: 1)
        #expect(crashes() == ["a.mp4": 1])
        journal.expectNothing()
        #expect(crashes() == nil)
    }

    @Test mutating func `what is not preloaded any more has not started`() {
        journal = PlaybackJournal(PlaybackRecord(crashes: ["b.mp4": .init(count: 2, size: 1)]))
        open()
        journal.expect("b.mp4", size: 1)
        #expect(crashes() == ["a.mp4": 1, "b.mp4": 3])
        // The film before has ended: that forgives others, not this one.
        journal.markHealthy()
        journal.expectNothing()
        #expect(crashes() == ["b.mp4": 2])
        journal.expect("c.mp4", size: 1)
        open("d.mp4")
        #expect(crashes() == ["b.mp4": 2, "d.mp4": 1])
    }
}

/// The place where the next start resumes.
@Suite struct PlaybackRecordTests {
    private let films: [(name: String, size: Int64?)] = [("a", 1), ("b", 2), ("c", 3)]

    private func record(_ film: String?, _ milliseconds: Int64 = 0, crashes: [String: Int] = [:]) -> PlaybackRecord {
        let sizes = Dictionary(uniqueKeysWithValues: films.map { ($0.name, $0.size) })
        return PlaybackRecord(
            film: film, size: film.flatMap { sizes[$0] ?? nil }, milliseconds: milliseconds,
            crashes: crashes.reduce(into: [:]) { $0[$1.key] = .init(count: $1.value, size: sizes[$1.key] ?? nil) })
    }

    @Test func `with nothing kept, at the first film`() {
        #expect(record(nil).resumption(of: films) == .init(films: [0, 1, 2], passedOver: [], first: 0, start: nil))
        #expect(record(nil).resumption(of: []) == .init(films: [], passedOver: [], first: 0, start: nil))
    }

    @Test func `in the film that was on, where it was`() {
        #expect(
            record("b", 4200, crashes: ["b": 1]).resumption(of: films)
                == .init(films: [0, 1, 2], passedOver: [], first: 1, start: .milliseconds(4200)))
    }

    @Test func `a film that is not there any more is forgotten`() {
        #expect(
            record("x", 4200).resumption(of: films) == .init(films: [0, 1, 2], passedOver: [], first: 0, start: nil))
    }

    @Test func `the place where it fell twice is not gone to again`() {
        #expect(record("b", 4200, crashes: ["b": 2]).resumption(of: films).start == nil)
    }

    @Test func `a film that fell three times is passed over, and the one after it is next`() {
        #expect(
            record("b", 4200, crashes: ["b": 3]).resumption(of: films)
                == .init(films: [0, 2], passedOver: [1], first: 1, start: nil))
        #expect(record("c", 1, crashes: ["c": 3]).resumption(of: films).first == 0)
    }

    @Test func `another file of its name is played`() {
        let other: [(name: String, size: Int64?)] = [("a", 1), ("b", 20), ("c", 3)]
        #expect(record("b", 4200, crashes: ["b": 3]).resumption(of: other).passedOver == [])
        #expect(record("b", 4200).resumption(of: other).start == nil, "from its start")
    }

    @Test func `never are all films passed over`() {
        #expect(
            record("b", 4200, crashes: ["a": 3, "b": 4, "c": 3]).resumption(of: films)
                == .init(films: [0, 1, 2], passedOver: [], first: 1, start: nil))
    }
}
