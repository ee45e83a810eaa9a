import Dispatch
import Logging

/// The program's own log: levelled lines on standard error, which systemd's journal keeps.
enum Log {
    static func make(level: Logger.Level) -> Logger {
        // A trace is usually about time.
        let times =
            level == .trace
            ? Logger.MetadataProvider { ["at": "\(DispatchTime.now().uptimeNanoseconds / 1_000_000)"] } : nil
        var log = Logger(label: "vitrine") { StreamLogHandler.standardError(label: $0, metadataProvider: times) }
        log.logLevel = level
        return log
    }

    static var quiet: Logger {
        Logger(label: "vitrine.services") { _ in SwiftLogNoOpLogHandler() }
    }
}
