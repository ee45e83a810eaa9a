internal import PlayerCore
internal import Synchronization

/// How the plane is to read a film's YCbCr. One that is held keeps it to itself until the plane is its own.
///
/// Threads: the streaming thread that meets new caps, and the film's worker; both may wait for a flip.
final class PlaneColor: Sendable {
    private struct State {
        var holdsPreroll: Bool
        var color: FilmColor?
    }

    private let set: @Sendable (FilmColor) -> Void
    private let state: Mutex<State>
    /// The color that the plane has. Held while a color is set, so that the newest is set last.
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
