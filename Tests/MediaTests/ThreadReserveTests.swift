import Dispatch
import Glibc
import Testing

@testable import Media

/// In a process of their own, which has no idle threads of other tests.
struct ThreadReserveTests {
    @Test func `threads that a film's opening takes are there before it`() async {
        await #expect(processExitsWith: .success) {
            let before = Self.threads().count
            ThreadReserve.fill()
            let there = Self.threads()
            #expect(there.count >= before + ThreadReserve.workers + Int(ThreadReserve.streaming))
            // That they are idle nobody tells.
            usleep(1_000_000)
            // Two at once, each of a queue of its own, as a pipeline's worker is.
            let both = DispatchSemaphore(value: 0), done = DispatchGroup()
            for _ in 0..<ThreadReserve.workers {
                DispatchQueue(label: "worker", qos: .userInitiated).async(group: done) {
                    both.signal()
                    usleep(100_000)
                }
            }
            for _ in 0..<ThreadReserve.workers { both.wait() }
            #expect(Self.threads().isSubset(of: there))
            done.wait()
        }
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
