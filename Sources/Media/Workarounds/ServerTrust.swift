// Bug: `souphttpsrc` does not report why it does not trust a certificate.
// https://gitlab.freedesktop.org/gstreamer/gstreamer/-/issues/2379
// Versions: GStreamer before 1.24, whose `souphttpsrc` has a signal `accept-certificate`:
// https://gitlab.freedesktop.org/gstreamer/gstreamer/-/merge_requests/4925
// May go when Debian 12 (1.22) is no longer supported: the signal reports it for one source, and needs no process-wide
// hook.

internal import CGStreamer
internal import Glibc
internal import PlayerCore
internal import Synchronization

/// Finds out why the certificate of a film's server is not trusted. souphttpsrc reports only "Internal data stream
/// error"; GIO, which does TLS for it, knows more. Its functions are looked up by name: the program is not linked with
/// GIO, which only films from a network need. Any thread.
///
/// There is one state for the process: of two films that are opened at once from servers, one may get the other's
/// doubt. The server's name would not distinguish them: a film's address may redirect to another server, and parts of
/// HLS and DASH are where their list says.
enum ServerTrust {
    private static let newest = Mutex<CertificateDoubt?>(nil)

    /// Watches certificates from now on, if the program has enabled that (`ProcessTuning.explainCertificates`); forgets
    /// earlier results. The first call takes as long as loading GIO.
    static func watch() {
        guard ProcessTuning.explainsCertificates else { return }
        _ = isWatching
        newest.withLock { $0 = nil }
    }

    /// The result since `watch`, once.
    static func takeDoubt() -> CertificateDoubt? {
        newest.withLock { newest in
            defer { newest = nil }
            return newest
        }
    }

    /// Whether TLS is supported: Debian has it in a package of its own, glib-networking.
    static var speaksTLS: Bool {
        typealias Backend = @convention(c) () -> gpointer?
        typealias Supports = @convention(c) (gpointer) -> gboolean
        guard let backend = function("g_tls_backend_get_default", as: Backend.self),
            let supports = function("g_tls_backend_supports_tls", as: Supports.self)
        else { return false }
        return backend().map { supports($0) != 0 } ?? false
    }

    private static let isWatching: Bool = {
        guard let type = function("g_tls_connection_get_type", as: (@convention(c) () -> GType).self)?() else {
            return false
        }
        // A class registers its signals. This one asks whether to accept a certificate in spite of its errors.
        g_type_class_ref(type)
        return g_signal_add_emission_hook(g_signal_lookup("accept-certificate", type), 0, note, nil, nil) != 0
    }()

    /// Stores the signal's values: the connection, the certificate, and its errors.
    private static let note: GSignalEmissionHook = { _, count, values, _ in
        if let values, count > 2 { newest.withLock { $0 = CertificateDoubt(flags: g_value_get_flags(values + 2)) } }
        return 1
    }

    private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlopen("libgio-2.0.so.0", RTLD_LAZY).flatMap { dlsym($0, name) }.map { unsafeBitCast($0, to: type) }
    }
}

extension CertificateDoubt {
    /// - Parameter flags: GIO's `GTlsCertificateFlags`. Causes that people at the screen can remedy take precedence.
    fileprivate init(flags: UInt32) {
        let (badIdentity, notActivated, expired): (UInt32, UInt32, UInt32) = (1 << 1, 1 << 2, 1 << 3)
        self = flags & (notActivated | expired) != 0 ? .date : flags & badIdentity != 0 ? .address : .issuer
    }
}
