public import KMS
internal import Media
public import PlayerCore
internal import Synchronization

/// Where a player's frames go: an open display, borrowed, what of it is theirs, and how they are fitted into that.
///
/// The player shows on it as long as this layer and its `player` are kept. The display's owner gives it back, after
/// `Player.close`. Any thread; nothing of it waits.
public final class PlayerLayer: Sendable {
    /// In pixels, from the top left corner.
    public typealias Rectangle = OSDLayout.Rectangle

    /// Borrowed: whoever opened it gives it back, as `restoreDisplay` does.
    public var display: Display { shown.withLock { $0.display } }

    private struct Shown {
        var display: Display
        var player: Player?
        var frame: Rectangle?
        var gravity: VideoGravity
    }

    private let shown: Mutex<Shown>

    /// Shows a player's frames on a display from now on, in `frame` of it.
    public init(
        _ display: Display, player: Player? = nil, frame: Rectangle? = nil, gravity: VideoGravity = .resizeAspect
    ) {
        shown = Mutex(Shown(display: display, frame: frame, gravity: gravity))
        self.player = player
    }

    /// Opens a display, and shows a player's frames on it from now on.
    ///
    /// The display must be free, as on a text console; `restoreDisplay` gives it back.
    /// - Parameters:
    ///   - request: which display, with which mode; as it is, the first that is connected.
    ///   - player: whose frames; `nil`: none yet.
    ///   - frame: as `PlayerLayer.frame`.
    ///   - gravity: as `PlayerLayer.gravity`.
    /// - Throws: `PlayerError.display`. Waits up to a second for a program that is just leaving the display.
    public static func open(
        _ request: DisplayRequest = DisplayRequest(), player: Player? = nil, frame: Rectangle? = nil,
        gravity: VideoGravity = .resizeAspect
    ) async throws(PlayerError) -> PlayerLayer {
        do throws(KMSError) {
            let display = try await offLoop { () throws(KMSError) in try Display.open(request) }
            return PlayerLayer(display, player: player, frame: frame, gravity: gravity)
        } catch {
            throw PlayerError(error, of: request.connector ?? "any display", attempt: .openDisplay)
        }
    }

    /// Gives the display back, to what it showed before it was opened: after `Player.close`. Nothing is shown on it any more.
    public func restoreDisplay() async throws(PlayerError) {
        let display = display
        do throws(KMSError) {
            try await offLoop { () throws(KMSError) in try display.restore() }
        } catch {
            throw PlayerError(error, of: display.choice.connectorName, attempt: .restoreDisplay)
        }
    }

    deinit {
        player?.core.hide(by: ObjectIdentifier(self))
    }

    /// Shows a player's frames from now on, in place of another layer that did; the film goes on where it is. `nil`: none.
    public var player: Player? {
        get { shown.withLock { $0.player } }
        set {
            // Under the lock, so that what was set last is what is shown.
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

    /// Which part of the display the frames stand in, in its pixels from its top left corner; `nil`: all of it. Around them it
    /// is black. The bar and subtitles stay at the display's lower edge, over the frames or beside them.
    ///
    /// Of a rectangle that juts out, what lies on the display counts, to whole squares of 2x2 pixels. Where that is nothing, or
    /// the rectangle is empty, nothing is shown of the player, neither its bar, as without a layer; the film goes on. On a
    /// display that is turned, the rectangle does not turn with it. Set while a film plays it is as with `gravity`.
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

    /// How a film of another shape than the frame's is fitted into it. Set while one plays, that is opened anew where it is,
    /// behind its last frame, live ones and stills too; another one that cannot be sought in stays as it is, and the next one
    /// is fitted so.
    public var gravity: VideoGravity {
        get { shown.withLock { $0.gravity } }
        set {
            shown.withLock { shown in
                shown.gravity = newValue
                shown.player?.core.command(.setGravity(newValue))
            }
        }
    }

    /// Where the current item's frames stand on the display, in its pixels from its top left corner, as it is reported once the
    /// film is open; scalers and planes may round to a pixel or two beside it. Around it is black. `nil` without an item,
    /// while its size is unknown, for sound alone, and where nothing of `frame` is on the display.
    public var videoRect: Rectangle? {
        let shown = shown.withLock { $0 }
        guard let area = Self.area(of: shown), let film = shown.player?.currentItem?.presentationSize else {
            return nil
        }
        return shown.gravity.place(film, in: area, shown.display.transform)
    }

    /// What of the display is the frames'; `nil`: nothing.
    private static func area(of shown: Shown) -> Rectangle? {
        let display = shown.display
        guard let frame = shown.frame else { return .init(x: 0, y: 0, width: display.width, height: display.height) }
        return frame.part(ofDisplayWidth: display.width, height: display.height)
    }
}

/// The display's cable.
extension PlayerLayer {
    /// The display is unplugged: the film plays on unseen, or waits, as `PlayerOptions.whenUnplugged` says.
    func unplug() async { _ = await player?.core.engine.move(reopen: nil) }

    /// Goes on with the film on the display as it is chosen now.
    /// - Returns: `false` if it cannot be opened: then it is as good as unplugged.
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
    /// What a film of this size takes of an area of a display that is turned so.
    func place(
        _ film: PlayerItem.Size, in area: PlayerLayer.Rectangle, _ transform: DisplayTransform
    ) -> PlayerLayer.Rectangle {
        guard self == .resizeAspect else { return area }
        // As the viewer sees it, who may have turned the display.
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
