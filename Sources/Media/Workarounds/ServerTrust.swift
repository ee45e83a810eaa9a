// Bug: `souphttpsrc` does not tell why it trusts no certificate. https://gitlab.freedesktop.org/gstreamer/gstreamer/-/issues/2379
// Versions: GStreamer before 1.24, whose `souphttpsrc` has a signal `accept-certificate`:
// https://gitlab.freedesktop.org/gstreamer/gstreamer/-/merge_requests/4925
// May go when Debian 12 (1.22) is no longer supported: the signal tells it of one source, and needs no hook for all of the process.

internal import CGStreamer
internal import Glibc
internal import PlayerCore
internal import Synchronization

/// What is wrong with the certificate of a film's server. souphttpsrc tells of it as of everything, "Internal data stream error";
/// GIO, which speaks TLS for it, says more. It is asked by its functions' names: the program is not linked with GIO, which only
/// films from a network need. Any thread.
///
/// One for the process: of two films that are opened at once from servers, one may be told the other's doubt. The server's name
/// would not tell them apart: a film's address may lead to another server, and parts of HLS and DASH lie where their list says.
enum ServerTrust {
    private static let newest = Mutex<CertificateDoubt?>(nil)

    /// Looks at certificates from now on, where the program wants that (`ProcessTuning.explainCertificates`); forgets what was found
    /// before. The first time takes as long as loading GIO.
    static func watch() {
        guard ProcessTuning.explainsCertificates else { return }
        _ = isWatching
        newest.withLock { $0 = nil }
    }

    /// What was found since `watch`, once.
    static func takeDoubt() -> CertificateDoubt? {
        newest.withLock { newest in
            defer { newest = nil }
            return newest
        }
    }

    /// Whether there is anything that speaks TLS: Debian has it in a package of its own, glib-networking.
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
        // A class makes its signals. This one asks whether a certificate is to be taken in spite of what speaks against it.
        g_type_class_ref(type)
        return g_signal_add_emission_hook(g_signal_lookup("accept-certificate", type), 0, note, nil, nil) != 0
    }()

    /// The signal's values: the connection, the certificate, and what speaks against it.
    private static let note: GSignalEmissionHook = { _, count, values, _ in
        if let values, count > 2 { newest.withLock { $0 = CertificateDoubt(flags: g_value_get_flags(values + 2)) } }
        return 1
    }

    private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlopen("libgio-2.0.so.0", RTLD_LAZY).flatMap { dlsym($0, name) }.map { unsafeBitCast($0, to: type) }
    }
}

extension CertificateDoubt {
    /// - Parameter flags: GIO's `GTlsCertificateFlags`. What people at the screen can mend comes first.
    fileprivate init(flags: UInt32) {
        let (badIdentity, notActivated, expired): (UInt32, UInt32, UInt32) = (1 << 1, 1 << 2, 1 << 3)
        self = flags & (notActivated | expired) != 0 ? .date : flags & badIdentity != 0 ? .address : .issuer
    }
}
