internal import Dispatch
internal import KMS
internal import Logging
internal import Media
internal import PlayerCore
internal import Synchronization
internal import Touch

/// The touch panels and the window's pointer, and which fingers belong to this display. Belongs to the loop.
final class TouchInput {
    private(set) var reader: TouchReader?
    /// The use of fingers.
    let visit = VisitTouch()
    private var isOpening = false
    private var panels: [TouchPanel.ID: TouchPanel] = [:]
    /// The fingers on panels of other displays.
    private var foreignSlots: Set<Int32> = []
    private var windowFingers = WindowFingers()
    /// The requested panel: a part of its name, or its node.
    private let wanted: String?
    private let log: Logger

    init(wanted: String?, log: Logger) {
        self.wanted = wanted
        self.log = log
    }

    var isOpen: Bool { reader != nil || isOpening }

    /// Whether events of fingers are unread. On a busy processor a finger may only seem to rest.
    var hasUnreadNews: Bool { reader?.hasUnreadNews == true }

    func willOpen() { isOpening = true }

    /// - Parameter reader: `nil` if there is nothing to read.
    func didOpen(_ reader: TouchReader?) {
        isOpening = false
        self.reader = reader
    }

    func close() {
        reader?.stop()
        reader = nil
    }

    /// The panel's name, for the log.
    func name(of panel: TouchPanel.ID) -> String {
        panels[panel].map { "\"\($0.name)\" (\($0.systemName))" } ?? "the window"
    }

    // MARK: Fingers of this display

    /// Notes panels, and filters out fingers on other displays' panels.
    /// - Parameters:
    ///   - connector: the name of this display's connector; `nil` without a display.
    func concernsUs(_ event: TouchEvent, connector: String?) -> Bool {
        switch event {
        case .panelAdded(let panel):
            panels[panel.id] = panel
            if !isOurs(panel, connector) {
                if let wanted {
                    log.warning(
                        "touch panel \"\(panel.name)\" (\(panel.systemName)) is not used: \"\(wanted)\" is asked for")
                } else {
                    log.info("touch panel \"\(panel.name)\" belongs to another display")
                }
            }
            return true
        case .panelRemoved(let panel):
            panels[panel.id] = nil
            return true
        case .down(let finger):
            guard let panel = panels[finger.panel], !isOurs(panel, connector) else { return true }
            foreignSlots.insert(finger.slot)
            return false
        case .motion(let finger): return !foreignSlots.contains(finger.slot)
        case .up(let finger), .cancel(let finger): return foreignSlots.remove(finger.slot) == nil
        case .frame: return true
        }
    }

    /// Whether a panel belongs to this display, by `--touch` or udev's `WL_OUTPUT`.
    private func isOurs(_ panel: TouchPanel, _ connector: String?) -> Bool {
        if let wanted {
            let nodes = [panel.systemName, "/dev/input/\(panel.systemName)"]
            return nodes.contains(wanted) || panel.name.lowercased().contains(wanted.lowercased())
        }
        guard let output = panel.output, let connector else { return true }
        return output == connector
    }

    // MARK: The window

    /// The mouse, or a finger on the window.
    func handle(_ pointer: WindowPointer, at now: MonotonicTime) -> [TouchEvent] {
        windowFingers.handle(pointer, at: now)
    }

    /// Cancels the fingers on a film's window, which closes with the film.
    func cancelWindow(at now: MonotonicTime) -> [TouchEvent] { windowFingers.cancel(at: now) }
}
