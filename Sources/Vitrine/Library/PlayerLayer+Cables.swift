public import KMS
public import Logging

extension PlayerLayer {
    /// Follows the display's cable until its task is cancelled: unplugging and plugging in, another display, a
    /// television that is switched off and on, another mode. The film continues at its position.
    /// - Parameters:
    ///   - request: the request that the display was opened for: it is applied again each time.
    ///   - log: reports why a display is not found, for people.
    public func followCables(
        _ request: DisplayRequest = DisplayRequest(), log: Logger = Logger(label: "vitrine")
    ) async {
        let monitor: HotplugMonitor
        do throws(KMSError) {
            monitor = try HotplugMonitor()
        } catch {
            log.warning("a display that is plugged in again will not be found: \(error)")
            return
        }
        var watch = ConnectorWatch(await connectorState())
        for await _ in monitor.events {
            // Repeated until the choice matches the display, which may change while it is opened: that takes some 300
            // ms.
            for attempt in 1...5 {
                guard !Task.isCancelled else { return }
                let connector = display.connectorID
                let now = await connectorState()
                guard watch.isNews(now) else { break }
                if attempt > 1, watch.hasFailed || now?.isLinkBad == true {
                    guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                }
                let isDone = await follow(request, log)
                let isSame = display.connectorID == connector
                let seen = isDone ? (isSame ? now : await connectorState()) : nil
                let isGone = isDone ? await player?.screen.isUnplugged == true : false
                if watch.looked(seen, isGone: isGone) { break }
            }
        }
    }

    /// Moves to the current display, or to none. `false` if that failed.
    private func follow(_ request: DisplayRequest, _ log: Logger) async -> Bool {
        let display = display
        do throws(KMSError) {
            guard let choice = try await runBlocking({ () throws(KMSError) in try display.pollConnected(request) })
            else {
                await unplug()
                return true
            }
            return await reopen(as: choice)
        } catch {
            log.warning("the displays cannot be read: \(error)")
            return false
        }
    }

    private func connectorState() async -> ConnectorState? {
        let display = display
        return await runBlocking { try? display.currentState() }
    }
}
