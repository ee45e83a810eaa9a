/// The state of a virtual terminal that is changed for a film, and restored.
public struct ConsoleState: Hashable, Sendable {
    /// The terminal's own node: `/dev/tty1` to `/dev/tty63`.
    public let terminal: String
    /// KDGETMODE's: 0 is KD_TEXT, 1 KD_GRAPHICS.
    public let displayMode: Int32
    /// KDGKBMODE's: 0 is K_RAW, 1 K_XLATE, 2 K_MEDIUMRAW, 3 K_UNICODE, 4 K_OFF.
    public let keyboardMode: Int32

    public init(terminal: String, displayMode: Int32, keyboardMode: Int32) {
        self.terminal = terminal
        self.displayMode = displayMode
        self.keyboardMode = keyboardMode
    }

    /// The state during a film: the console draws nothing and does not blank. Unless the keyboard stays on, all keys
    /// are ignored, including those that interrupt or switch consoles.
    func duringFilm(keyboardStaysOn: Bool) -> ConsoleState {
        ConsoleState(terminal: terminal, displayMode: 1, keyboardMode: keyboardStaysOn ? keyboardMode : 4)
    }
}
