internal import Dispatch
internal import KMS
internal import Media
internal import PlayerCore

/// What plays films for a library's player: `PlayerLoop`, or a test's script.
///
/// Commands, and what is to be shown, are given on `loop`, in order, and return at once.
protocol PlaybackEngine: AnyObject, Sendable {
    /// Where all commands are given, and what came of them is told.
    var loop: DispatchQueue { get }
    /// Before any command: what happens is told to this from now on, in order.
    func attach(_ hear: @escaping @Sendable (FilmNews) -> Void)
    /// The engine's own controls on the screen, which the caller keeps; `nil` where it has none.
    func makeControls() -> (any Transport)?
    /// What its own controls are asked for goes there. On `loop`.
    func control(by delegate: any TransportDelegate)
    /// - Parameter film: the item that is to be opened, or to follow.
    func send(_ command: FilmCommand, _ film: FilmRequest?)
    /// Where frames go from now on, `nil`: nowhere, and which part of the display is theirs.
    func show(on display: Display?, in area: OSDLayout.Rectangle?)
    func show(_ request: ScreenRequest)
    /// What it has done so far.
    func diagnostics() async -> PlayerDiagnostics
    func screen() async -> PlayerScreen
    /// Where the film is; `nil` without one.
    func position() async -> MediaTime?
    /// `Player.isAlive`.
    func isAlive() async -> Bool
    /// Goes on with the film on another display, or the same one in another mode.
    /// - Parameter reopen: called once nothing holds the one before. `nil`: there is none for now.
    /// - Returns: whether a display is there.
    func move(reopen: (@Sendable () throws(KMSError) -> Display)?) async -> Bool
    func screenshot(to path: String) async throws(PlayerError)
    func setPower(_ on: Bool) async throws(PlayerError)
    /// Lets go of everything; nothing is sent after it.
    func shutDown() async
}

extension PlaybackEngine {
    func makeControls() -> (any Transport)? { nil }

    func control(by delegate: any TransportDelegate) {}
}

/// An item, as an engine opens it.
struct FilmRequest: Hashable, Sendable {
    var address: String
    /// Where that is known already.
    var location: MediaLocation?
    /// Where it starts each time that it is opened, unless a seek says otherwise.
    var start: StartPlace?
    /// A playlist has no other item that could be played in its place.
    var isAlone = false
}

/// What a program has its viewers read, or see, besides the film.
enum ScreenRequest: Hashable, Sendable {
    /// In place of the title, until something else is to be said; `nil`: nothing.
    case message(String?, untilRead: Bool)
    /// For a while, before all other words; empty ends it.
    case text(String, Duration)
    /// The bar, as after a touch.
    case controls
    /// What fingers do from now on, and the menu that they do it on.
    case touch(TouchUse)
    /// The menu will be wanted: its posters and letters are made.
    case prepareMenu(FilmMenu.Content)
    /// A film that a viewer may choose at any moment; `nil`: none.
    case preload(FilmRequest?)
}
