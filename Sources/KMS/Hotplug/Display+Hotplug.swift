internal import Synchronization

extension Display {
    /// What the connector says of its display now; the display itself is asked. To be compared with what it said before:
    /// a picture has to be set anew (`reopened`) if it differs, or if the link is bad.
    /// - Throws: `displayRestored`.
    public func currentState() throws(KMSError) -> ConnectorState {
        try checkOpen()
        return ConnectorState(of: connectorID, on: card)
    }

    /// As the static `pollConnected`, for a display that is open: the kernel looks for displays for the card's master
    /// only, so another handle would read what was true when it last looked. What planes do is not asked, so `step` may
    /// say less than it will be: `reopened` asks.
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
        // What this display shows is free for the next, whichever CRTC that has.
        for (index, one) in inventory.cards.enumerated() where one.path == choice.card {
            for plane in one.planes.indices
            where one.planes[plane].crtcID == crtcID && one.planes[plane].kind != .primary {
                inventory.cards[index].planes[plane].crtcID = nil
            }
        }
        do throws(KMSError) {
            return try DisplayChoice.choose(from: inventory, request: request)
        } catch .noConnectedDisplay, .connectorNotConnected, .noCard, .noSuchConnector {
            // A dock's connectors, and an adapter's card, go with it.
            return nil
        }
    }

    /// The display as it is chosen now: plugged in again, with another mode, on another connector. This object is no
    /// longer to be used then, except for `restore()`, which does nothing: the card and the screen from before, on the same
    /// card, are the new object's. On another card the display is opened as a new one, and this one given back.
    ///
    /// Stop the sinks before: all planes go off. A link that is bad is trained anew.
    /// - Throws: as `open`; `displayRestored`. This display is still ours then, black.
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
                // Nothing shows it any more, or a CRTC does that is left: the kernel switches that off.
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
