public import PlayerCore

/// Support for visits: the use of fingers, a menu, and preloaded films. `Visit` decides, `news()` reports
/// (`PlayerNews.touch`).
extension Player {
    /// Sets the use of fingers on the screen; initially `.controls`. Fingers that are down at the change do nothing
    /// more. A menu that a film was chosen from stays on the screen until that film is shown, for a second at most.
    public func setTouchUse(_ use: TouchUse) { core.send(.touch(use)) }

    /// Makes the posters and letters of a menu in advance, so that a touch need not wait for them.
    public func prepareMenu(_ content: FilmMenu.Content) { core.send(.prepareMenu(content)) }

    /// Preloads an item up to its first frame, so that it appears a frame or two after it is requested: for an item
    /// that a viewer may choose at any moment. One item at a time: another one, or `nil`, replaces it, and opening it
    /// ends the preload. It costs a second pipeline's memory. Not for remote items, or for a hardware decoder that only
    /// one film can use at a time.
    public func preload(_ item: PlayerItem?) { core.send(.preload(item?.request)) }
}
