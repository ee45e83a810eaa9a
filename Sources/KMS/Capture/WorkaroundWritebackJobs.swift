// Bug: vkms forgets a writeback whose vblank comes between the commit's two halves, and one that follows another at once.
// Not reported; tools/rig.d/patches/writeback-kept.patch mends it.
// Versions: the kernel that tools/rig.d/kernel builds, without the patch; others were not tried.
// May go when screenshots of a vkms without the patch never wait: one request is then enough.

internal import CDRM
internal import Glibc

/// The pending writebacks, which all write into one buffer. Not safe to use from two threads at a time.
///
/// The kernel's fences say how many writebacks have ended, not which: the oldest fence is signalled first. After a
/// forgotten writeback each fence is signalled by the writeback after its own. So a writeback is requested again after
/// a while, and any fence that is signalled after the request means that the buffer is written.
final class WritebackJobs {
    let buffer: DumbBuffer
    private let connector: WritebackConnector
    private let card: CardHandle
    /// Sync files that were not signalled at the last check, the oldest first.
    private var fences: [CInt] = []

    init(_ connector: WritebackConnector, width: Int, height: Int, on card: CardHandle) throws(KMSError) {
        buffer = try DumbBuffer(on: card, width: width, height: height, format: .xrgb8888)
        self.connector = connector
        self.card = card
    }

    deinit {
        for fence in fences { close(fence) }
    }

    /// Has the display write its output into `buffer`; requests again every `interval` until `timeout`, in
    /// milliseconds.
    func write(interval: Int, timeout: Int) throws(KMSError) {
        _ = try removeSignalled(waiting: 0)
        let start = Monotonic.milliseconds()
        repeat {
            fences.append(try connector.commit(into: buffer, on: card))
            if try removeSignalled(waiting: interval) {
                // Earlier writebacks may still write into the same buffer.
                while !fences.isEmpty, try removeSignalled(waiting: Self.straggler) {}
                return
            }
        } while Monotonic.milliseconds() - start < timeout
        throw .timedOut(operation: "writeback", object: card.path, milliseconds: timeout)
    }

    /// Two frames at 60 Hz, in milliseconds: a writeback that the display has not forgotten is done by then.
    private static let straggler = 34

    /// Waits until a fence is signalled, at most `milliseconds`, and closes signalled ones. Returns whether there was
    /// one.
    private func removeSignalled(waiting milliseconds: Int) throws(KMSError) -> Bool {
        let end = Monotonic.milliseconds() + milliseconds
        var items = fences.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            let result = poll(&items, nfds_t(items.count), CInt(max(end - Monotonic.milliseconds(), 0)))
            if result >= 0 { break }
            guard errno == EINTR else { throw .failed("poll", on: "writeback of \(card.path)") }
        }
        let signalled = items.filter { $0.revents != 0 }.map(\.fd)
        for fence in signalled { close(fence) }
        fences.removeAll(where: signalled.contains)
        return !signalled.isEmpty
    }
}

private enum Monotonic {
    static func milliseconds() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
    }
}
