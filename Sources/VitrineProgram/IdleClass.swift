import Glibc
import TextFiles

/// Makes this process one that runs when nobody else wants to: processor and disk are for the film that plays.
enum IdleClass {
    /// All threads that there are; those that come later are made by one of them.
    static func enter() {
        for entry in FolderEntry.all(in: "/proc/self/task") ?? [] {
            guard let thread = pid_t(entry.name) else { continue }
            var parameters = sched_param()
            // SCHED_IDLE, whose macro does not import. The disk is used in the same class then: the kernel derives it (ioprio_set(2)).
            sched_setscheduler(thread, 5, &parameters)
        }
    }
}
