internal import PlayerCore
internal import Synchronization

/// The encoding in which the plane reads a film's YCbCr. A preloaded film only remembers it until it owns the plane.
///
/// Threads: the streaming thread that handles new caps, and the film's worker; both may wait for a flip.
final class PlaneColor: Sendable {
    private struct State {
        var holdsPreroll: Bool
        var color: FilmColor?
    }

    private let set: @Sendable (FilmColor) -> Void
    private let state: Mutex<State>
    /// The plane's current encoding. Locked while it is set, so that the newest one is set last.
    private let applied = Mutex<FilmColor?>(nil)

    init(holdsPreroll: Bool, set: @escaping @Sendable (FilmColor) -> Void) {
        self.set = set
        state = Mutex(State(holdsPreroll: holdsPreroll))
    }

    func report(_ color: FilmColor) {
        state.withLock { $0.color = color }
        apply()
    }

    func takePlane() {
        state.withLock { $0.holdsPreroll = false }
        apply()
    }

    private func apply() {
        applied.withLock { applied in
            guard let color = state.withLock({ $0.holdsPreroll ? nil : $0.color }), color != applied else { return }
            set(color)
            applied = color
        }
    }
}
