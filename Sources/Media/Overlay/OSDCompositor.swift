internal import Synchronization

/// Brings the OSD surface to a display that has no plane for it: into the film's frames, or, while there is none, onto
/// what lies below.
///
/// Threads: any that may wait for a flip, but `film`'s setter, which never waits.
public final class OSDCompositor: Sendable {
    private struct State {
        var surface: OSDSurface?
        var film: FilmPipeline?
        /// Whoever covers the film, and blends the surface in itself.
        var follower: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    /// One surface after another reaches the screen.
    private let order = Mutex(())
    private let background: @Sendable (OSDSurface?) -> Void

    /// - Parameter background: shows the surface, or none, where no film is; called on the threads that call this object.
    public init(background: @escaping @Sendable (OSDSurface?) -> Void) {
        self.background = background
    }

    /// The film that is on the screen, or will be. `refresh` is to follow.
    public func use(_ film: FilmPipeline?) {
        state.withLock { $0.film = film }
    }

    /// Shows what holds now.
    public func refresh() {
        order.withLock { _ in
            let now = state.withLock { $0 }
            // The background too: until the film's first frame, and when the film goes, it is what is seen.
            if now.film?.show(now.surface) != true { background(now.surface) }
        }
    }

    /// What is to be seen now.
    public var surface: OSDSurface? { state.withLock { $0.surface } }

    /// Hears of each surface from now on, on the overlay's streaming thread; `nil`: nobody does. One may still be told when this has
    /// returned.
    public func observeSurface(with follower: (@Sendable () -> Void)?) {
        state.withLock { $0.follower = follower }
    }

    func show(_ surface: OSDSurface?) {
        let follower = state.withLock { state in
            state.surface = surface
            return state.follower
        }
        follower?()
        refresh()
    }
}
