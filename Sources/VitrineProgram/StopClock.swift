import ServiceLifecycle
import Synchronization

/// Measures the rest of the time that a service manager gives the program's end; after it the manager kills the
/// program.
final class StopClock: Sendable {
    /// The unit's TimeoutStopSec=, less half a second for the console and the program's exit.
    static let limit = Duration.milliseconds(4500)
    private let began = Mutex<ContinuousClock.Instant?>(nil)

    /// Starts the clock when the end is requested; the first call counts.
    func begin(at now: ContinuousClock.Instant = .now) {
        began.withLock { $0 = $0 ?? now }
    }

    /// The time left. The manager does not measure an end that nobody requested: then all of it is left.
    func left(at now: ContinuousClock.Instant = .now) -> Duration {
        let passed = began.withLock { $0 }.map { now - $0 } ?? .zero
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
