/// The kiosk's state as the service manager knows it.
struct ServiceStatus: Sendable {
    /// `nil` without a manager.
    let manager: ServiceManager?
    private var isReady = false
    /// The message that a display shows.
    private var message: String?
    private var isUnplugged = false

    init(_ manager: ServiceManager?) { self.manager = manager }

    /// Reports that the first frame, the first sound, or a message in their place has been output.
    /// - Returns: `false` if that was reported before.
    mutating func becomeReady() -> Bool {
        guard !isReady else { return false }
        isReady = true
        manager?.ready()
        return true
    }

    /// Sets the text of `systemctl status` to the message that a display shows.
    mutating func show(_ message: String) {
        self.message = message
        report()
    }

    /// Adds to the text whether there is a display: an updater of the card's system needs to know (`slot`).
    mutating func show(isUnplugged: Bool) {
        self.isUnplugged = isUnplugged
        report()
    }

    private func report() {
        guard let message else { return }
        manager?.status(isUnplugged ? "no display is connected; \(message)" : message)
    }
}
