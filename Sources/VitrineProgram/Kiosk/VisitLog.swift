import Dispatch
import FoundationEssentials
import Glibc
import Logging
import PlayerCore

/// `visits.csv`: a line for each visit, without anything that identifies the visitor.
///
/// Bounded: a full file replaces the previous one, `visits.1.csv`. A power cut may cost the last lines. A failed write
/// stops nothing.
///
/// `@unchecked Sendable` because the flag for a reported failure is confined to its queue.
final class VisitLog: @unchecked Sendable {
    /// The byte order mark makes Excel read UTF-8.
    static let header = "\u{FEFF}start,seconds,films,seconds watched,drags,languages\n"
    /// Enough for some 6,000 visits.
    static let largest: Int64 = 512 << 10

    private let path: String
    private let log: Logger
    private let queue = DispatchQueue(label: "vitrine.visits", qos: .utility)
    private var isFailureReported = false

    init(_ path: String, _ log: Logger) {
        self.path = path
        self.log = log
    }

    /// - Parameters:
    ///   - films: the names of the films in `record`.
    ///   - end: when the visit ended.
    func take(_ record: VisitRecord, films: [String], end: Date = Date()) {
        let line = Self.line(record, films: films, end: end)
        queue.async { [self] in write(line) }
    }

    /// Returns when everything is written.
    func finish() { queue.sync {} }

    static func line(_ record: VisitRecord, films: [String], end: Date) -> String {
        let seconds = Int(record.duration.inNanoseconds / 1_000_000_000)
        let start = end.addingTimeInterval(-Double(seconds))
        let fields = [
            localTime(start), "\(seconds)", films.joined(separator: "; "),
            "\(record.watched.inNanoseconds / 1_000_000_000)", "\(record.drags)",
            record.languages.joined(separator: "; "),
        ]
        return fields.map(quoted).joined(separator: ",") + "\n"
    }

    /// The local time in a form that spreadsheets read.
    private static func localTime(_ date: Date) -> String {
        var (seconds, parts) = (time_t(date.timeIntervalSince1970.rounded(.down)), tm())
        // The card's settings name the zone once the player plays already, and localtime_r alone reads it once.
        tzset()
        localtime_r(&seconds, &parts)
        func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map(padded).joined(separator: "-")
        return day + " " + [parts.tm_hour, parts.tm_min, parts.tm_sec].map(padded).joined(separator: ":")
    }

    /// Quotes a field by RFC 4180. Text that a spreadsheet would take for a formula, such as a file's name, is marked
    /// as text.
    private static func quoted(_ field: String) -> String {
        let plain = field.first.map { "=+-@".contains($0) } == true ? "'" + field : field
        guard plain.contains(where: { ",\"\n\r".contains($0) }) else { return plain }
        return "\"" + plain.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    private func write(_ line: String) {
        var status = stat()
        let size = stat(path, &status) == 0 ? Int64(status.st_size) : 0
        if size >= Self.largest { rename(path, older) }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { return fail(errno) }
        defer { close(descriptor) }
        let text = Array((size == 0 || size >= Self.largest ? Self.header : "").utf8) + Array(line.utf8)
        let count = text.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count != text.count else { return isFailureReported = false }
        fail(count < 0 ? errno : ENOSPC)
        // The next line would be appended to a torn one.
        if count > 0 { ftruncate(descriptor, size >= Self.largest ? 0 : off_t(size)) }
    }

    private var older: String { path.hasSuffix(".csv") ? path.dropLast(4) + ".1.csv" : path + ".1" }

    private func fail(_ code: Int32) {
        if !isFailureReported { log.warning("\(path): \(String(cString: strerror(code))): visits are not counted") }
        isFailureReported = true
    }
}
