internal import CGStreamer
internal import PlayerCore
internal import Synchronization

/// One look of GStreamer's discoverer into a film, which can be broken off: asked to wait for the answer itself, the discoverer
/// would go on for all of its time.
///
/// `@unchecked Sendable` because the context, which locks for itself, is a pointer; what is found belongs to the thread of `run`.
final class Discovery: @unchecked Sendable {
    private let context = g_main_context_new()
    private let isCancelled = Atomic(false)
    private var isDone = false
    /// Of the film, also where it is none; `nil` where GStreamer tells nothing.
    private(set) var info: OpaquePointer?
    private(set) var error: UnsafeMutablePointer<GError>?

    deinit {
        if let info { g_object_unref(UnsafeMutableRawPointer(info)) }
        g_clear_error(&error)
        g_main_context_unref(context)
    }

    /// `run` ends as soon as the film's source lets go of what it reads. Any thread.
    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        g_main_context_wakeup(context)
    }

    /// Blocks until there is an answer, 10 s at most. Once.
    func run(_ location: MediaLocation) throws(MediaFailure) {
        try GStreamer.start()
        // What the discoverer hears and tells, it does where its maker waits.
        g_main_context_push_thread_default(context)
        defer { g_main_context_pop_thread_default(context) }
        guard let discoverer = gst_discoverer_new(10_000_000_000, &error) else {
            throw MediaFailure(reason: .cannotBuild, message: "GStreamer has no discoverer")
        }
        defer { g_object_unref(discoverer) }
        let discovered:
            @convention(c) (
                UnsafeMutablePointer<GstDiscoverer>?, OpaquePointer?, UnsafeMutablePointer<GError>?, gpointer?
            ) -> Void = { _, info, error, data in
                guard let data else { return }
                Unmanaged<Discovery>.fromOpaque(data).takeUnretainedValue().finish(info, error)
            }
        g_signal_connect_data(
            discoverer, "discovered", unsafeBitCast(discovered, to: GCallback.self),
            Unmanaged.passUnretained(self).toOpaque(), nil, .init(rawValue: 0))
        gst_discoverer_start(discoverer)
        defer { gst_discoverer_stop(discoverer) }
        gst_discoverer_discover_uri_async(discoverer, location.uri)
        while !isDone, !isCancelled.load(ordering: .acquiring) { g_main_context_iteration(context, 1) }
        if !isDone { throw MediaFailure(reason: .cancelled, message: "\(location.name): nobody waits for it any more") }
    }

    private func finish(_ info: OpaquePointer?, _ error: UnsafeMutablePointer<GError>?) {
        isDone = true
        if let info { self.info = OpaquePointer(g_object_ref(UnsafeMutableRawPointer(info))) }
        if let error { self.error = g_error_copy(error) }
    }
}
