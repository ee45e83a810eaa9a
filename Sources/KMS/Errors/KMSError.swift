internal import Glibc

/// Why the display could not be read, opened or captured. Each case has a `remedy` for the person at the machine.
public enum KMSError: Error, Hashable, Sendable {
    /// `/dev/dri` has no card.
    case noCard
    /// The card's node may not be opened by this user; `group` owns it.
    case noPermission(card: String, group: String)
    /// Nothing is connected to any card; `connectors` lists the existing ones.
    case noConnectedDisplay(connectors: [String])
    /// The requested connector exists, but nothing is connected to it.
    case connectorNotConnected(name: String)
    /// No card has a connector of that name.
    case noSuchConnector(name: String, available: [String])
    /// The connected display does not offer the requested mode.
    case noSuchMode(requested: ModeRequest, connector: String, available: [DisplayMode])
    /// No CRTC of the card can drive the connector.
    case noCRTC(card: String, connector: String)
    /// No plane of the CRTC accepts a format in which a film can be shown.
    case noFilmPlane(card: String, connector: String)
    /// The OSD was requested on a plane of its own, and the display has none for it.
    case noOSDPlane(card: String, connector: String)
    /// Another program is master of the card. `holders` are the programs that have it open, as far as this user may see.
    case displayHeld(card: String, holders: [DeviceHolder])
    /// The given file descriptor is not a DRM card's, or not open.
    case notACard(fileDescriptor: Int32)
    /// The given file descriptor may not change the display: it is no lease (or a revoked one) and its program is not
    /// the card's master.
    case notMaster(card: String, fileDescriptor: Int32)
    /// `restore()` was called: the display belongs to the console again.
    case displayRestored
    /// A plane shows a framebuffer that cannot be read back: this module does not know its format or its memory layout.
    case unreadableFramebuffer(plane: UInt32, format: PixelFormat, modifier: UInt64)
    /// The request needs hardware that the display does not have.
    case unsupported(String)
    /// The display did not finish in time.
    case timedOut(operation: String, object: String, milliseconds: Int)
    /// The kernel refused `operation` on `object`; `code` is errno.
    case systemCall(operation: String, object: String, code: Int32)

    /// The error of a call that has just failed.
    static func failed(_ operation: String, on object: String, code: Int32 = errno) -> KMSError {
        .systemCall(operation: operation, object: object, code: code)
    }
}

/// The modes that a message names, the display's own first; `vitrine displays` lists all.
private let mostModes = 8

extension KMSError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noCard:
            "no display card: /dev/dri has no card node"
        case .noPermission(let card, let group):
            "no permission to open \(card), which belongs to the group \"\(group)\""
        case .noConnectedDisplay(let connectors):
            "no display is connected" + (connectors.isEmpty ? "" : " to any of \(connectors.joined(separator: ", "))")
        case .connectorNotConnected(let name):
            "nothing is connected to \(name)"
        case .noSuchConnector(let name, let available):
            "no connector is called \(name)"
                + (available.isEmpty
                    ? "; there is none"
                    : "; there \(available.count == 1 ? "is" : "are") \(available.joined(separator: ", "))")
        case .noSuchMode(let requested, let connector, let available):
            "the display on \(connector) does not offer \(requested)"
                + (available.isEmpty
                    ? "; it offers no mode"
                    : "; it offers \(available.prefix(mostModes).map(\.description).joined(separator: ", "))"
                        + (available.count > mostModes ? " and \(available.count - mostModes) more" : ""))
        case .noCRTC(let card, let connector):
            "\(card) has no CRTC that can drive \(connector)"
        case .noFilmPlane(let card, let connector):
            "\(card) has no plane for \(connector) that takes YU12, NV12, XR24 or AR24"
        case .noOSDPlane(let card, let connector):
            "\(card) has no plane for \(connector) on which the OSD can lie above the film"
        case .displayHeld(let card, let holders):
            "another program holds the display \(card)"
                + (holders.isEmpty ? "" : ": \(holders.map(\.description).joined(separator: ", "))")
        case .notACard(let fileDescriptor):
            "the file descriptor \(fileDescriptor) is not a display card's"
        case .notMaster(let card, let fileDescriptor):
            "the file descriptor \(fileDescriptor) of \(card) is neither a DRM lease in force nor the card's master"
        case .displayRestored:
            "the display was given back to the console already"
        case .unreadableFramebuffer(let plane, let format, let modifier):
            "the framebuffer on plane \(plane) cannot be read: format \(format), modifier 0x\(String(modifier, radix: 16))"
        case .unsupported(let what):
            what
        case .timedOut(let operation, let object, let milliseconds):
            "\(operation) on \(object) did not end within \(milliseconds) ms"
        case .systemCall(let operation, let object, let code):
            "\(operation) on \(object) failed: \(Self.text(ofErrno: code)) (\(code))"
        }
    }

    /// The person's remedy, as a sentence.
    public var remedy: String {
        switch self {
        case .noCard:
            "Load the display's kernel driver (on a Raspberry Pi: dtoverlay=vc4-kms-v3d in config.txt), then see "
                + "`ls /dev/dri`. On a desktop, play in a window: --output window, or PlayerOptions.window."
        case .noPermission(_, let group):
            "Add the user to the group: `sudo usermod -aG \(group) $USER`, then log in again. A systemd unit with "
                + "DeviceAllow= must name char-drm, and have the driver loaded before it starts."
        case .noConnectedDisplay:
            "Connect a display and switch it on."
        case .connectorNotConnected(let name):
            "Connect a display to \(name) and switch it on, or choose another with --connector."
        case .noSuchConnector:
            "Name one of the connectors that exist; `vitrine displays` lists them."
        case .noSuchMode:
            "Name one of the modes that the display offers; `vitrine displays` lists them."
        case .noCRTC:
            "Disconnect another display from the same card, or choose another connector with --connector."
        case .noFilmPlane:
            "Choose a connector of another card with --connector; `vitrine displays` lists the planes of each."
        case .noOSDPlane:
            "Leave it to the display with --osd automatic, or let the OSD be drawn into the film with --osd composited."
        case .displayHeld(_, let holders):
            holders.isEmpty
                ? "End the other program; run `sudo fuser -v /dev/dri/card*` to see which it is."
                : "End \(holders.map(\.name).joined(separator: ", ")) (a desktop: `sudo systemctl isolate multi-user.target`)."
        case .notACard:
            "Hand over an open DRM lease, and see that the program which starts this one does not close it."
        case .notMaster:
            "Let the compositor lend the connector again (wp_drm_lease_v1), and switch to its console if it is not shown."
        case .displayRestored:
            "Open the display again."
        case .unreadableFramebuffer:
            "Play with a software decoder to take pictures of the screen on this board."
        case .unsupported:
            "Run `vitrine displays` to see what this display can do."
        case .timedOut:
            "Try again; if it stays, look for the display driver's messages with `dmesg`."
        case .systemCall:
            "Look for the display driver's messages with `dmesg`."
        }
    }

    static func text(ofErrno code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "unknown error"
    }
}
