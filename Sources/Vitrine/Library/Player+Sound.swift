public import PlayerCore

/// Sound routes. The film continues while the route changes.
extension Player {
    /// All routes of sound, unusable ones included (`SoundRoute.problem`). The list follows devices as they appear and vanish.
    /// It is empty before the first item, in a window that follows its desktop, and if `PlayerOptions.hasSound` is `false`.
    public var routes: [SoundRoute] { core.routes.now ?? [] }

    /// The current `routes`, then each change.
    public var routesUpdates: AsyncStream<[SoundRoute]> { core.routes.stream() }

    /// The route of the current item's sound; `nil` if it is not heard.
    public var currentRoute: SoundRoute? { core.currentRoutes.now ?? nil }

    /// The current `currentRoute`, then each change.
    public var currentRouteUpdates: AsyncStream<SoundRoute?> { core.currentRoutes.stream() }

    /// The wanted route. While it is missing or fails, the next best one is used.
    public var sound: SoundPreference {
        get { core.read(\.sound) }
        set { core.command(.setSound(newValue)) }
    }

    /// Selects a route; `nil`: the player chooses. The route need not exist yet.
    public func selectRoute(_ route: SoundRoute?) { sound.words = route.map { [$0.word] } ?? [] }

    /// Whether sound may go to loudspeakers on a network or by Bluetooth, and to the sink that PipeWire chooses, which may be
    /// one; `true` by default. The player chooses none of them by itself. ALSA's default is not used where PipeWire receives its
    /// sound and may choose such a loudspeaker.
    public var allowsExternalPlayback: Bool {
        get { sound.allowsExternal }
        set { sound.allowsExternal = newValue }
    }
}
