/// Chooses the route of the sound as routes appear, vanish and fail.
///
/// A failed route is avoided until something changes, a busy one, or one without its server, for `patience`. Then it is tried again.
public struct SoundRouter: Sendable {
    /// Why a route failed.
    public enum Failure: Hashable, Sendable {
        /// The route does not open, most likely because another program uses it.
        case busy
        /// The route is a sound server's, and does not open, most likely because the server does not run.
        case noServer
        /// The driver or the sound server does not answer.
        case hangs
        /// The route opens, but accepts no sound, or not the film's format.
        case refuses
        /// The route vanished while it played.
        case lost
    }

    public var preference: SoundPreference
    /// The connector of the display that shows the film.
    public var connector: String?
    public private(set) var routes: [SoundRoute] = []
    /// When each avoided route is tried again, by ALSA's name; `nil`: once something changes.
    private var avoided: [String: MonotonicTime?] = [:]

    /// How long a busy route is avoided.
    public static let patience = Duration.seconds(15)

    public init(_ preference: SoundPreference = .automatic) {
        self.preference = preference
    }

    public var selection: SoundSelection {
        preference.select(from: routes, connector: connector, avoiding: Set(avoided.keys))
    }

    /// Takes a new list of routes. Forgets all failures, because cards or displays have changed.
    public mutating func list(_ routes: [SoundRoute]) {
        self.routes = routes
        avoided = [:]
    }

    /// - Parameter device: ALSA's name.
    public mutating func fail(_ device: String, _ failure: Failure, at now: MonotonicTime) {
        avoided[device] = failure == .busy || failure == .noServer ? .some(now + Self.patience) : .some(nil)
    }

    /// When the next route is tried again.
    public var deadline: MonotonicTime? { avoided.values.compactMap { $0 }.min() }

    public mutating func wake(at now: MonotonicTime) {
        avoided = avoided.filter { $0.value.map { $0 > now } ?? true }
    }
}

extension SoundRouter.Failure: CustomStringConvertible {
    /// A clause.
    public var description: String {
        switch self {
        case .busy: "it does not open; another program may have it"
        case .noServer: "it does not open; PipeWire may have ended"
        case .hangs: "it does not answer"
        case .refuses: "it refuses the sound"
        case .lost: "it went away"
        }
    }
}
