/// Decides which route the sound goes to, as routes appear, vanish and fail.
///
/// A route that fails is avoided for a while, and until it or its card changes; then it is tried again.
public struct SoundRouter: Sendable {
    /// Why a route failed.
    public enum Failure: Hashable, Sendable {
        /// It does not open: another program has it, most likely. It is tried again after a while; the others are not until something
        /// changes.
        case busy
        /// Its driver, or a server for sound, does not answer.
        case hangs
        /// It opens, and takes no sound, or not the film's.
        case refuses
        /// It went away while it played.
        case lost
    }

    public var preference: SoundPreference
    /// That of the display that shows the film.
    public var connector: String?
    public private(set) var routes: [SoundRoute] = []
    /// Until when each is avoided, by ALSA's name; `nil` until something changes.
    private var avoided: [String: MonotonicTime?] = [:]

    /// How long a busy route is left alone.
    public static let patience = Duration.seconds(15)

    public init(_ preference: SoundPreference = .automatic) {
        self.preference = preference
    }

    public var selection: SoundSelection {
        preference.select(from: routes, connector: connector, avoiding: Set(avoided.keys))
    }

    /// The routes were listed anew, because something happened to sound cards or displays: each may work now.
    public mutating func list(_ routes: [SoundRoute]) {
        self.routes = routes
        avoided = [:]
    }

    /// - Parameter device: ALSA's name.
    public mutating func fail(_ device: String, _ failure: Failure, at now: MonotonicTime) {
        avoided[device] = failure == .busy ? .some(now + Self.patience) : .some(nil)
    }

    /// When a route is to be tried again.
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
        case .hangs: "it does not answer"
        case .refuses: "it refuses the sound"
        case .lost: "it went away"
        }
    }
}
