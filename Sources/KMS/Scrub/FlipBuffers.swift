internal import Synchronization

/// Three buffers that one plane shows by turns: one is on the screen, one is on its way there, one can be drawn. What is drawn while
/// another picture waits takes its place.
///
/// `@unchecked Sendable` because a buffer is one thread's at a time: the drawing one's, as `state` says, or the kernel's.
final class FlipBuffers: @unchecked Sendable {
    let buffers: [DumbBuffer]
    private let state = Mutex(State())

    private struct State {
        /// All are places in `buffers`.
        var onScreen: Int?
        var onItsWay: Int?
        var isDrawn: Int?
        var waits: Int?
        /// Whether what is drawn is to be shown.
        var isOpen = false
    }

    init(on display: Display, width: Int, height: Int, format: PixelFormat) throws(KMSError) {
        var buffers: [DumbBuffer] = []
        for _ in 0..<3 { buffers.append(try DumbBuffer(on: display, width: width, height: height, format: format)) }
        self.buffers = buffers
    }

    var width: Int { buffers[0].width }
    var height: Int { buffers[0].height }
    var format: PixelFormat { buffers[0].format }

    /// One that nobody shows. The one that waited to be shown is given up for it.
    func take() -> DumbBuffer? {
        let free = state.withLock { state -> Int? in
            guard state.isOpen, state.isDrawn == nil else { return nil }
            let free = buffers.indices.filter { $0 != state.onScreen && $0 != state.onItsWay }
            let chosen = free.first { $0 != state.waits } ?? free.first
            if chosen == state.waits { state.waits = nil }
            state.isDrawn = chosen
            return chosen
        }
        return free.map { buffers[$0] }
    }

    /// What was taken is drawn.
    /// - Parameter isGood: whether it is to be shown.
    func give(isGood: Bool) {
        state.withLock { state in
            if isGood, state.isOpen { state.waits = state.isDrawn }
            state.isDrawn = nil
        }
    }

    /// The newest that waits is on its way from now on, or `nil`.
    func send() -> DumbBuffer? {
        let sent = state.withLock { state -> Int? in
            guard state.isOpen, state.onItsWay == nil, let waits = state.waits else { return nil }
            (state.onItsWay, state.waits) = (waits, nil)
            return waits
        }
        return sent.map { buffers[$0] }
    }

    /// The kernel did not take it: it waits again, unless something newer does.
    func takeBack() {
        state.withLock { state in
            state.waits = state.isOpen ? state.waits ?? state.onItsWay : nil
            state.onItsWay = nil
        }
    }

    /// What was on its way is on the screen.
    /// - Returns: whether anything was.
    @discardableResult
    func arrived() -> Bool {
        state.withLock { state in
            guard let sent = state.onItsWay else { return false }
            (state.onScreen, state.onItsWay) = (sent, nil)
            return true
        }
    }

    var hasWaiting: Bool { state.withLock { $0.waits != nil } }

    /// What is drawn is shown from now on.
    func open() { state.withLock { $0.isOpen = true } }

    /// What waits, or is still being drawn, is not shown any more.
    func close() {
        state.withLock { state in
            state.waits = nil
            state.isOpen = false
        }
    }
}
