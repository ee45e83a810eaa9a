internal import Dispatch
internal import KMS
internal import Media
internal import PlayerCore

/// Plays films for a library's player: `PlayerLoop`, or a test's script.
///
/// Commands and screen requests are sent on `loop`, in order, and return at once.
protocol PlaybackEngine: AnyObject, Sendable {
    /// The queue of all commands and reports.
    var loop: DispatchQueue { get }
    /// Sets the receiver of reports, in order. Called before any command.
    func attach(_ hear: @escaping @Sendable (FilmNews) -> Void)
    /// Creates the engine's own controls on the screen, which the caller retains; `nil` if it has none.
    func makeControls() -> (any Transport)?
    /// Sets the delegate of its own controls. On `loop`.
    func control(by delegate: any TransportDelegate)
    /// - Parameter film: the item to open, or the one that follows.
    func send(_ command: FilmCommand, _ film: FilmRequest?)
    /// Sets the display of frames, `nil` for none, and the part of it to use.
    func show(on display: Display?, in area: OSDLayout.Rectangle?)
    func show(_ request: ScreenRequest)
    /// The engine's counters.
    func diagnostics() async -> PlayerDiagnostics
    func screen() async -> PlayerScreen
    /// The film's position; `nil` without a film.
    func position() async -> MediaTime?
    /// `Player.isAlive`.
    func isAlive() async -> Bool
    /// Continues the film on another display, or on the same one in another mode.
    /// - Parameter reopen: called once nothing uses the previous display. `nil` if there is none for now.
    /// - Returns: whether there is a display.
    func move(reopen: (@Sendable () throws(KMSError) -> Display)?) async -> Bool
    func screenshot(to path: String) async throws(PlayerError)
    func setPower(_ on: Bool) async throws(PlayerError)
    /// Releases everything; reports end.
    func shutDown() async
}

extension PlaybackEngine {
    func makeControls() -> (any Transport)? { nil }

    func control(by delegate: any TransportDelegate) {}
}

/// An item in the form in which an engine opens it.
struct FilmRequest: Hashable, Sendable {
    var address: String
    /// The location, if it is resolved already.
    var location: MediaLocation?
    /// The place at which it starts each time that it is opened, unless a seek precedes.
    var start: StartPlace?
    /// Whether a playlist has no other item that could be played in its place.
    var isAlone = false
}

/// A program's request for the screen, besides the film.
enum ScreenRequest: Hashable, Sendable {
    /// Shows a message in place of the title, until another one replaces it; `nil` removes it.
    case message(String?, untilRead: Bool)
    /// Shows a text for a while, in precedence over all others; an empty one ends it.
    case text(String, Duration)
    /// Shows the bar, as after a touch.
    case controls
    /// Sets the use of fingers, with the menu if it is one.
    case touch(TouchUse)
    /// Announces a menu: its posters and letters are made.
    case prepareMenu(FilmMenu.Content)
    /// Preloads a film that a viewer may choose at any moment; `nil` for none.
    case preload(FilmRequest?)
}
