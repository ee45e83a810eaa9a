internal import CGStreamer
internal import Glibc
public import PlayerCore

extension FilmOutput.Window {
    /// A window on the desktop that the environment names: Wayland's before X11's, unless its sink does not report the
    /// mouse (waylandsink of GStreamer 1.22 and 1.24) and X11's does. Any thread that may wait for the desktop's
    /// answer.
    public static func ofDesktop() throws(MediaFailure) -> FilmOutput.Window {
        let (wayland, x11) = (FilmOutput.Window.wayland.desktop, FilmOutput.Window.x11.desktop)
        guard wayland != nil || x11 != nil else {
            throw MediaFailure(
                reason: .noDesktop,
                message:
                    "no desktop to open a window on: neither WAYLAND_DISPLAY nor DISPLAY is set. Start the program "
                    + "from a terminal of the desktop, or leave --output away to play on the display itself")
        }
        let window: FilmOutput.Window =
            if wayland != nil {
                if x11 != nil, try !FilmOutput.Window.wayland.reportsPointer { .x11 } else { .wayland }
            } else { .x11 }
        try window.connect()
        return window
    }

    /// Whether the sink reports mouse and touches.
    public var reportsPointer: Bool {
        get throws(MediaFailure) { try makeSink().isNavigation }
    }

    /// Tests the connection: waylandsink only warns when it fails, and the film would wait for ever.
    private func connect() throws(MediaFailure) {
        let sink = try makeSink()
        let result = sink.set(GST_STATE_READY)
        sink.set(GST_STATE_NULL)
        guard result == GST_STATE_CHANGE_FAILURE else { return }
        throw MediaFailure(
            reason: .noDesktop,
            message: "no desktop answers at \(variable)=\(desktop ?? ""). Start the program from a terminal of the "
                + "desktop, as the user whose desktop it is")
    }

    private func makeSink() throws(MediaFailure) -> Element {
        try GStreamer.start()
        return try Element(factory)
    }

    private var variable: String {
        switch self {
        case .x11: "DISPLAY"
        case .wayland: "WAYLAND_DISPLAY"
        }
    }

    private var desktop: String? {
        guard let value = getenv(variable), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
