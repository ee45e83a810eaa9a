internal import CGStreamer
internal import Synchronization

/// Settings that change the whole process. The library applies none of them by itself: the program that hosts it stays
/// as it was.
///
/// A program whose purpose is playing films calls `apply()` at its start, before any other call to Vitrine, or those of
/// the functions that suit it. Any thread.
public enum ProcessTuning {
    /// Applies all of them.
    public static func apply() {
        limitMemoryArenas()
        rankJPEGParser()
        explainCertificates()
        limitRepeatedWarnings()
    }

    /// Makes GLib log each message at most three times: some are repeated with every frame, and would fill a card. Once
    /// in a process that has no GLib log writer of its own (`g_log_set_writer_func`).
    public static func limitRepeatedWarnings() { RepeatedWarnings.limitThem() }

    /// Limits malloc to two arenas, which saves some megabytes: glibc gives each allocating thread an arena of its own,
    /// and GStreamer has a dozen threads that allocate little.
    public static func limitMemoryArenas() {
        mallopt(M_ARENA_MAX, 2)
    }

    /// Makes GStreamer before 1.24 show photographs upright by their Exif, too: raises the rank of `jpegparse` in
    /// GStreamer's registry, once GStreamer is started.
    public static func rankJPEGParser() {
        isRankWanted.store(true, ordering: .sequentiallyConsistent)
        if gst_is_initialized() != 0 { UnrankedJPEGParser.raise() }
    }

    /// Reports why a server's certificate is not trusted (`MediaFailure.doubt`). From the first film on a server on,
    /// GIO reports each certificate that anything in the process distrusts: a hook on
    /// `GTlsConnection::accept-certificate`. The hook changes no result.
    public static func explainCertificates() {
        isDoubtWanted.store(true, ordering: .sequentiallyConsistent)
    }

    private static let isRankWanted = Atomic(false)
    private static let isDoubtWanted = Atomic(false)

    static var ranksJPEGParser: Bool { isRankWanted.load(ordering: .sequentiallyConsistent) }
    static var explainsCertificates: Bool { isDoubtWanted.load(ordering: .sequentiallyConsistent) }
}
