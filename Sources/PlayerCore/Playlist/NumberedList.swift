/// A playlist: its entries, each with a number that no other one ever had, counted from 1 (mpv's `playlist_entry_id`).
public struct NumberedList<Element: Sendable>: Sendable {
    private struct Entry: Sendable {
        var number: Int
        var element: Element
    }

    private var entries: [Entry] = []
    private var last = 0

    public init(_ elements: some Sequence<Element>) {
        replace(with: elements)
    }

    /// The number of the entry at this place.
    public func number(at place: Int) -> Int { entries[place].number }

    /// - Returns: its number.
    @discardableResult
    public mutating func append(_ element: Element) -> Int {
        last += 1
        entries.append(Entry(number: last, element: element))
        return last
    }

    /// Others in place of these.
    public mutating func replace(with elements: some Sequence<Element>) {
        entries = []
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
