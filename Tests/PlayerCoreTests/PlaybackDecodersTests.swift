import Foundation
import Testing

@testable import PlayerCore

@Suite("Which decoders a film is not to have, across starts")
struct PlaybackDecodersTests {
    private var journal = PlaybackJournal(PlaybackRecord())

    @Test mutating func `power cuts while it is preloaded are no reason against its decoder, crashes are`() {
        var record = PlaybackRecord()
        for boot in ["1", "2", "3"] {
            journal = PlaybackJournal(record, boot: boot)
            journal.expect("a.mp4", size: 7)
            #expect(!journal.avoidedDecoders(of: "a.mp4", size: 7).allHardware)
            record = take(0) ?? record
        }
        record = PlaybackRecord()
        var avoids: [Bool] = []
        for _ in 0..<3 {
            journal = PlaybackJournal(record, boot: "1")
            journal.expect("a.mp4", size: 7)
            avoids.append(journal.avoidedDecoders(of: "a.mp4", size: 7).allHardware)
            record = take(0) ?? record
        }
        #expect(avoids == [false, false, true])
    }

    /// Starts the film as the program does, once in each of these runs of the machine; none lasts.
    private mutating func start(_ record: inout PlaybackRecord, in boots: String...) -> [Bool] {
        var avoids: [Bool] = []
        for boot in boots {
            journal = PlaybackJournal(record, boot: boot)
            avoids.append(avoided().allHardware)
            journal.open("a.mp4", size: 7, at: nil)
            record = take(0) ?? record
        }
        return avoids
    }

    @Test mutating func `power cuts at its start pass it over, and are no reason against its decoder`() {
        var record = PlaybackRecord()
        #expect(start(&record, in: "1", "2", "3", "4") == [false, false, false, false])
        #expect(record.resumption(of: [("a.mp4", 7), ("b.mp4", 8)]).passedOver == [0])
    }

    @Test mutating func `of power cuts and crashes, crashes count`() {
        var record = PlaybackRecord()
        #expect(start(&record, in: "1", "2", "2", "3") == [false, false, false, false])
        #expect(start(&record, in: "3", "3") == [true, true])
    }

    @Test mutating func `a film that got stuck is not excused by a later power cut`() {
        var record = PlaybackRecord()
        for boot in ["1", "2"] {
            #expect(start(&record, in: boot) == [false])
            journal.open("b.mp4", size: 8, at: nil)
            journal.markHealthy()
            record = take(1) ?? record
        }
        #expect(start(&record, in: "3") == [true])
    }

    @Test mutating func `a cut that is forgiven leaves crashes as they were`() {
        var record = PlaybackRecord()
        _ = start(&record, in: "1", "2", "3", "3")
        journal = PlaybackJournal(record, boot: "4")
        journal.open("b.mp4", size: 8, at: nil)
        journal.markHealthy()
        record = take(1) ?? record
        #expect(record.crashes["a.mp4"]?.count == 2 && record.crashes["a.mp4"]?.cuts == 1)
        #expect(start(&record, in: "5", "5") == [false, true])
    }

    private mutating func avoided(_ film: String = "a.mp4", size: Int64? = 7) -> AvoidedDecoders {
        journal.avoidedDecoders(of: film, size: size)
    }

    private mutating func take(_ now: Int64) -> PlaybackRecord? {
        journal.take(isUrgent: true, at: .milliseconds(now))
    }

    @Test mutating func `a decoder that failed is remembered for that film, as large as it was`() {
        journal.open("a.mp4", size: 7, at: nil)
        #expect(avoided().isEmpty)
        _ = take(0)
        journal.avoid(VideoDecoder(name: "v4l2slh265dec", isHardware: true), for: "a.mp4", size: 7)
        #expect(
            journal.take(isUrgent: false, at: .milliseconds(1))?.decoders?["a.mp4"]?.avoided.names
                == ["v4l2slh265dec"], "it is news")
        #expect(avoided().names == ["v4l2slh265dec"])
        #expect(avoided(size: 8).isEmpty)
        #expect(avoided("b.mp4").isEmpty)
        journal.markHealthy("a.mp4")
        #expect(avoided().names == ["v4l2slh265dec"])
    }

    @Test mutating func `two starts in a row that fell leave the hardware's decoders out, for good`() {
        for crashed in 0..<4 {
            #expect(avoided().allHardware == (crashed > 1))
            journal.open("a.mp4", size: 7, at: nil)
            journal = PlaybackJournal(take(0) ?? PlaybackRecord())
        }
        journal.open("a.mp4", size: 7, at: nil)
        journal.markHealthy()
        #expect(avoided().allHardware)
        #expect(!avoided("b.mp4").allHardware)
    }

    @Test(arguments: 0...2)
    mutating func `starts in this run are no reason against the decoder, however often it is opened`(crashes: Int) {
        journal = PlaybackJournal(PlaybackRecord(crashes: ["a.mp4": .init(count: crashes, size: 7)]))
        for _ in 1...3 {
            journal.open("a.mp4", size: 7, at: nil)
            #expect(avoided().allHardware == (crashes == 2))
        }
    }

    @Test func `a record from before there were any is read`() throws {
        let kept = #"{"film":"a.mp4","size":7,"milliseconds":5,"falls":{}}"#
        let record = try JSONDecoder().decode(PlaybackRecord.self, from: Data(kept.utf8))
        #expect(record.milliseconds == 5 && record.decoders == nil)
    }

    @Test func `the processor's decoders are never left out`() {
        let all = AvoidedDecoders(names: ["avdec_h264"], allHardware: true)
        #expect(!all.contains(VideoDecoder(name: "avdec_h264", isHardware: false)))
        #expect(all.contains(VideoDecoder(name: "v4l2h264dec", isHardware: true)))
    }
}
