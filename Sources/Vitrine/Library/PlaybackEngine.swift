internal import Dispatch
internal import KMS
internal import PlayerCore

/// What plays films for a library's player: `VitrinePlayer`, or a test's script.
///
/// Commands are accepted at any moment, in order, and return at once.
protocol PlaybackEngine: AnyObject, Sendable {
    /// Where all commands are given.
    var loop: DispatchQueue { get }
    /// Before any command: what happens is told to this from now on, in order.
    func attach(_ hear: @escaping @Sendable (FilmNews) -> Void)
    /// - Parameter address: of the item that is to be opened, or to follow.
    func send(_ command: FilmCommand, address: String?)
    /// Where pictures go from now on, `nil`: nowhere, and which part of the display is theirs.
    func show(on display: Display?, in area: OSDLayout.Rectangle?)
    /// What it has done so far.
    func diagnostics() async -> PlayerDiagnostics
    /// Lets go of everything; nothing is sent after it.
    func shutDown() async
}
