import ServiceLifecycle
import Synchronization

/// How much is left of the time that a service manager gives the program's end; after it the manager kills the program.
final class StopClock: Sendable {
    /// The unit's TimeoutStopSec=, less half a second for the console and the program's exit.
    static let limit = Duration.milliseconds(4500)
    /// The player's tear down takes so long at most.
    private static let tearDown = Duration.seconds(4)

    private let began = Mutex<ContinuousClock.Instant?>(nil)

    /// The end was asked for; the first time counts.
    func begin(at now: ContinuousClock.Instant = .now) {
        began.withLock { $0 = $0 ?? now }
    }

    /// An end that the player brought about itself began with its tear down.
    func left(at now: ContinuousClock.Instant = .now) -> Duration {
        let passed = began.withLock { $0 }.map { now - $0 } ?? Self.tearDown
        return max(Self.limit - passed, .zero)
    }
}

/// A service whose end `clock` measures.
struct ClockedService<Base: Service>: Service {
    let base: Base
    let clock: StopClock

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await base.run()
        } onGracefulShutdown: {
            clock.begin()
        }
    }
}
