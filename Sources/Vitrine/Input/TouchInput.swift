internal import Dispatch
internal import KMS
internal import Logging
internal import Media
internal import PlayerCore
internal import Synchronization
internal import Touch

/// The touch panels and the window's pointer: which fingers are this display's. The loop's own.
final class TouchInput {
    private(set) var reader: TouchReader?
    /// What fingers do.
    let visit = VisitTouch()
    private var isOpening = false
    private var panels: [TouchPanel.ID: TouchPanel] = [:]
    /// Fingers on panels of other displays.
    private var foreignSlots: Set<Int32> = []
    private var windowFingers = WindowFingers()
    /// The panel that was asked for: a part of its name, or its node.
    private let wanted: String?
    private let log: Logger

    init(wanted: String?, log: Logger) {
        self.wanted = wanted
        self.log = log
    }

    var isOpen: Bool { reader != nil || isOpening }

    /// Where the processor is busy, fingers' moves may be late, and a finger only seems to rest.
    var hasUnreadNews: Bool { reader?.hasUnreadNews == true }

    func beginOpening() { isOpening = true }

    /// - Parameter reader: `nil` where there is nothing to read.
    func endOpening(_ reader: TouchReader?) {
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

    // MARK: Whose fingers

    /// Notes panels, and drops what fingers on other displays' panels do.
    /// - Parameters:
    ///   - connector: the name of our display's connector; `nil` without a display.
    func concernsUs(_ event: TouchEvent, connector: String?) -> Bool {
        switch event {
        case .panelAdded(let panel):
            panels[panel.id] = panel
            if !isOurs(panel, connector) { log.info("touch panel \"\(panel.name)\" belongs to another display") }
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

    /// Whether a panel's fingers mean this display: `--touch`, or udev's `WL_OUTPUT`.
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

    /// A film's window goes with it, and the fingers on it.
    func cancelWindow(at now: MonotonicTime) -> [TouchEvent] { windowFingers.cancel(at: now) }
}
