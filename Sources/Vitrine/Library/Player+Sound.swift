public import PlayerCore

/// Where the sound comes out. A film plays on while that changes.
extension Player {
    /// Where sound can come out, those that cannot be used now, too (`SoundRoute.problem`). Listed, and followed as devices come and go,
    /// from the first item on; until then, in a window that follows its desktop, and where `PlayerOptions.hasSound` is `false`,
    /// there is none.
    public var routes: [SoundRoute] { core.routes.now ?? [] }

    /// `routes` of now, then each change.
    public var routesUpdates: AsyncStream<[SoundRoute]> { core.routes.stream() }

    /// Where the sound of the current item comes out; `nil`: it is not heard.
    public var currentRoute: SoundRoute? { core.currentRoutes.now ?? nil }

    /// `currentRoute` of now, then each change.
    public var currentRouteUpdates: AsyncStream<SoundRoute?> { core.currentRoutes.stream() }

    /// Where the sound is to come out. Where that is not there, or fails, it comes out of the next best until it is back.
    public var sound: SoundPreference {
        get { core.read(\.sound) }
        set { core.command(.setSound(newValue)) }
    }

    /// Lets the sound come out there from now on; `nil`: where the player chooses. It need not be there yet.
    public func selectRoute(_ route: SoundRoute?) { sound.words = route.map { [$0.id] } ?? [] }

    /// Whether sound may go to speakers on a network and to those of Bluetooth, and to what a sound server chooses, which may be one;
    /// `true` at first. The player chooses none of them by itself.
    public var allowsExternalPlayback: Bool {
        get { sound.allowsExternal }
        set { sound.allowsExternal = newValue }
    }
}
