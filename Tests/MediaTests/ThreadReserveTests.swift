import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Media

/// In a process of their own, which has no idle threads of other tests.
struct ThreadReserveTests {
    @Test func `threads that a film's opening takes are there before it`() async {
        await #expect(processExitsWith: .success) {
            let before = Self.threads()
            var there: Set<String> = []
            // That they are idle nobody tells. On a busy machine another one may be taken; and again, until it has ended:
            // Dispatch keeps them for five seconds.
            let areFound = (0..<3).contains { attempt in
                if attempt > 0 { sleep(7) }
                ThreadReserve.fill()
                there = Self.threads()
                return Self.workers().isSubset(of: there)
            }
            #expect(areFound)
            // By now those of GLib that it does not keep have ended.
            let kept = there.subtracting(before).count { Self.isPooled($0) }
            #expect(kept == Int(ThreadReserve.streaming))
        }
    }

    /// The threads of as many queues at once, as a pipeline's worker is one.
    private static func workers() -> Set<String> {
        let done = DispatchGroup()
        let found = Mutex<Set<String>>([])
        for _ in 0..<ThreadReserve.workers {
            DispatchQueue(label: "worker", qos: .userInitiated).async(group: done) {
                var path = [CChar](repeating: 0, count: 64)
                readlink("/proc/thread-self", &path, 63)
                let thread = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                found.withLock { _ = $0.insert(String(thread.split(separator: "/").last ?? "")) }
                // Until the other one runs, too.
                usleep(50_000)
            }
        }
        done.wait()
        return found.withLock { $0 }
    }

    /// Whether it is one of GLib's pools', by the name that they all have.
    private static func isPooled(_ thread: String) -> Bool {
        guard let file = fopen("/proc/self/task/\(thread)/comm", "r") else { return false }
        defer { fclose(file) }
        var name = [CChar](repeating: 0, count: 32)
        let count = fread(&name, 1, 31, file)
        let text = String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.hasPrefix("pool") && !text.hasPrefix("pool-spawner")
    }

    private static func threads() -> Set<String> {
        guard let folder = opendir("/proc/self/task") else { return [] }
        defer { closedir(folder) }
        var names: Set<String> = []
        while let entry = readdir(folder) {
            names.insert(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names
    }
}
