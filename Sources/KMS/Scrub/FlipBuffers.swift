internal import Synchronization

/// Three buffers that one plane shows in turn: one is on the screen, one is pending, one can be drawn. A picture that
/// is drawn while another one waits replaces it.
///
/// `@unchecked Sendable` because each buffer belongs to one thread at a time: the drawing one's, as `state` says, or
/// the kernel's.
final class FlipBuffers: @unchecked Sendable {
    let buffers: [DumbBuffer]
    private let state = Mutex(State())

    private struct State {
        /// Indices into `buffers`.
        var onScreen: Int?
        var onItsWay: Int?
        var isDrawn: Int?
        var waits: Int?
        /// Whether drawn pictures are to be shown.
        var isOpen = false
    }

    init(on display: Display, width: Int, height: Int, format: PixelFormat) throws(KMSError) {
        var buffers: [DumbBuffer] = []
        for _ in 0..<3 {
            let buffer = try DumbBuffer(on: display, width: width, height: height, format: format)
            // The kernel provides each page at its first use: now, and not under the finger.
            buffer.bytes.initializeMemory(as: UInt8.self, repeating: 0)
            buffers.append(buffer)
        }
        self.buffers = buffers
    }

    var width: Int { buffers[0].width }
    var height: Int { buffers[0].height }
    var format: PixelFormat { buffers[0].format }

    /// A buffer that is neither on the screen nor pending. If there is no other, the waiting picture is dropped.
    /// - Parameter isRehearsal: whether the picture will not be shown, which is possible only while none are.
    func take(isRehearsal: Bool = false) -> DumbBuffer? {
        let free = state.withLock { state -> Int? in
            guard state.isOpen != isRehearsal, state.isDrawn == nil else { return nil }
            let free = buffers.indices.filter { $0 != state.onScreen && $0 != state.onItsWay }
            let chosen = free.first { $0 != state.waits } ?? free.first
            if chosen == state.waits { state.waits = nil }
            state.isDrawn = chosen
            return chosen
        }
        return free.map { buffers[$0] }
    }

    /// Returns the taken buffer after drawing.
    /// - Parameter isGood: whether it is to be shown.
    func give(isGood: Bool) {
        state.withLock { state in
            if isGood, state.isOpen { state.waits = state.isDrawn }
            state.isDrawn = nil
        }
    }

    /// The newest waiting buffer, which is pending from now on, or `nil`.
    func send() -> DumbBuffer? {
        let sent = state.withLock { state -> Int? in
            guard state.isOpen, state.onItsWay == nil, let waits = state.waits else { return nil }
            (state.onItsWay, state.waits) = (waits, nil)
            return waits
        }
        return sent.map { buffers[$0] }
    }

    /// The kernel did not accept the buffer: it waits again, unless a newer one does.
    func takeBack() {
        state.withLock { state in
            state.waits = state.isOpen ? state.waits ?? state.onItsWay : nil
            state.onItsWay = nil
        }
    }

    /// The pending buffer is on the screen.
    /// - Returns: whether there was one.
    @discardableResult
    func arrived() -> Bool {
        state.withLock { state in
            guard let sent = state.onItsWay else { return false }
            (state.onScreen, state.onItsWay) = (sent, nil)
            return true
        }
    }

    var hasWaiting: Bool { state.withLock { $0.waits != nil } }

    /// Shows drawn pictures from now on.
    func open() { state.withLock { $0.isOpen = true } }

    /// Drops pictures that wait or are still being drawn.
    func close() {
        state.withLock { state in
            state.waits = nil
            state.isOpen = false
        }
    }
}
