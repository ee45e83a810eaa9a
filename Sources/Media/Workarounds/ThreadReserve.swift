// Bug: glibc starts no thread while it loads a library: https://sourceware.org/bugzilla/show_bug.cgi?id=19329 made that so, and
// https://sourceware.org/bugzilla/show_bug.cgi?id=28357 took the libraries' constructors out of it.
// Versions: glibc since 2.34.
// May go when a film opens as fast without it (tools/bench).

internal import CGStreamer
internal import Dispatch
internal import Synchronization

/// Threads for opening a film, started in advance.
///
/// glibc starts no thread while a library is loaded (`dl_load_tls_lock`, held by `dlopen` and needed by
/// `pthread_create`): a caller that needs one waits until the last of Debian's libav's sixty libraries is loaded, half
/// a second on a small board. A caller that finds an idle thread does not wait: Dispatch keeps idle threads for 5 s,
/// GLib for 15.
enum ThreadReserve {
    /// The pipeline's worker, and one for other calls to GStreamer meanwhile.
    static let workers = 2
    /// GStreamer's threads: the source's, the demuxer's, and those behind it for video, sound and subtitles.
    static let streaming: UInt32 = 5

    /// Starts the threads, and returns when they are running. Any thread.
    static func fill() {
        let meeting = Meeting(of: workers + Int(streaming) + 1)
        for _ in 0..<workers {
            // A queue of its own is served by a thread of its own, from the pool of this quality of service.
            DispatchQueue(label: "vitrine.reserve", qos: .userInitiated).async { meeting.attend() }
        }
        // GStreamer's tasks run in GLib's shared thread pools. The thread with which the bound is reached ends
        // (`g_thread_pool_wait_for_new_pool`).
        let kept = g_thread_pool_get_max_unused_threads()
        if kept >= 0 { g_thread_pool_set_max_unused_threads(max(kept, gint(streaming) + 1)) }
        let attend: GFunc = { meeting, _ in Unmanaged<Meeting>.fromOpaque(meeting!).takeRetainedValue().attend() }
        guard let pool = g_thread_pool_new(attend, nil, -1, 0, nil) else { return }
        for _ in 0..<streaming { g_thread_pool_push(pool, Unmanaged.passRetained(meeting).toOpaque(), nil) }
        g_thread_pool_free(pool, 0, 0)
        meeting.attend()
    }

    /// A barrier: no thread leaves before all have arrived, so that there are that many threads, not one after another.
    private final class Meeting: Sendable {
        private let missing: Atomic<Int>
        private let isComplete = DispatchSemaphore(value: 0)

        init(of count: Int) { missing = Atomic(count) }

        func attend() {
            if missing.subtract(1, ordering: .relaxed).newValue == 0 { isComplete.signal() }
            // If there is no room for that many threads, the existing ones go on.
            if isComplete.wait(timeout: .now() + .seconds(1)) == .success { isComplete.signal() }
        }
    }
}
