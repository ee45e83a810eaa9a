import Console
import Dispatch
import Logging

/// The console's part in a film: taken once there is a frame, because starting the guard takes a small board as long as
/// half a film's start, and given back at the end.
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

    /// The first time counts; returns at once. A console that cannot be taken is no reason not to show the film.
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

    /// After the display was given back. Waits for a taking that is under way; nothing is taken any more.
    func giveBack() {
        queue.sync {
            isDone = true
            do throws(ConsoleError) { try console?.restore() } catch { log.error("the console is not back: \(error)") }
            console = nil
        }
    }
}
