import Glibc

enum Memory {
    /// glibc gives every thread that allocates an arena of its own, and GStreamer has many threads that allocate little:
    /// two arenas hold what a dozen do, in some megabytes less. For threads that start after this call.
    static func useFewArenas() {
        let arenaMax: Int32 = -8  // M_ARENA_MAX, which malloc.h defines and Swift does not import
        mallopt(arenaMax, 2)
    }
}
