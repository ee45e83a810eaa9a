// Bug: glibc starts no thread while it loads a library: https://sourceware.org/bugzilla/show_bug.cgi?id=19329 made that so, and
// https://sourceware.org/bugzilla/show_bug.cgi?id=28357 took the libraries' constructors out of it.
// Versions: glibc since 2.34.
// May go when a film opens as fast without it (tools/bench).

internal import CGStreamer
internal import Dispatch
internal import Synchronization

/// Threads that a film's opening wants, started ahead of it.
///
/// glibc starts no thread while a library is loaded (`dl_load_tls_lock`, held by `dlopen` and wanted by `pthread_create`): who
/// needs one waits until the last of Debian's libav's sixty libraries is there, half a second on a small board. Whoever finds
/// an idle one does not: Dispatch keeps them for 5 s, GLib for 15.
enum ThreadReserve {
    /// The pipeline's worker, and one for what else is asked of GStreamer meanwhile.
    static let workers = 2
    /// Of GStreamer: the source's, the demuxer's, and those behind it for video, sound and subtitles.
    static let streaming: UInt32 = 5

    /// Returns when they have been started. Any thread.
    static func fill() {
        let meeting = Meeting(of: workers + Int(streaming) + 1)
        for _ in 0..<workers {
            // A queue of its own is served by a thread of its own, of those that serve all queues of this class.
            DispatchQueue(label: "vitrine.reserve", qos: .userInitiated).async { meeting.attend() }
        }
        // GStreamer's tasks run in threads that all of GLib's shared pools have in common. The one with which the bound is
        // reached ends (`g_thread_pool_wait_for_new_pool`).
        let kept = g_thread_pool_get_max_unused_threads()
        if kept >= 0 { g_thread_pool_set_max_unused_threads(max(kept, gint(streaming) + 1)) }
        let attend: GFunc = { meeting, _ in Unmanaged<Meeting>.fromOpaque(meeting!).takeRetainedValue().attend() }
        guard let pool = g_thread_pool_new(attend, nil, -1, 0, nil) else { return }
        for _ in 0..<streaming { g_thread_pool_push(pool, Unmanaged.passRetained(meeting).toOpaque(), nil) }
        g_thread_pool_free(pool, 0, 0)
        meeting.attend()
    }

    /// Nobody leaves before everybody is there: so they are that many threads, not one after another.
    private final class Meeting: Sendable {
        private let missing: Atomic<Int>
        private let isComplete = DispatchSemaphore(value: 0)

        init(of count: Int) { missing = Atomic(count) }

        func attend() {
            if missing.subtract(1, ordering: .relaxed).newValue == 0 { isComplete.signal() }
            // Where there is no room for that many threads, those that are there go on.
            if isComplete.wait(timeout: .now() + .seconds(1)) == .success { isComplete.signal() }
        }
    }
}
