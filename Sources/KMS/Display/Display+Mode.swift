internal import CDRM
internal import Synchronization

extension Display {
    /// The mode of this display's size whose rate matches a film; `nil` if none is better than the current one.
    /// - Parameter frameDuration: nanoseconds, above 0.
    public func mode(matchingFrameDuration frameDuration: Int) throws(KMSError) -> DisplayMode? {
        try checkOpen()
        let connector = DisplayInventory.Connector(id: connectorID, crtcIDs: [], on: card)
        return ModeRule.matching(frameDuration: frameDuration, in: connector?.modes ?? [], present: mode)
    }

    /// Changes the refresh rate. Planes keep their contents; the display may be dark for a second or two.
    /// - Parameter mode: of this display's width and height; for another, see `reopened`.
    /// - Throws: `displayRestored`; `unsupported` for another size; `systemCall` if the driver refuses: then the mode
    ///   stays the same.
    public func setMode(_ mode: DisplayMode) throws(KMSError) {
        // `reopened` holds the same lock while it sets a mode.
        let result = background.withLock { background -> Result<Void, KMSError> in
            background == nil ? .failure(.displayRestored) : change(to: mode)
        }
        try result.get()
    }

    private func change(to mode: DisplayMode) -> Result<Void, KMSError> {
        chosen.withLock { choice -> Result<Void, KMSError> in
            guard mode.width == choice.mode.width, mode.height == choice.mode.height else {
                return .failure(.unsupported("the mode \(mode) has another size than \(choice.mode)"))
            }
            do throws(KMSError) {
                try crtc.set(mode, connectorID: connectorID, name: choice.connectorName)
                choice.mode = mode
                return .success(())
            } catch {
                return .failure(error)
            }
        }
    }

    /// Switches the display off (DPMS: a television goes to standby) and on again, with the contents of its planes.
    /// Planes accept frames meanwhile, without the display's pacing.
    /// - Throws: `displayRestored`; `systemCall`.
    public func setPower(_ on: Bool) throws(KMSError) {
        try checkOpen()
        try crtc.setPower(on, connectorID: connectorID)
    }
}
