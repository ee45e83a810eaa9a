internal import CGStreamer
internal import Synchronization

/// Settings that change the whole process. The library makes none of them by itself: a program in which it is a guest stays as it
/// was.
///
/// A program whose purpose is playing films calls `apply()` at its start, before anything else of Vitrine, or those of the
/// functions that suit it. Any thread.
public enum ProcessTuning {
    /// All of them.
    public static func apply() {
        limitMemoryArenas()
        rankJPEGParser()
        explainCertificates()
        limitRepeatedWarnings()
    }

    /// Has GLib log each message three times at most: some come with every frame, and would fill a card. Once in a process, which
    /// has no writer of GLib's log of its own (`g_log_set_writer_func`).
    public static func limitRepeatedWarnings() { RepeatedWarnings.limitThem() }

    /// Makes malloc use two arenas at most, which saves some megabytes: glibc gives each thread that allocates an arena of its
    /// own, and GStreamer has a dozen threads that allocate little.
    public static func limitMemoryArenas() {
        mallopt(M_ARENA_MAX, 2)
    }

    /// Shows photographs as their Exif says with GStreamer before 1.24, too: raises the rank of `jpegparse` in GStreamer's
    /// registry, once GStreamer is started.
    public static func rankJPEGParser() {
        isRankWanted.store(true, ordering: .sequentiallyConsistent)
        if gst_is_initialized() != 0 { UnrankedJPEGParser.raise() }
    }

    /// Reports why a server's certificate is not trusted (`MediaFailure.doubt`). From the first film of a server on, GIO tells
    /// Vitrine of each certificate that anything in the process doubts: a hook on `GTlsConnection::accept-certificate`. The hook
    /// changes no answer.
    public static func explainCertificates() {
        isDoubtWanted.store(true, ordering: .sequentiallyConsistent)
    }

    private static let isRankWanted = Atomic(false)
    private static let isDoubtWanted = Atomic(false)

    static var ranksJPEGParser: Bool { isRankWanted.load(ordering: .sequentiallyConsistent) }
    static var explainsCertificates: Bool { isDoubtWanted.load(ordering: .sequentiallyConsistent) }
}
