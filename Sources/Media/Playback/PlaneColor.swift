internal import PlayerCore
internal import Synchronization

/// How the plane is to read a film's YCbCr. One that is held keeps it to itself until the plane is its own.
///
/// Threads: the streaming thread that meets new caps, and the film's worker; both may wait for a flip.
final class PlaneColor: Sendable {
    private struct State {
        var isHeld: Bool
        var color: FilmColor?
    }

    private let set: @Sendable (FilmColor) -> Void
    private let state: Mutex<State>

    init(isHeld: Bool, set: @escaping @Sendable (FilmColor) -> Void) {
        self.set = set
        state = Mutex(State(isHeld: isHeld))
    }

    func tell(_ color: FilmColor) {
        let isNews = state.withLock { state in
            defer { state.color = color }
            return !state.isHeld && state.color != color
        }
        if isNews { set(color) }
    }

    func takePlane() {
        let color = state.withLock { state in
            defer { state.isHeld = false }
            return state.isHeld ? state.color : nil
        }
        if let color { set(color) }
    }
}
