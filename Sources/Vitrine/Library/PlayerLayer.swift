public import KMS
internal import Synchronization

/// Where a player's pictures go: an open display, borrowed (A1).
///
/// The player shows on it as long as this layer and its `player` are kept. The display's owner gives it back, after
/// `Player.close`.
public final class PlayerLayer: Sendable {
    public let display: Display

    private let shown = Mutex<Player?>(nil)

    public init(_ display: Display, player: Player? = nil) {
        self.display = display
        self.player = player
    }

    deinit {
        if let player { player.core.show(on: nil) }
    }

    /// Shows a player's pictures from now on; the film goes on where it is. `nil`: none.
    public var player: Player? {
        get { shown.withLock { $0 } }
        set {
            let before = shown.withLock { shown in
                defer { shown = newValue }
                return shown
            }
            guard before !== newValue else { return }
            before?.core.show(on: nil)
            newValue?.core.show(on: display)
        }
    }
}
