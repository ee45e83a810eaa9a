import KMS
import Logging
import PlayerCore
import ServiceLifecycle
import Vitrine

/// Waits for a display, which may be connected after the kiosk's start.
extension Kiosk {
    /// `nil` if the shutdown, or a client's `quit`, was first.
    func openDisplay() async throws -> Display? {
        // A television may connect and disconnect a few times while it starts, so that the chosen one is gone when it
        // is opened.
        for attempt in 1... {
            guard let choice = try await waitForDisplay() else { return nil }
            log.trace("display chosen")
            do throws(KMSError) {
                return try await runBlocking { () throws(KMSError) in try Display.open(choice) }
            } catch {
                guard attempt < 5, case .systemCall = error else { throw error }
                log.warning("\(error): the displays are looked at again")
            }
        }
        return nil
    }

    /// The interval between two checks for a display. A film must appear within 1 s after the display, and its start
    /// takes up to half of that.
    private static let patience = Duration.milliseconds(500)

    /// The time in which a card's driver may load after another card's.
    private static let driversPatience = Duration.seconds(5)

    /// The time until udev has given the node its group's mode. A user who is not in that group is refused afterwards,
    /// too.
    private static let udevsPatience = Duration.seconds(60)

    /// `nil` if the shutdown, or a client's `quit`, was first.
    private func waitForDisplay() async throws -> DisplayChoice? {
        var (lastReported, lacks) = ("", [KMSError]())
        let began = MonotonicTime.now
        while !Task.isShuttingDownGracefully, !Task.isCancelled, outcome == nil {
            let request = request
            var (reason, pause) = ("no display is connected", Self.patience)
            do throws(KMSError) {
                if let choice = try await runBlocking({ () throws(KMSError) in try Display.pollConnected(request) }) {
                    // A slow card must not delay the film.
                    if !lacks.isEmpty {
                        Task { [whenDisplayLacks, lacks] in await runBlocking { whenDisplayLacks(lacks) } }
                    }
                    return choice
                }
            } catch {
                // The holder also keeps the display from being detected: too early for a report.
                if case .displayHeld = error, .now - began < Display.holdersPatience {
                    try? await Task.sleep(for: .milliseconds(50))
                    continue
                }
                if let easier = easier(request, after: error, waited: .now - began) {
                    log.error("\(error): the display is chosen without that request. \(error.remedy)")
                    self.request = easier
                    lacks.append(error)
                    continue
                }
                guard supply != nil, Self.isPassing(error, after: .now - began) else { throw error }
                (reason, pause) = ("\(error)", .now - began < .seconds(30) ? .milliseconds(50) : Self.patience)
            }
            if reason != lastReported { log.notice("\(reason): waiting for one") }
            lastReported = reason
            // Without a display, the kiosk only waits.
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

    /// A request without the settings that the display does not support, for a player that must keep running.
    private func easier(_ request: DisplayRequest, after error: KMSError, waited time: Duration) -> DisplayRequest? {
        guard supply != nil else { return nil }
        if case .noSuchConnector = error, time < Self.driversPatience { return nil }
        return request.easier(after: error)
    }

    /// Whether the error may pass. Early in a board's start the display's driver is still being loaded, and udev has
    /// not set the node's group yet.
    static func isPassing(_ error: KMSError, after time: Duration) -> Bool {
        switch error {
        case .noCard: true
        // The kernel's own owner: udev's rules are applied, on a slow machine after more than a minute.
        case .noPermission(_, group: "root"): true
        case .noPermission: time < udevsPatience
        case .noSuchConnector: time < driversPatience
        default: false
        }
    }
}
