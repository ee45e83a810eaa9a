internal import KMS
internal import PlayerCore

/// What plays films for a player: `VitrineEngine`, or a test's script.
///
/// Commands are accepted at any moment, in order, and return at once.
protocol PlaybackEngine: AnyObject, Sendable {
    /// Read once.
    var news: AsyncStream<EngineNews> { get }
    /// - Parameter address: of the item that is to be opened, or to follow.
    func send(_ command: EngineCommand, address: String?)
    /// Where pictures go from now on, `nil`: nowhere, and which part of the display is theirs.
    func show(on display: Display?, in area: OSDLayout.Rectangle?)
    /// What it has done so far.
    func diagnostics() async -> PlayerDiagnostics
    /// Lets go of everything; nothing is sent after it.
    func shutDown() async
}
