internal import Synchronization

/// Shows the OSD surface on a display that has no plane for it: in the film's frames, or, without a film, on the
/// background.
///
/// Threads: any that may wait for a flip, except that `film`'s setter never waits.
public final class OSDCompositor: Sendable {
    private struct State {
        var surface: OSDSurface?
        var film: FilmPipeline?
        /// Called for new surfaces by an object that covers the film and blends the surface itself.
        var follower: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    /// Serializes the surfaces on their way to the screen.
    private let order = Mutex(())
    private let background: @Sendable (OSDSurface?) -> Void

    /// - Parameter background: shows the surface, or none, where there is no film; called on the threads that call this
    ///   object.
    public init(background: @escaping @Sendable (OSDSurface?) -> Void) {
        self.background = background
    }

    /// Sets the film that is on the screen, or will be. Call `refresh` afterwards.
    public func use(_ film: FilmPipeline?) {
        state.withLock { $0.film = film }
    }

    /// Shows the current state.
    public func refresh() {
        order.withLock { _ in
            let now = state.withLock { $0 }
            // The background too: it is visible until the film's first frame, and after the film ends.
            if now.film?.show(now.surface) != true { background(now.surface) }
        }
    }

    /// The current surface.
    public var surface: OSDSurface? { state.withLock { $0.surface } }

    /// Sets the observer of new surfaces, on the overlay's streaming thread; `nil` for none. One more call to the old
    /// observer may arrive after this returns.
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
