import Logging

/// The program's own log: levelled lines on standard error, which systemd's journal keeps.
enum Log {
    static func make(level: Logger.Level) -> Logger {
        var log = Logger(label: "vitrine") { StreamLogHandler.standardError(label: $0) }
        log.logLevel = level
        return log
    }

    static var quiet: Logger {
        Logger(label: "vitrine.services") { _ in SwiftLogNoOpLogHandler() }
    }
}
