import Dispatch
import FoundationEssentials
import Glibc
import Testing
import TextFiles

@testable import VitrineProgram

/// The service manager kills a process that does not end in time.
@Suite(.timeLimit(.minutes(1)))
struct StopTests {
    private static let unit =
        #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        + "/rootfs-overlay/usr/lib/systemd/system/vitrine.service"

    @Test func `a card that does not answer does not hold up the end`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/state-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = StateFile(folder: folder, log: Log.quiet)
        // Opening a pipe without a writer blocks for ever.
        let pipe = folder + "/playing.json"
        try #require(mkfifo(pipe, 0o600) == 0)
        let write: @Sendable () -> Void = { _ = close(open(pipe, O_RDWR | O_CLOEXEC)) }
        // A `finish` without a limit fails the test instead of hanging it.
        DispatchQueue.global().asyncAfter(deadline: .now() + 20, execute: write)
        #expect(!file.finish(within: .milliseconds(10)))
        write()
        unlink(pipe)
        #expect(file.finish(within: .seconds(20)))
    }

    @Test func `what is left of the manager's time is counted from the signal`() {
        let (clock, begin) = (StopClock(), ContinuousClock.now)
        #expect(clock.left(at: begin) == StopClock.limit, "nobody counts the time of an end of its own")
        clock.begin(at: begin)
        clock.begin(at: begin + .seconds(2))
        #expect(clock.left(at: begin + .milliseconds(300)) == .milliseconds(4200))
        #expect(clock.left(at: begin + .seconds(9)) == .zero)
    }

    @Test func `the limit is the unit's`() throws {
        let text = String(decoding: try WholeFile.bytes(of: Self.unit), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("TimeoutStopSec=") })
        let seconds = try #require(Int64(line.dropFirst("TimeoutStopSec=".count)))
        #expect(StopClock.limit + .milliseconds(500) == .seconds(seconds))
    }
}
