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
    /// ALSA's name of where the sound comes out; `nil`: it is not heard.
    var device: String?
    /// The same of the second place.
    var secondDevice: String?
    var monitor: SoundMonitor?
    /// `nil` where none runs.
    var server: PipeWire?
    /// The first list is made, which films wait for; `nil` where there is none to be made.
    var listing: Task<Void, Never>?
    /// When the routes are listed once more: a driver, or a display behind HDMI, may need a moment.
    private(set) var listings: [MonotonicTime] = []
    /// Whether there is a route that was not there, or could not be used, when the film was opened.
    var hasNewRoute = false
    /// Words that no route answers to, as last logged.
    var loggedWords: [String] = []
    /// The routes, as last logged.
    var loggedRoute: String?
    var loggedSecond: String?
    /// By ALSA's name, since it was last used.
    var loggedFailures: [String: SoundRouter.Failure] = [:]

    init(_ options: PlayerOptions, _ list: ListRoutes?) {
        router = SoundRouter(options.sound)
        // A window's desktop has its own place for that choice, and keeps its cards to itself.
        self.list = options.hasSound && (options.window == nil || options.sound != .automatic) ? list : nil
    }

    /// ALSA's names, the best first.
    var devices: [String] {
        guard list != nil else { return ["default"] }
        return router.selection.outputs.first?.routes.map(\.device) ?? []
    }

    /// As these, of where the sound comes out besides; empty: nowhere.
    var secondDevices: [String] {
        guard list != nil else { return [] }
        return router.selection.outputs.dropFirst().first?.routes.map(\.device) ?? []
    }

    var deadline: MonotonicTime? { [listings.first, router.deadline].compactMap { $0 }.min() }

    var routes: [SoundRoute] { router.routes }

    /// For people.
    func name(of device: String) -> String { routes.first { $0.device == device }?.name ?? device }

    func prefer(_ preference: SoundPreference) { router.preference = preference }

    func show(on connector: String?) { router.connector = connector }

    func fail(_ id: String, _ failure: SoundRouter.Failure, at now: MonotonicTime) { router.fail(id, failure, at: now) }

    func take(_ routes: [SoundRoute]) {
        let before = Set(router.routes.filter(\.isUsable).map(\.id))
        router.list(routes)
        if routes.contains(where: { $0.isUsable && !before.contains($0.id) }) { hasNewRoute = true }
    }

    /// Something happened to cards or displays.
    func expectChanges(at now: MonotonicTime) {
        listings = [now, now + .milliseconds(500), now + .milliseconds(2500)]
    }

    /// The routes of the sound server are gone with it.
    func leave() {
        router.list(router.routes.filter { !SoundRoute.isServer($0.device) })
        device = nil
        secondDevice = nil
    }

    /// Whether the sound goes to the sound server now.
    var isAtServer: Bool { [device, secondDevice].contains { $0.map(SoundRoute.isServer) ?? false } }

    /// Something is asked for that is not there: a sound server, which nobody reports when it starts, may have it.
    func expectServer(at now: MonotonicTime) {
        guard server == nil, listings.isEmpty, !router.selection.unknownWords.isEmpty else { return }
        listings = [now + .seconds(10)]
    }

    /// - Returns: whether the routes are to be listed now.
    func wake(at now: MonotonicTime) -> Bool {
        router.wake(at: now)
        let isDue = listings.first.map { $0 <= now } ?? false
        listings.removeAll { $0 <= now }
        return isDue
    }
}
