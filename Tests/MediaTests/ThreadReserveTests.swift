import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Media

/// In a process of their own, which has no idle threads of other tests.
struct ThreadReserveTests {
    @Test func `threads that a film's load takes are there before it`() async {
        await #expect(processExitsWith: .success) {
            let before = Self.threads()
            ThreadReserve.fill()
            // A thread that is still on its way back from the meeting is not idle: another one would be started in its
            // place.
            #expect(Self.waitUntilIdle())
            let there = Self.threads()
            #expect(Self.workers().isSubset(of: there))
            // By now the threads that GLib does not keep have ended.
            let kept = there.subtracting(before).count { Self.isPooled($0) }
            #expect(kept == Int(ThreadReserve.streaming))
        }
    }

    /// The threads of as many queues at once, like a pipeline's worker.
    private static func workers() -> Set<String> {
        let done = DispatchGroup()
        let found = Mutex<Set<String>>([])
        for _ in 0..<ThreadReserve.workers {
            DispatchQueue(label: "worker", qos: .userInitiated).async(group: done) {
                let thread = current()
                found.withLock { _ = $0.insert(thread) }
                // Until the other one runs, too.
                usleep(50_000)
            }
        }
        done.wait()
        return found.withLock { $0 }
    }

    /// Waits until the other threads sleep, and none of them has run between two checks: the one that wakes the next is
    /// awake meanwhile. For less than the five seconds that Dispatch keeps them.
    private static func waitUntilIdle() -> Bool {
        let end = DispatchTime.now() + .seconds(4)
        var last: [String: [Substring]] = [:]
        while DispatchTime.now() < end {
            var looks: [String: [Substring]] = [:]
            for thread in threads() where thread != current() {
                looks[thread] = text(of: thread, "status").split(separator: "\n").filter {
                    $0.hasPrefix("State:") || $0.contains("voluntary_ctxt_switches:")
                }
            }
            if looks == last, looks.values.allSatisfy({ $0.first?.contains("sleeping") == true }) { return true }
            last = looks
            usleep(1000)
        }
        return false
    }

    /// Whether the thread belongs to GLib's pools, by their common name.
    private static func isPooled(_ thread: String) -> Bool {
        let name = text(of: thread, "comm")
        return name.hasPrefix("pool") && !name.hasPrefix("pool-spawner")
    }

    private static func text(of thread: String, _ file: String) -> String {
        guard let file = fopen("/proc/self/task/\(thread)/\(file)", "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private static func current() -> String {
        var path = [CChar](repeating: 0, count: 64)
        readlink("/proc/thread-self", &path, 63)
        let thread = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(thread.split(separator: "/").last ?? "")
    }

    private static func threads() -> Set<String> {
        guard let folder = opendir("/proc/self/task") else { return [] }
        defer { closedir(folder) }
        var names: Set<String> = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.insert(name) }
        }
        return names
    }
}
