internal import Media
internal import PlayerCore
internal import Sound

/// Where the sound of all films goes: which routes there are, and which one is to be used. The loop's own.
final class SoundOutput {
    /// Lists the routes. May block.
    typealias ListRoutes = @Sendable () -> [SoundRoute]

    private(set) var router: SoundRouter
    /// `nil`: the sound goes to ALSA's default, and nothing is followed.
    let list: ListRoutes?
    var places = SoundPlaces(first: Place(), second: Place())
    var monitor: SoundMonitor?
    var serverSearch = ServerSearch.none
    /// The first list is made, which films wait for; `nil` where there is none to be made.
    var listing: Task<Void, Never>?
    var pass = ListPass.idle
    /// When the routes are listed once more: a driver, or a display behind HDMI, may need a moment.
    private(set) var listings: [MonotonicTime] = []
    /// Every route that was listed so far, by ALSA's name: one that has vanished is still spoken of. `nil` before the first list.
    private var everListed: [String: SoundRoute]?
    /// Whether there is a route that was not there, or could not be used, when the film was opened.
    var hasNewRoute = false
    /// Words that no route answers to, as last logged.
    var loggedWords: [String] = []
    /// By ALSA's name, since it was last used.
    var loggedFailures: [String: SoundRouter.Failure] = [:]

    /// Where sound comes out.
    struct Place {
        /// ALSA's name; `nil`: it is not heard.
        var device: String?
        /// The route's name, as last logged.
        var loggedName: String?
    }

    /// Lists are made one after another: of two at once the older one could come last.
    enum ListPass {
        case idle
        /// - Parameter isAgain: something happened since it began.
        case running(Task<Void, Never>, isAgain: Bool)
    }

    /// Looking for a sound server, which nobody reports when it starts.
    enum ServerSearch {
        case none
        /// It is looked for then.
        case expected(at: MonotonicTime)
        case running(Task<Void, Never>)
        case found(PipeWire)
    }

    /// What there is to do at a time.
    enum Duty: Hashable {
        case list, tryAgain, findServer
    }

    init(_ options: PlayerOptions, _ list: ListRoutes?) {
        router = SoundRouter(options.sound)
        // A window's desktop has its own place for that choice, and keeps its cards to itself.
        self.list = options.hasSound && (options.window == nil || options.sound != .automatic) ? list : nil
    }

    /// ALSA's names, the best first; none: the sound does not come out there.
    var devices: SoundPlaces<[String]> {
        guard list != nil else { return SoundPlaces(first: ["default"], second: []) }
        let devices = router.selection.outputs.map { $0.routes.map(\.device) }
        return SoundPlaces(first: devices.first ?? [], second: devices.dropFirst().first ?? [])
    }

    var deadline: MonotonicTime? { [listings.first, router.deadline, serverDue].compactMap { $0 }.min() }

    var routes: [SoundRoute] { router.routes }

    /// `nil` where none was found.
    var server: PipeWire? { if case .found(let server) = serverSearch { server } else { nil } }

    /// The search that goes on.
    var findingServer: Task<Void, Never>? { if case .running(let task) = serverSearch { task } else { nil } }

    private var serverDue: MonotonicTime? { if case .expected(let time) = serverSearch { time } else { nil } }

    var isListed: Bool { everListed != nil }

    /// By ALSA's name. Where nothing is listed it is ALSA's default.
    func route(of device: String) -> SoundRoute {
        everListed?[device]
            ?? (device == SoundRoute.configured.device
                ? .configured : SoundRoute(device: device, name: device, kind: .other))
    }

    /// For people.
    func name(of device: String) -> String { route(of: device).name }

    func prefer(_ preference: SoundPreference) { router.preference = preference }

    func show(on connector: String?) { router.connector = connector }

    func fail(_ device: String, _ failure: SoundRouter.Failure, at now: MonotonicTime) {
        router.fail(device, failure, at: now)
    }

    /// - Returns: whether the list is another one than before.
    func take(_ routes: [SoundRoute]) -> Bool {
        let isFirst = everListed == nil
        everListed = (everListed ?? [:]).merging(routes.map { ($0.device, $0) }) { _, new in new }
        let (before, usable) = (router.routes, Set(router.routes.filter(\.isUsable).map(\.id)))
        router.list(routes)
        if routes.contains(where: { $0.isUsable && !usable.contains($0.id) }) { hasNewRoute = true }
        return isFirst || routes != before
    }

    /// Something happened to cards or displays.
    func expectChanges(at now: MonotonicTime) {
        listings = [now, now + .milliseconds(500), now + .milliseconds(2500)]
    }

    /// The routes of the sound server are gone with it.
    func leave() {
        router.list(router.routes.filter { !$0.isServers })
        for place in SoundPlace.allCases { places[place].device = nil }
    }

    /// Whether the sound goes to the sound server now.
    var isAtServer: Bool {
        SoundPlace.allCases.contains { place in places[place].device.map { route(of: $0).isServers } ?? false }
    }

    /// Something is asked for that is not there: a sound server may have it, and is looked for until it is there.
    func expectServer(at now: MonotonicTime) {
        guard server == nil, findingServer == nil else { return }
        let isWanted = isListed && router.preference.allowsExternal && !router.selection.unknownWords.isEmpty
        serverSearch = isWanted ? .expected(at: serverDue ?? now + Self.serverPause) : .none
    }

    private static let serverPause = Duration.seconds(10)

    /// What is due.
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
