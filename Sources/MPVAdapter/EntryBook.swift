internal import Vitrine

/// The playlist's entries as mpv's clients know them: each has a unique number, counted from 1.
struct EntryBook {
    private struct Entry {
        weak var item: PlayerItem?
        var number: Int
        var options: EntryOptions?
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var lastNumber = 0

    @discardableResult
    mutating func add(_ item: PlayerItem, with options: EntryOptions? = nil) -> Int {
        lastNumber += 1
        entries[ObjectIdentifier(item)] = Entry(item: item, number: lastNumber, options: options)
        return lastNumber
    }

    /// Numbers new items, in their order, and forgets released ones.
    mutating func number(_ items: [PlayerItem]) {
        entries = entries.filter { $0.value.item != nil }
        for item in items where entry(of: item) == nil { add(item) }
    }

    /// - Parameter items: the playlist. Those before the item get the lower numbers.
    mutating func number(of item: PlayerItem, in items: @autoclosure () -> [PlayerItem]) -> Int {
        if let entry = entry(of: item) { return entry.number }
        number(items())
        return entry(of: item)?.number ?? add(item)
    }

    func options(of item: PlayerItem) -> EntryOptions? { entry(of: item)?.options }

    /// The address may have belonged to a released item.
    private func entry(of item: PlayerItem) -> Entry? {
        entries[ObjectIdentifier(item)].flatMap { $0.item === item ? $0 : nil }
    }
}
