public import PlayerCore

/// Visitors: what fingers do, a menu, and films that are kept ready. `Visit` decides, `news()` reports (`PlayerNews.touch`).
extension Player {
    /// What fingers on the screen do from now on; `.controls` at first. Those that are down by then do nothing more.
    public func setTouchUse(_ use: TouchUse) { core.send(.touch(use)) }

    /// Makes the posters and letters of a menu that will be wanted, so that a touch need not wait for them.
    public func prepareMenu(_ content: FilmMenu.Content) { core.send(.prepareMenu(content)) }

    /// Keeps an item ready, up to its first frame, so that it is seen a frame or two after it is asked for: one that a viewer may choose
    /// at any moment. One at a time: another one, or `nil`, takes its place, and so does opening it. It costs a second pipeline's
    /// memory. Not for items of a network, or of a device's decoder that one film can have at a time.
    public func preload(_ item: PlayerItem?) { core.send(.preload(item?.request)) }
}
