internal import CDRM
internal import Synchronization

extension Display {
    /// The mode of this display's size whose rate suits a film; `nil` if none does better than the present one.
    /// - Parameter frameDuration: nanoseconds, above 0.
    public func mode(matchingFrameDuration frameDuration: Int) throws(KMSError) -> DisplayMode? {
        try checkOpen()
        let connector = DisplayInventory.Connector(id: connectorID, crtcIDs: [], on: card)
        return ModeRule.matching(frameDuration: frameDuration, in: connector?.modes ?? [], present: mode)
    }

    /// Changes the rate. What planes show stays; the display may be dark for a second or two.
    /// - Parameter mode: of this display's width and height; for another, see `reopened`.
    /// - Throws: `displayRestored`; `unsupported` for another size; `systemCall` if the driver refuses it: then the mode is
    ///   what it was.
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

    /// Switches the display off (DPMS: a television goes to standby) and on again, with what its planes show. Pictures may
    /// be handed to the planes meanwhile; they are not paced by the display then.
    /// - Throws: `displayRestored`; `systemCall`.
    public func setPower(_ on: Bool) throws(KMSError) {
        try checkOpen()
        try crtc.setPower(on, connectorID: connectorID)
    }
}
