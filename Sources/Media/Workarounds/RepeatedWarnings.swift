// Bug: `v4l2slh265dec` logs a message with every frame: it tries to copy the visible part inside a conformance window, cannot
// copy frames in columns, and outputs them as they are, which is right. Not reported.
// Versions: GStreamer 1.24 to 1.26.4.
// May go, and `ProcessTuning.limitRepeatedWarnings` with it, when Debian 13 (1.26.2) is no longer supported.

internal import CGStreamer
internal import Synchronization

/// Keeps GLib's warnings from filling a card: a message that GLib or GStreamer repeats is logged three times.
enum RepeatedWarnings {
    /// The count of each message; the number of different messages is limited.
    private static let counts = Mutex<[String: Int]>([:])
    private static let limit = 3, mostMessages = 200

    /// Installs the log writer. Once in a process: GLib aborts the process the second time.
    static func limitThem() {
        guard !isLimited.exchange(true, ordering: .sequentiallyConsistent) else { return }
        g_log_set_writer_func(
            { level, fields, count, _ in
                guard let fields, let message = RepeatedWarnings.message(fields, count) else {
                    return g_log_writer_default(level, fields, count, nil)
                }
                let times = RepeatedWarnings.count(message)
                guard times <= RepeatedWarnings.limit else { return G_LOG_WRITER_HANDLED }
                return g_log_writer_default(level, fields, count, nil)
            }, nil, nil)
    }

    private static let isLimited = Atomic(false)

    private static func message(_ fields: UnsafePointer<GLogField>, _ count: gsize) -> String? {
        for field in UnsafeBufferPointer(start: fields, count: Int(count)) {
            // A field without a length is zero-terminated.
            guard String(cString: field.key) == "MESSAGE", field.length < 0, let value = field.value else { continue }
            return String(cString: value.assumingMemoryBound(to: CChar.self))
        }
        return nil
    }

    /// - Returns: the message's count, including this time.
    static func count(_ message: String) -> Int {
        counts.withLock { counts in
            if counts[message] == nil, counts.count >= mostMessages { counts = [:] }
            counts[message, default: 0] += 1
            return counts[message, default: 0]
        }
    }
}
