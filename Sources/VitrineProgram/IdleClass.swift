import Glibc
import TextFiles

/// Gives this process idle priority: processor and disk are left to the film that plays.
enum IdleClass {
    /// Applies to all existing threads; later ones inherit it.
    static func enter() {
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
}
