import Glibc
import TextFiles

/// Gives this process idle priority: processor, disk and memory are left to the film that plays.
enum IdleClass {
    /// What any decoder takes: GStreamer, and the addresses of a dozen threads' stacks, of 8 MB each.
    private static let leastMemory = 256 << 20

    /// Applies to all existing threads; later ones inherit it.
    static func enter() {
        limitMemory()
        for entry in FolderEntry.all(in: "/proc/self/task") ?? [] {
            guard let thread = pid_t(entry.name) else { continue }
            var parameters = sched_param()
            // SCHED_IDLE, whose macro does not import. The kernel derives the I/O class from it (ioprio_set(2)).
            sched_setscheduler(thread, 5, &parameters)
        }
        // The kernel kills this process first when memory runs out, because it can do its work later.
        let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        write(file, "1000", 4)
    }

    /// Limits this process to a quarter of the machine's memory above the least. A film that needs more ends the process,
    /// and has no sheet, but takes no memory from the player.
    private static func limitMemory() {
        let pages = sysconf(Int32(_SC_PHYS_PAGES)), size = sysconf(Int32(_SC_PAGESIZE))
        guard pages > 0, size > 0 else { return }
        let most = rlim_t(pages * size / 4 + leastMemory)
        var limit = rlimit(rlim_cur: most, rlim_max: most)
        setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    }
}
