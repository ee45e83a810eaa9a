internal import CInput

/// The receiver of libinput's own messages.
public struct TouchLog {
    /// libinput's log priorities, least important first.
    public enum Level: Int, Comparable, Sendable {
        case debug, info, error

        public static func < (left: Level, right: Level) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// Messages below this level are never created.
    public var level: Level
    /// Called on libinput's thread: on the reader's queue, or in `TouchPanels.list`. The text has no line end.
    public var write: (Level, String) -> Void

    public init(level: Level = .error, write: @escaping (Level, String) -> Void) {
        self.level = level
        self.write = write
    }

    public static var silent: TouchLog { TouchLog { _, _ in } }
}

extension TouchLog.Level {
    var priority: libinput_log_priority {
        switch self {
        case .debug: LIBINPUT_LOG_PRIORITY_DEBUG
        case .info: LIBINPUT_LOG_PRIORITY_INFO
        case .error: LIBINPUT_LOG_PRIORITY_ERROR
        }
    }

    init(_ priority: libinput_log_priority) {
        switch priority {
        case LIBINPUT_LOG_PRIORITY_DEBUG: self = .debug
        case LIBINPUT_LOG_PRIORITY_INFO: self = .info
        default: self = .error
        }
    }
}
