internal import CInput
public import PlayerCore

/// A touch panel's description for people.
public struct PanelDescription: Hashable, Sendable {
    /// The kernel's name.
    public var name: String
    /// `/dev/input/event3`
    public var node: String
    public var millimetres: TouchPanel.Size?
    /// udev's `WL_OUTPUT`: the connector it belongs to.
    public var output: String?
    /// The current `LIBINPUT_CALIBRATION_MATRIX` of udev: two rows of three, translations in sizes of the panel; `nil`
    /// if touches are not transformed.
    public var calibration: [Float]?
    /// Why the panel cannot be used; the fields above are then unknown except for name and node.
    public var failure: TouchError?
}

/// The current panels of this machine.
public enum TouchPanels {
    /// Every touch panel of a seat, including those without permission, in the order of their nodes.
    ///
    /// Opens each panel for a moment, concurrently with its readers. Blocks for some milliseconds; any thread.
    public static func list(seat: String = "seat0", log: TouchLog = .silent) throws(TouchError) -> [PanelDescription] {
        let context = try LibinputContext(seat: seat, log: log)
        var panels: [PanelDescription] = []
        try context.dispatch { event in
            guard libinput_event_get_type(event) == LIBINPUT_EVENT_DEVICE_ADDED else { return }
            let device = PanelDevice(of: event)
            guard device.isTouchscreen else { return }
            panels.append(
                PanelDescription(
                    name: device.name, node: device.node, millimetres: device.millimetres, output: device.output,
                    calibration: device.calibration))
        }
        for case .open(let node, let name, let number) in context.callbacks.takeFailures() {
            panels.append(
                PanelDescription(name: name, node: node, failure: .open(node: node, name: name, errno: number)))
        }
        return panels.sorted { ($0.node.count, $0.node) < ($1.node.count, $1.node) }
    }
}
