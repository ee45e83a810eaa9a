public import KMS
internal import Media
public import PlayerCore
internal import Synchronization

/// The place of a player's frames: an open display, borrowed, with the part of it to use, and the gravity.
///
/// The player shows on it as long as this layer and its `player` are retained. The display's owner restores it after
/// `Player.close`. Any thread; only async functions wait.
public final class PlayerLayer: Sendable {
    /// In pixels, from the top left corner.
    public typealias Rectangle = OSDLayout.Rectangle

    /// Borrowed: its owner restores it, as `restoreDisplay` does.
    public var display: Display { shown.withLock { $0.display } }

    private struct Shown {
        var display: Display
        var player: Player?
        var frame: Rectangle?
        var gravity: VideoGravity
    }

    private let shown: Mutex<Shown>

    /// Shows a player's frames in `frame` of a display.
    public init(
        _ display: Display, player: Player? = nil, frame: Rectangle? = nil, gravity: VideoGravity = .resizeAspect
    ) {
        shown = Mutex(Shown(display: display, frame: frame, gravity: gravity))
        self.player = player
    }

    /// Opens a display, and shows a player's frames on it.
    ///
    /// The display must be free, as on a text console; `restoreDisplay` gives it back.
    /// - Parameters:
    ///   - request: the display and its mode; by default the first connected one.
    ///   - player: the player to show; `nil` for none yet.
    ///   - frame: as `PlayerLayer.frame`.
    ///   - gravity: as `PlayerLayer.gravity`.
    /// - Throws: `PlayerError.display`. Waits up to a second for a program that is just releasing the display.
    public static func open(
        _ request: DisplayRequest = DisplayRequest(), player: Player? = nil, frame: Rectangle? = nil,
        gravity: VideoGravity = .resizeAspect
    ) async throws(PlayerError) -> PlayerLayer {
        do throws(KMSError) {
            let display = try await runBlocking { () throws(KMSError) in try Display.open(request) }
            return PlayerLayer(display, player: player, frame: frame, gravity: gravity)
        } catch {
            throw PlayerError(error, of: request.connector ?? "any display", attempt: .openDisplay)
        }
    }

    /// Restores the display's earlier contents, after `Player.close`. Nothing is shown on it any more.
    public func restoreDisplay() async throws(PlayerError) {
        let display = display
        do throws(KMSError) {
            try await runBlocking { () throws(KMSError) in try display.restore() }
        } catch {
            throw PlayerError(error, of: display.choice.connectorName, attempt: .restoreDisplay)
        }
    }

    deinit {
        player?.core.hide(by: ObjectIdentifier(self))
    }

    /// The player to show, in place of another layer that showed it; the film continues at its position. `nil` for
    /// none.
    public var player: Player? {
        get { shown.withLock { $0.player } }
        set {
            // The lock is held, so that the last setting applies.
            shown.withLock { shown in
                guard shown.player !== newValue else { return }
                shown.player?.core.hide(by: ObjectIdentifier(self))
                shown.player = newValue
                guard let core = newValue?.core else { return }
                core.command(.setGravity(shown.gravity))
                let area = Self.area(of: shown)
                core.show(
                    on: area.map { _ in shown.display }, in: shown.frame.flatMap { _ in area },
                    by: ObjectIdentifier(self))
            }
        }
    }

    /// The part of the display that contains the frames, in pixels from its top left corner; `nil` for all of it.
    /// Around the frames it is black. The bar and subtitles stay at the display's lower edge, over the frames or beside
    /// them.
    ///
    /// A rectangle is cut to the display, in whole squares of 2x2 pixels. If nothing is left, or the rectangle is
    /// empty, neither the player nor its bar is shown, as without a layer; the film continues. On a turned display the
    /// rectangle does not turn with it. Setting it during playback works as for `gravity`.
    public var frame: Rectangle? {
        get { shown.withLock { $0.frame } }
        set {
            shown.withLock { shown in
                shown.frame = newValue
                let area = Self.area(of: shown)
                shown.player?.core.showElsewhere(
                    on: area.map { _ in shown.display }, in: newValue.flatMap { _ in area },
                    by: ObjectIdentifier(self))
            }
        }
    }

    /// How a film of another shape than the frame is fitted into it. Setting it during playback opens the film anew at
    /// its position, behind its last frame, including live ones and stills. A film that is not live and not seekable
    /// stays as it is, and the new gravity applies to the next one.
    public var gravity: VideoGravity {
        get { shown.withLock { $0.gravity } }
        set {
            shown.withLock { shown in
                shown.gravity = newValue
                shown.player?.core.command(.setGravity(newValue))
            }
        }
    }

    /// The rectangle of the current item's frames on the display, in pixels from its top left corner, known once the
    /// film is open; scalers and planes may round by a pixel or two. Around it is black. `nil` without an item, while
    /// its size is unknown, for sound alone, and if no part of `frame` is on the display.
    public var videoRect: Rectangle? {
        let shown = shown.withLock { $0 }
        guard let area = Self.area(of: shown), let film = shown.player?.currentItem?.presentationSize else {
            return nil
        }
        return shown.gravity.place(film, in: area, shown.display.transform)
    }

    /// The display's area for frames; `nil` for none.
    private static func area(of shown: Shown) -> Rectangle? {
        let display = shown.display
        guard let frame = shown.frame else { return .init(x: 0, y: 0, width: display.width, height: display.height) }
        return frame.part(ofDisplayWidth: display.width, height: display.height)
    }
}

/// The display's cable.
extension PlayerLayer {
    /// Handles an unplugged display: the film plays on unseen, or waits, as `PlayerOptions.whenUnplugged` says.
    func unplug() async { _ = await player?.core.engine.move(reopen: nil) }

    /// Continues the film on the display as chosen now.
    /// - Returns: `false` if it cannot be opened: then it counts as unplugged.
    func reopen(as choice: DisplayChoice) async -> Bool {
        guard let engine = player?.core.engine else { return false }
        return await engine.move { [self] () throws(KMSError) in
            let display = try display.reopened(choice)
            shown.withLock { $0.display = display }
            return display
        }
    }
}

extension VideoGravity {
    /// The rectangle of a film of this size in an area of a turned display.
    func place(
        _ film: PlayerItem.Size, in area: PlayerLayer.Rectangle, _ transform: DisplayTransform
    ) -> PlayerLayer.Rectangle {
        guard self == .resizeAspect else { return area }
        // In the viewer's space, because the display may be turned.
        let (width, height) = transform.size(width: area.width, height: area.height)
        let fit = AspectFit(width: film.width, height: film.height, pixelAspect: (1, 1), within: (width, height))
        let place = PlayerLayer.Rectangle(
            x: (width - fit.width) / 2, y: (height - fit.height) / 2, width: fit.width, height: fit.height)
        var rectangle = transform.place(place, displayWidth: area.width, displayHeight: area.height)
        rectangle.x += area.x
        rectangle.y += area.y
        return rectangle
    }
}
