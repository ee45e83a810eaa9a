/// A playlist: its entries, each with a number that no other one ever had, counted from 1 (mpv's `playlist_entry_id`).
public struct NumberedList<Element: Sendable>: Sendable {
    private struct Entry: Sendable {
        var number: Int
        var element: Element
    }

    private var entries: [Entry] = []
    private var last = 0
    /// The numbers in the order from before the list was shuffled.
    private var order: [Int]?

    public init(_ elements: some Sequence<Element>) {
        replace(with: elements)
    }

    /// The number of the entry at this place.
    public func number(at place: Int) -> Int { entries[place].number }

    /// The place of the entry with this number; `nil` where it is gone.
    public func place(of number: Int) -> Int? { entries.firstIndex { $0.number == number } }

    /// - Returns: its number.
    @discardableResult
    public mutating func append(_ element: Element) -> Int { insert(element, at: entries.count) }

    /// - Returns: its number.
    @discardableResult
    public mutating func insert(_ element: Element, at place: Int) -> Int {
        last += 1
        entries.insert(Entry(number: last, element: element), at: place)
        return last
    }

    /// Removes the entry at this place.
    public mutating func remove(at place: Int) { entries.remove(at: place) }

    /// Moves the entry at `place` before the one at `target`, or to the end where there is none.
    public mutating func move(_ place: Int, before target: Int) {
        let target = entries.indices.contains(target) ? target : entries.count
        let entry = entries.remove(at: place)
        entries.insert(entry, at: target > place ? target - 1 : target)
    }

    /// Puts the entries into an order of chance.
    public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
        order = entries.map(\.number)
        entries.shuffle(using: &generator)
    }

    /// Puts the entries into the order from before they were shuffled, once; later ones come last.
    public mutating func unshuffle() {
        guard let order else { return }
        self.order = nil
        let places = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
        // Numbers only grow: behind the others, those that came later stand in the order in which they came.
        entries.sort { places[$0.number] ?? order.count + $0.number < places[$1.number] ?? order.count + $1.number }
    }

    /// Others in place of these.
    public mutating func replace(with elements: some Sequence<Element>) {
        entries = []
        order = nil
        for element in elements { append(element) }
    }

    /// None, or none but the one at this place.
    public mutating func removeAll(butThatAt place: Int? = nil) {
        entries = place.map { [entries[$0]] } ?? []
    }
}

extension NumberedList: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { entries.count }
    public subscript(place: Int) -> Element { entries[place].element }
}
