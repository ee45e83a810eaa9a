internal import CDRM
internal import Glibc
internal import Synchronization

extension Display {
    /// Draws on the black picture below the film: the OSD while there is no film, on a display that has no plane for
    /// it. `filmPlane.turns` turns the picture on the primary plane too.
    ///
    /// - Parameters:
    ///   - pixels: BGRA, multiplied by alpha, rows without gaps.
    ///   - x: the left edge, pixels. Parts outside the display are left out.
    ///   - y: the upper edge, pixels.
    ///   - width: pixels.
    ///   - height: rows.
    public func drawOnBackground(
        _ pixels: UnsafeRawBufferPointer, x: Int, y: Int, width: Int, height: Int
    ) throws(KMSError) {
        try drawOnBackground { buffer in
            let columns = max(x, 0)..<max(min(x + width, buffer.width), max(x, 0))
            guard !columns.isEmpty else { return }
            for row in max(y, 0)..<max(min(y + height, buffer.height), max(y, 0)) {
                let start = ((row - y) * width + columns.lowerBound - x) * 4
                guard start + columns.count * 4 <= pixels.count else { return }
                // On black, a pixel multiplied by its alpha is the final colour.
                let line = buffer.bytes[(row * buffer.components[0].pitch + columns.lowerBound * 4)...]
                UnsafeMutableRawBufferPointer(rebasing: line).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: pixels[start..<start + columns.count * 4]))
            }
        }
    }

    /// Clears the background to black.
    public func clearBackground() throws(KMSError) {
        try drawOnBackground { buffer in
            buffer.bytes.initializeMemory(as: UInt8.self, repeating: 0)
        }
    }

    private func drawOnBackground(_ draw: (DumbBuffer) -> Void) throws(KMSError) {
        let isOpen = background.withLock { background in
            guard let background else { return false }
            draw(background)
            // Drivers that copy pictures (virtio-gpu, simpledrm) need this call; others refuse it, which is harmless.
            drmModeDirtyFB(card.fileDescriptor, background.framebufferID, nil, 0)
            return true
        }
        if !isOpen { throw .displayRestored }
    }
}
