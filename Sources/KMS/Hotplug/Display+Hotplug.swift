internal import Synchronization

extension Display {
    /// The connector's state now; this asks the display itself. Compare it with an earlier state: if it differs, or the
    /// link is bad, the picture must be set anew (`reopened`).
    /// - Throws: `displayRestored`.
    public func currentState() throws(KMSError) -> ConnectorState {
        try checkOpen()
        return ConnectorState(of: connectorID, on: card)
    }

    /// As the static `pollConnected`, for a display that is open: the kernel detects displays for the card's master
    /// only, so another handle would read its last result. Planes are not probed, so `step` may be lower than it will
    /// be after `reopened`.
    /// - Throws: as `DisplayChoice.choose`; `displayRestored`.
    public func pollConnected(_ request: DisplayRequest) throws(KMSError) -> DisplayChoice? {
        try checkOpen()
        var request = request
        var inventory: DisplayInventory
        if card.isLent {
            request.fileDescriptor = choice.fileDescriptor
            inventory = DisplayInventory(cards: [DisplayInventory.Card(card, asksForScaling: false)], unreadable: [])
        } else {
            inventory = try DisplayInventory.read(with: card, asksForScaling: false)
        }
        // The planes and CRTC of this display are free for the next one.
        for (index, one) in inventory.cards.enumerated() where one.path == choice.card {
            for plane in one.planes.indices
            where one.planes[plane].crtcID == crtcID && one.planes[plane].kind != .primary {
                inventory.cards[index].planes[plane].crtcID = nil
            }
        }
        do throws(KMSError) {
            return try DisplayChoice.choose(from: inventory, request: request)
        } catch .noConnectedDisplay, .connectorNotConnected, .noCard, .noSuchConnector {
            // A dock's connectors, and an adapter's card, are removed with it.
            return nil
        }
    }

    /// Opens the display as chosen now: plugged in again, with another mode, on another connector. This object must not
    /// be used afterwards, except for `restore()`, which does nothing: the new object owns the card and the earlier
    /// screen, if the card is the same. On another card the display is opened as a new one, and this one restored.
    ///
    /// Stop the sinks before: all planes go off. A bad link is retrained.
    /// - Throws: as `open`; `displayRestored`. This display stays open then, black.
    public func reopened(_ choice: DisplayChoice) throws(KMSError) -> Display {
        guard choice.card == self.choice.card, choice.fileDescriptor == self.choice.fileDescriptor else {
            try checkOpen()
            let display = try Display.open(choice)
            try? restore()
            return display
        }
        let result = background.withLock { background -> Result<Display, KMSError> in
            guard let black = background else { return .failure(.displayRestored) }
            var saved = saved
            if !saved.contains(where: { $0.crtcID == choice.crtcID }) {
                saved.append(SavedScreen(of: choice.crtcID, on: card))
                for plane in crtc.planes() where !plane.isPrimary { try? crtc.switchOff(plane.id) }
            }
            do throws(KMSError) {
                let display = try Display(choice, on: card, saved: saved)
                // No CRTC shows it any more, or only one that is given up, which the kernel then switches off.
                background = nil
                return .success(display)
            } catch {
                try? crtc.show(black, mode: mode, connectorID: connectorID, name: self.choice.connectorName)
                return .failure(error)
            }
        }
        return try result.get()
    }
}
