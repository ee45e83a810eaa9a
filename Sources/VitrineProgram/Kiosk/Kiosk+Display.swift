import KMS
import Logging
import PlayerCore
import ServiceLifecycle
import Vitrine

/// Waits for a display: a kiosk's may come late.
extension Kiosk {
    /// `nil` when the shutdown, or a client's `quit`, came first.
    func openDisplay() async throws -> Display? {
        // Televisions come and go a few times while they start: what was chosen may be gone when it is opened.
        for attempt in 1... {
            guard let choice = try await waitForDisplay() else { return nil }
            log.trace("display chosen")
            do throws(KMSError) {
                return try await offLoop { () throws(KMSError) in try Display.open(choice) }
            } catch {
                guard attempt < 5, case .systemCall = error else { throw error }
                log.warning("\(error): the displays are looked at again")
            }
        }
        return nil
    }

    /// From one look for a display to the next: a film is to be there within 1 s of the display, and takes up to half of that
    /// itself.
    private static let patience = Duration.milliseconds(500)

    /// A card's driver may come after another's.
    private static let driversPatience = Duration.seconds(5)

    /// Whoever is not in the card's group is not let in later either; until the node has the mode of its group takes a moment.
    private static let udevsPatience = Duration.seconds(60)

    /// `nil` when the shutdown, or a client's `quit`, came first.
    private func waitForDisplay() async throws -> DisplayChoice? {
        var lastReported = ""
        let began = MonotonicTime.now
        while !Task.isShuttingDownGracefully, !Task.isCancelled, outcome == nil {
            let request = request
            var (reason, pause) = ("no display is connected", Self.patience)
            do throws(KMSError) {
                if let choice = try await offLoop({ () throws(KMSError) in try Display.pollConnected(request) }) {
                    return choice
                }
            } catch {
                // What its holder keeps from being known, too: nothing to be told yet.
                if case .displayHeld = error, .now - began < Display.holdersPatience {
                    try? await Task.sleep(for: .milliseconds(50))
                    continue
                }
                if let easier = easier(request, after: error, waited: .now - began) {
                    log.error("\(error): the display is chosen without that request. \(error.remedy)")
                    self.request = easier
                    continue
                }
                guard supply != nil, Self.isPassing(error, after: .now - began) else { throw error }
                (reason, pause) = ("\(error)", .now - began < .seconds(30) ? .milliseconds(50) : Self.patience)
            }
            if reason != lastReported { log.notice("\(reason): waiting for one") }
            lastReported = reason
            // Without a display, waiting is all that there is to do.
            if pause >= Self.patience {
                service?.ready()
                service?.status("\(reason): waiting for one")
                whenSettled()
            }
            service?.keepWatchdogQuiet()
            let watchdog = service?.watchdog ?? .seconds(2)
            try? await cancelWhenGracefulShutdown { [pause] in try await Task.sleep(for: min(pause, watchdog / 2)) }
        }
        return nil
    }

    /// A player that is to stay shows its film, even if not as the settings ask.
    private func easier(_ request: DisplayRequest, after error: KMSError, waited time: Duration) -> DisplayRequest? {
        guard supply != nil else { return nil }
        if case .noSuchConnector = error, time < Self.driversPatience { return nil }
        return request.easier(after: error)
    }

    /// Early in a board's start the display's driver is still being loaded, and udev has not given its node to a group yet.
    static func isPassing(_ error: KMSError, after time: Duration) -> Bool {
        switch error {
        case .noCard: true
        // The kernel's own owner: udev's rules come, on a slow machine after more than a minute.
        case .noPermission(_, group: "root"): true
        case .noPermission: time < udevsPatience
        case .noSuchConnector: time < driversPatience
        default: false
        }
    }
}
