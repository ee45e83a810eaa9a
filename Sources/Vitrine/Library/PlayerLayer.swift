public import KMS
internal import Media
public import PlayerCore
internal import Synchronization

/// Where a player's pictures go: an open display, borrowed, and how they are fitted into it (A1, S4).
///
/// The player shows on it as long as this layer and its `player` are kept. The display's owner gives it back, after
/// `Player.close`. Any thread; nothing of it waits.
public final class PlayerLayer: Sendable {
    /// In pixels, from the top left corner.
    public typealias Rectangle = OSDLayout.Rectangle

    /// Borrowed: whoever opened it gives it back.
    public let display: Display

    private struct Shown {
        var player: Player?
        var gravity: VideoGravity
    }

    private let shown: Mutex<Shown>

    /// Shows a player's pictures on a display from now on.
    public init(_ display: Display, player: Player? = nil, gravity: VideoGravity = .resizeAspect) {
        self.display = display
        shown = Mutex(Shown(gravity: gravity))
        self.player = player
    }

    deinit {
        if let player { player.core.show(on: nil) }
    }

    /// Shows a player's pictures from now on; the film goes on where it is. `nil`: none.
    public var player: Player? {
        get { shown.withLock { $0.player } }
        set {
            let (before, gravity) = shown.withLock { shown in
                defer { shown.player = newValue }
                return (shown.player, shown.gravity)
            }
            guard before !== newValue else { return }
            before?.core.show(on: nil)
            newValue?.core.command(.setGravity(gravity))
            newValue?.core.show(on: display)
        }
    }

    /// How a film of another shape than the display's is fitted into it. Set while one plays, that is opened anew where it is,
    /// behind its last picture; one that cannot be sought in stays as it is, and the next one is fitted so.
    public var gravity: VideoGravity {
        get { shown.withLock { $0.gravity } }
        set {
            let player = shown.withLock { shown in
                shown.gravity = newValue
                return shown.player
            }
            player?.core.command(.setGravity(newValue))
        }
    }

    /// Where the current item's pictures stand on the display, in its pixels from its top left corner, as it is told once the
    /// film is open; scalers and planes may round to a pixel or two beside it. Around it is black. `nil` without an item,
    /// while its size is unknown, and for sound alone.
    public var videoRect: Rectangle? {
        let (player, gravity) = shown.withLock { ($0.player, $0.gravity) }
        return player?.currentItem?.presentationSize.map {
            gravity.place($0, displayWidth: display.width, displayHeight: display.height, display.transform)
        }
    }
}

extension VideoGravity {
    /// What of a display a film of this size takes.
    func place(
        _ film: PlayerItem.Size, displayWidth: Int, displayHeight: Int, _ transform: DisplayTransform
    ) -> PlayerLayer.Rectangle {
        guard self == .resizeAspect else { return .init(x: 0, y: 0, width: displayWidth, height: displayHeight) }
        // As the viewer sees it, who may have turned the display.
        let (width, height) = transform.size(width: displayWidth, height: displayHeight)
        let fit = AspectFit(width: film.width, height: film.height, pixelAspect: (1, 1), within: (width, height))
        let place = PlayerLayer.Rectangle(
            x: (width - fit.width) / 2, y: (height - fit.height) / 2, width: fit.width, height: fit.height)
        return transform.place(place, displayWidth: displayWidth, displayHeight: displayHeight)
    }
}
