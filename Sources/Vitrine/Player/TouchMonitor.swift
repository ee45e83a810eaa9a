internal import Dispatch
internal import Glibc
public import PlayerCore
internal import Touch

/// Prints events of fingers and of the slider: `vitrine touch`.
public actor TouchMonitor {
    private nonisolated let executor = LoopExecutor()
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let layout: OSDLayout
    private var slider = Slider()

    /// Creates a monitor; `run` starts reading.
    public init(layout: OSDLayout) {
        self.layout = layout
    }

    /// Reads until the task is cancelled or the panels cannot be read any more.
    public func run(seat: String) async {
        do throws(TouchError) {
            let reader = try TouchReader(seat: seat, queue: executor.queue)
            for await item in reader.news { report(item) }
            reader.stop()
        } catch {
            write("\(error)")
        }
    }

    private func report(_ news: TouchNews) {
        switch news {
        case .failure(let error): write("\(error)")
        case .event(let event):
            if let line = Self.line(of: event) { write(line) }
            for output in slider.handle(event, layout: layout, isBarVisible: true, hasBar: true) {
                switch output {
                case .slider(let event): write("    slider: \(Self.line(of: event))")
                case .tap: write("    tap on the film")
                case .touched, .void: break
                }
            }
        }
    }

    private static func line(of event: TouchEvent) -> String? {
        func place(_ name: String, _ finger: Finger) -> String {
            "finger \(finger.slot) \(name)  x \(rounded(finger.x))  y \(rounded(finger.y))"
        }
        return switch event {
        case .down(let finger): place("down", finger)
        case .motion(let finger): place("motion", finger)
        case .up(let finger): place("up", finger)
        case .cancel(let finger): place("cancel", finger)
        case .panelAdded(let panel):
            "panel added: \(panel.name) (\(panel.systemName))" + (panel.output.map { ", of the display \($0)" } ?? "")
        case .panelRemoved(let panel): "panel removed: \(panel.name) (\(panel.systemName))"
        case .frame: nil
        }
    }

    private static func line(of event: SliderEvent) -> String {
        switch event {
        case .touchDown(let value, _): "touch-down \(rounded(value))"
        case .valueChanged(let value, _): "value-changed \(rounded(value))"
        case .touchUp(let value, _): "touch-up \(rounded(value))"
        case .cancel: "cancel"
        }
    }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

    private func write(_ line: String) {
        // All open streams: `stdout` itself is a mutable global that Swift 6 does not let us name.
        print(line)
        fflush(nil)
    }
}
