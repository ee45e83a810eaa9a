// Bug: glibc takes a library that `exit` has finalized for one that was never initialized: a plugin that is being loaded
// and needs it initializes it again, and GObject aborts. GStreamer's threads load plugins while the program ends. Not
// reported.
// Versions: glibc 2.36 (Debian 12).
// May go, and test_the_libraries_are_not_finalized of Tests/Rig/test_errors.py with it, when a plugin that is loaded during
// `exit` does not abort the program.

import Glibc

extension Main {
    /// Ends the program without the libraries' finalizers. This handler is registered first, so it runs after all others,
    /// and in place of the libraries' own.
    static func endWithoutFinalizers() {
        on_exit(
            { status, _ in
                fflush(nil)
                _exit(status)
            }, nil)
    }
}
