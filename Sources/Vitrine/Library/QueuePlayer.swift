public import Logging
public import PlayerCore

/// Plays items one after another (A13).
///
/// An item that has ended leaves the queue, or, where all are looped, goes to its end; so does one that fails, after it was
/// told. Where no item is left the player waits, and plays on with the next that is inserted.
public final class QueuePlayer: Player, @unchecked Sendable {
    /// With these items, the first of which is the current one; it plays none before `play`.
    public convenience init(
        _ items: [PlayerItem], options: PlayerOptions = PlayerOptions(), log: Logger = Logger(label: "vitrine")
    ) {
        self.init(engine: VitrinePlayer(embeddedWith: options, log: log), actionAtItemEnd: .advance, options: options)
        for item in items { insert(item) }
    }

    /// With one item, or none at first: `Player`'s own, but that what has ended is followed by the next.
    public convenience init(
        _ item: PlayerItem? = nil, options: PlayerOptions = PlayerOptions(), log: Logger = Logger(label: "vitrine")
    ) {
        self.init(item.map { [$0] } ?? [], options: options, log: log)
    }

    /// The current one first.
    public var items: [PlayerItem] { core.queue }

    /// Behind an item of the queue, or at its end. One that is in the queue stays where it is; one of another player's
    /// leaves that.
    public func insert(_ item: PlayerItem, after other: PlayerItem? = nil) {
        item.enter(core, by: .insert(item.id, after: other?.id))
    }

    /// Where it is the current one, the next one follows.
    public func remove(_ item: PlayerItem) { core.command(.remove(item.id)) }

    /// Nothing is played any more; what is inserted then plays at once, unless the player is paused.
    public func removeAllItems() { core.command(.removeAll) }

    /// On to the next item, now. Where all are looped, the current one goes to the queue's end.
    public func advanceToNextItem() { core.command(.advance) }

    /// Whether the current item begins again at its end, or all of the queue do; `.off` at first.
    public var loop: QueueLoop {
        get { core.read(\.loop) }
        set { core.command(.setLoop(newValue)) }
    }
}
