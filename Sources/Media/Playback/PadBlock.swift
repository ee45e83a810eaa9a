internal import Synchronization

/// The blocked pads of a film that is preloaded while another one plays. Its data waits before it can reach the sound
/// card that the other film has; by then the decoders have made their first sound.
final class PadBlock: Sendable {
    /// `nil` if nothing is blocked.
    private let blocked: Mutex<[Probe]?>

    init(isBlocking: Bool) {
        blocked = Mutex(isBlocking ? [] : nil)
    }

    deinit { blocked.withLock { $0 }?.forEach { $0.remove() } }

    var isBlocking: Bool { blocked.withLock { $0 != nil } }

    /// Blocks a pad if needed. Thread: the streaming thread that found the pad, before data flows.
    /// - Returns: whether the pad waits.
    func take(_ pad: Pad) -> Bool {
        blocked.withLock { blocked in
            blocked?.append(pad.block())
            return blocked != nil
        }
    }

    var pads: [Pad] { blocked.withLock { $0?.map(\.pad) ?? [] } }

    /// Forgets a pad that was removed.
    func forget(_ pad: Pad) {
        let gone = blocked.withLock { blocked in
            blocked?.firstIndex { $0.pad == pad }.flatMap { blocked?.remove(at: $0) }
        }
        gone?.remove()
    }

    /// Unblocks: each pad is linked, and after the last one data flows. A pipeline is prerolled once all of its current
    /// sinks are.
    func release(_ link: (Pad) -> Void, whenLinked: () -> Void) {
        let released = blocked.withLock { blocked in
            defer { blocked = nil }
            return blocked ?? []
        }
        for one in released { link(one.pad) }
        whenLinked()
        for one in released { one.remove() }
    }
}
