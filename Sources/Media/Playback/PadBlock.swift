internal import Synchronization

/// The pads of a film that is made ready while another one plays. What comes of them waits, before it can reach the sound card
/// that the other one has; by then the decoders have made their first sound.
final class PadBlock: Sendable {
    /// `nil`: nothing is held.
    private let blocked: Mutex<[Probe]?>

    init(isBlocking: Bool) {
        blocked = Mutex(isBlocking ? [] : nil)
    }

    deinit { blocked.withLock { $0 }?.forEach { $0.remove() } }

    var isBlocking: Bool { blocked.withLock { $0 != nil } }

    /// Thread: the streaming thread that found the pad, before anything comes of it.
    /// - Returns: whether the pad waits.
    func take(_ pad: Pad) -> Bool {
        blocked.withLock { blocked in
            blocked?.append(pad.block())
            return blocked != nil
        }
    }

    var pads: [Pad] { blocked.withLock { $0?.map(\.pad) ?? [] } }

    /// A pad is gone.
    func forget(_ pad: Pad) {
        let gone = blocked.withLock { blocked in
            blocked?.firstIndex { $0.pad == pad }.flatMap { blocked?.remove(at: $0) }
        }
        gone?.remove()
    }

    /// Nothing is held any more: each pad is linked, and then, once all of them are, things flow. A pipeline is ready when all
    /// the sinks that it has are.
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
