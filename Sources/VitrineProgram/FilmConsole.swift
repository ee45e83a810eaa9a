import Console
import Dispatch
import Logging

/// The console during a film. It is taken once there is a frame, because starting the guard takes a small board as long
/// as half a film's start, and restored at the end.
///
/// `@unchecked Sendable` because all mutable state is confined to its queue.
final class FilmConsole: @unchecked Sendable {
    private let keyboardStaysOn: Bool
    private let log: Logger
    private let queue = DispatchQueue(label: "vitrine.console", qos: .utility)
    private var console: Console?
    private var isDone = false

    init(keyboardStaysOn: Bool, _ log: Logger) {
        self.keyboardStaysOn = keyboardStaysOn
        self.log = log
    }

    /// Takes the console, at the first call; returns at once. A failure does not keep the film from being shown.
    func take() {
        queue.async { [self] in
            guard !isDone else { return }
            isDone = true
            do throws(ConsoleError) {
                console = try Console.take(keyboardStaysOn: keyboardStaysOn, guardedBy: ConsoleGuardCommand.arguments)
                log.debug("\(console.map { "the console is \($0.before.terminal)" } ?? "no console to take")")
            } catch {
                log.warning("the console stays as it is: \(error)")
            }
        }
    }

    /// Restores the console, after the display was restored. Waits for a pending take; later takes do nothing.
    func giveBack() {
        queue.sync {
            isDone = true
            do throws(ConsoleError) { try console?.restore() } catch { log.error("the console is not back: \(error)") }
            console = nil
        }
    }
}
