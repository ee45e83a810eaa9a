import FoundationEssentials
import Glibc
import Logging
import PlayerCore
import Testing

@testable import VitrineProgram

@Suite("The lines of visits", .serialized)
struct VisitLogTests {
    private static func record(_ seconds: Int64, films: [Int] = [0]) -> VisitRecord {
        var record = VisitRecord(start: .milliseconds(1_000))
        record.duration = .seconds(seconds)
        record.watched = .milliseconds(61_900)
        record.films = films
        record.drags = 2
        record.languages = ["de", "en"]
        return record
    }

    /// The process's own zone, before a test changes it.
    private static let zone = getenv("TZ").map { String(cString: $0) }

    private static func restore(zone: String?) {
        if let zone { setenv("TZ", zone, 1) } else { unsetenv("TZ") }
        tzset()
    }

    @Test("A visit is one line, whatever films are called")
    func line() {
        let before = Self.zone
        defer { Self.restore(zone: before) }
        setenv("TZ", "CET-1", 1)
        let end = Date(timeIntervalSince1970: 1_800_000_090)
        #expect(
            VisitLog.line(Self.record(90), films: ["The river"], end: end)
                == "2027-01-15 09:00:00,90,The river,61,2,de; en\n")
        #expect(
            VisitLog.line(Self.record(90), films: ["A, \"B\"", "C"], end: end).contains(",\"A, \"\"B\"\"; C\",61,"))
        #expect(VisitLog.line(Self.record(90), films: ["=1+1"], end: end).contains(",'=1+1,"))
    }

    @Test("The zone may be set while the program runs")
    func zone() {
        let (end, seconds) = (Date(timeIntervalSince1970: 1_800_000_090), Int64(90))
        let before = Self.zone
        defer { Self.restore(zone: before) }
        for (zone, time) in [("UTC", "08:00:00"), ("IST-5:30", "13:30:00"), ("CET-1", "09:00:00")] {
            setenv("TZ", zone, 1)
            #expect(VisitLog.line(Self.record(seconds), films: [], end: end).hasPrefix("2027-01-15 \(time),"))
        }
    }

    @Test("The file is bounded, and begins with its columns")
    func bounded() throws {
        let folder = "/tmp/vitrine-visits-\(getpid())"
        mkdir(folder, 0o755)
        defer { for name in ["visits.csv", "visits.1.csv", ""] { remove("\(folder)/\(name)") } }
        let log = VisitLog("\(folder)/visits.csv", Logger(label: "test"))
        let films = [String(repeating: "x", count: 100_000)]
        for _ in 0..<8 { log.take(Self.record(1), films: films) }
        log.finish()
        let texts = try ["visits.csv", "visits.1.csv"].map {
            String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/\($0)")), as: UTF8.self)
        }
        #expect(texts.allSatisfy { $0.hasPrefix(VisitLog.header) && Int64($0.utf8.count) < VisitLog.largest + 110_000 })
        #expect(texts.map { $0.split(separator: "\n").count - 1 }.reduce(0, +) == 8)
    }
}
