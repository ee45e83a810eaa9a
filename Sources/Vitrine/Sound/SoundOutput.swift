internal import Media
internal import PlayerCore
internal import Sound

/// The routes of sound, and which ones are used. Only the player's loop uses it.
final class SoundOutput {
    /// Lists the routes. May block.
    typealias ListRoutes = @Sendable () -> [SoundRoute]

    private(set) var router: SoundRouter
    private let ownList: ListRoutes?
    private let isInWindow: Bool
    var places = SoundPlaces(first: Place(), second: Place())
    var monitor: SoundMonitor?
    private var serverSearch = ServerSearch.none
    /// Makes the first list, which films wait for; `nil` if there is no list to make.
    var listing: Task<Void, Never>?
    var listRun = ListRun.idle
    /// When the routes are listed again: a driver or an HDMI display may need a moment after an event.
    private(set) var listings: [MonotonicTime] = []
    /// All routes ever listed, by ALSA's name, because messages also name routes that have vanished. `nil` before the first
    /// list.
    private var everListed: [String: SoundRoute]?
    /// Whether a route has become usable since the film was opened.
    private(set) var hasNewRoute = false
    /// Words that match no route, as last logged.
    var loggedWords: [String] = []
    /// Failures since each route was last used, by ALSA's name.
    var failures: [String: SoundRouter.Failure] = [:]

    /// A place where sound comes out.
    struct Place {
        /// ALSA's name of the device; `nil` if the sound is not heard.
        var device: String?
        /// The route's name, as last logged.
        var loggedName: String?
    }

    /// Lists are made one after another. Of two at once, the older one could arrive last.
    enum ListRun {
        case idle
        /// - Parameter isAgain: whether routes have changed since the list was begun.
        case running(Task<Void, Never>, isAgain: Bool)
    }

    /// The search for a sound server, whose start is not reported by any event.
    private enum ServerSearch {
        case none
        /// The next attempt is at that time.
        case expected(at: MonotonicTime)
        case running(Task<Void, Never>)
        case found(PipeWire)
    }

    /// A piece of work that is due.
    enum Duty: Hashable {
        case list, tryAgain, findServer
    }

    init(_ options: PlayerOptions, _ list: ListRoutes?) {
        router = SoundRouter(options.sound)
        ownList = options.hasSound ? list : nil
        isInWindow = options.window != nil
    }

    /// `nil` if the sound goes to ALSA's default and no routes are followed: in a window, the desktop chooses the sound's output and
    /// keeps the cards to itself.
    var list: ListRoutes? { isInWindow && router.preference == .automatic ? nil : ownList }

    /// ALSA's names of each place's devices, the best first; empty if a place is not used.
    var devices: SoundPlaces<[String]> {
        guard list != nil else { return SoundPlaces(first: ["default"], second: []) }
        let devices = router.selection.outputs.map { $0.routes.map(\.device) }
        return SoundPlaces(first: devices.first ?? [], second: devices.dropFirst().first ?? [])
    }

    /// ALSA's names of the routes that must not be heard.
    var forbidden: Set<String> {
        Set((everListed ?? [:]).values.filter { router.preference.permitted([$0]).isEmpty }.map(\.device))
    }

    var deadline: MonotonicTime? { [listings.first, router.deadline, serverDue].compactMap { $0 }.min() }

    var routes: [SoundRoute] { router.routes }

    /// The server that was found, if any.
    var server: PipeWire? { if case .found(let server) = serverSearch { server } else { nil } }

    /// The running search, if any.
    var findingServer: Task<Void, Never>? { if case .running(let task) = serverSearch { task } else { nil } }

    private var serverDue: MonotonicTime? { if case .expected(let time) = serverSearch { time } else { nil } }

    var isListed: Bool { everListed != nil }

    /// Finds a route by ALSA's name. The name "default" is always known.
    func route(of device: String) -> SoundRoute {
        everListed?[device]
            ?? (device == SoundRoute.configured.device
                ? .configured : SoundRoute(device: device, name: device, kind: .other))
    }

    /// The route's name for people.
    func name(of device: String) -> String { route(of: device).name }

    func prefer(_ preference: SoundPreference) {
        let wasSilent = devices.first.isEmpty
        router.preference = preference
        if wasSilent, !devices.first.isEmpty { hasNewRoute = true }
    }

    func show(on connector: String?) { router.connector = connector }

    func fail(_ device: String, _ failure: SoundRouter.Failure, at now: MonotonicTime) {
        router.fail(device, failure, at: now)
    }

    /// Takes a new list of routes.
    /// - Returns: whether the list has changed.
    func take(_ routes: [SoundRoute]) -> Bool {
        let isFirst = everListed == nil
        everListed = (everListed ?? [:]).merging(routes.map { ($0.device, $0) }) { _, new in new }
        let (before, usable) = (router.routes, usable)
        router.list(routes)
        if !self.usable.isSubset(of: usable) { hasNewRoute = true }
        return isFirst || routes != before
    }

    /// The ids of the routes that may be used, and can be.
    private var usable: Set<String> {
        Set(router.preference.permitted(router.routes).filter(\.isUsable).map(\.id))
    }

    /// Notes that a film is opened with the current routes. Its second place is not open yet.
    func filmIsOpened() {
        hasNewRoute = false
        places.second.device = nil
    }

    /// Schedules new lists after a change of cards or displays.
    func expectChanges(at now: MonotonicTime) {
        listings = [now, now + .milliseconds(500), now + .milliseconds(2500)]
    }

    /// Removes the routes of a sound server that has ended.
    func leave() {
        router.list(router.routes.filter { !$0.isServers })
        for place in SoundPlace.allCases { places[place].device = nil }
    }

    /// Whether a sound server may have what the preference lacks: a route that a word names, or the sink of ALSA's default, which
    /// is forbidden while that is unknown.
    var needsServer: Bool {
        !router.selection.unknownWords.isEmpty
            || !router.preference.allowsExternal && routes.contains { $0.kind == .configured && $0.isExternal }
    }

    /// Schedules a search for a sound server while it is needed, and while a route is silent whose server may have ended: ALSA's
    /// default, as `pipewire-alsa` of Debian configures it.
    func expectServer(at now: MonotonicTime) {
        guard server == nil, findingServer == nil else { return }
        let isWanted = isListed && (needsServer || failures.values.contains { $0 == .noServer || $0 == .hangs })
        serverSearch = isWanted ? .expected(at: serverDue ?? now + Self.serverPause) : .none
    }

    private static let serverPause = Duration.seconds(10)

    /// Notes a search that has begun.
    func search(_ task: Task<Void, Never>) { serverSearch = .running(task) }

    /// Notes the result of the search; `nil` for no server.
    func found(_ server: PipeWire?) {
        if let server { serverSearch = .found(server) } else { serverSearch = .none }
    }

    /// Forgets a server that has ended.
    func forgetLostServer() {
        if server?.isLost == true { serverSearch = .none }
    }

    /// Stops following cards and servers.
    func close() {
        monitor = nil
        serverSearch = .none
    }

    /// Returns the work that is due.
    func wake(at now: MonotonicTime) -> Set<Duty> {
        var due: Set<Duty> = []
        if router.deadline.map({ $0 <= now }) ?? false { due.insert(.tryAgain) }
        router.wake(at: now)
        if listings.first.map({ $0 <= now }) ?? false { due.insert(.list) }
        listings.removeAll { $0 <= now }
        if let serverDue, serverDue <= now {
            serverSearch = .none
            due.insert(.findServer)
        }
        return due
    }
}
