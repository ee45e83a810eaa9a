internal import Synchronization

/// The method of a screenshot.
public enum CaptureMethod: Sendable {
    /// Writeback if the display has it and it answers, else the framebuffers.
    case automatic
    /// The display engine itself, through a writeback connector: the true output of the display.
    case writeback
    /// From the planes' framebuffers, composed by the CPU.
    case framebuffers
}

extension Display {
    /// Long enough for vkms to compose a large picture; a hardware display engine needs one frame.
    private static let writebackIntervalMilliseconds = 250
    /// Two seconds: writeback answers within two frames unless the display engine hangs.
    private static let writebackTimeoutMilliseconds = 2000

    /// Takes a screenshot. May be called while films play; concurrent calls wait for each other.
    /// - Parameter onFallback: called with the writeback's error if the framebuffers are taken in its place.
    /// - Throws: `displayRestored`; `unsupported` if writeback is requested and there is none; `unreadableFramebuffer`;
    ///   `timedOut`; `systemCall`.
    public func capture(
        _ method: CaptureMethod = .automatic, onFallback: (KMSError) -> Void = { _ in }
    ) throws(KMSError) -> Picture {
        try checkOpen()
        switch method {
        case .writeback:
            return try captureByWriteback()
        case .framebuffers:
            return try captureFramebuffers()
        case .automatic:
            guard writeback != nil else { return try captureFramebuffers() }
            do throws(KMSError) {
                return try captureByWriteback()
            } catch {
                onFallback(error)
                return try captureFramebuffers()
            }
        }
    }

    private func captureByWriteback() throws(KMSError) -> Picture {
        guard let writeback else {
            throw .unsupported("\(choice.card) has no writeback connector for \(choice.connectorName)")
        }
        let result = writebackJobs.withLock { kept -> Result<Picture, KMSError> in
            do throws(KMSError) {
                let jobs: WritebackJobs
                if let kept {
                    jobs = kept
                } else {
                    jobs = try WritebackJobs(writeback, width: width, height: height, on: card)
                    kept = jobs
                }
                try jobs.write(
                    interval: Self.writebackIntervalMilliseconds, timeout: Self.writebackTimeoutMilliseconds)
                let layer = PlaneLayer(
                    format: jobs.buffer.format, width: width, height: height,
                    components: [.init(bytes: [UInt8](jobs.buffer.bytes), pitch: jobs.buffer.components[0].pitch)],
                    source: .init(x: 0, y: 0, width: Double(width), height: Double(height)),
                    destination: .init(x: 0, y: 0, width: width, height: height))
                return .success(Picture.composed(width: width, height: height, layers: [layer]))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func captureFramebuffers() throws(KMSError) -> Picture {
        Picture.composed(width: width, height: height, layers: try PlaneReader.layers(of: crtcID, on: card))
    }
}
