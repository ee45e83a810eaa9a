import PlayerCore
import Testing

@Suite("A playlist's entries, and their numbers")
struct NumberedListTests {
    private func numbers(_ list: NumberedList<String>) -> [Int] { list.indices.map { list.number(at: $0) } }

    @Test("they are counted from 1, in their order")
    func counted() {
        var list = NumberedList(["a", "b"])
        #expect(list.append("c") == 3)
        #expect(Array(list) == ["a", "b", "c"] && numbers(list) == [1, 2, 3])
    }

    @Test("entries are inserted, moved as mpv moves them, and removed; their numbers go with them")
    func rearranged() {
        var list = NumberedList(["a", "b", "c"])
        #expect(list.insert("d", at: 1) == 4)
        #expect(Array(list) == ["a", "d", "b", "c"] && list.place(of: 4) == 1)
        list.move(0, before: 2)
        #expect(Array(list) == ["d", "a", "b", "c"])
        list.move(3, before: 0)
        #expect(Array(list) == ["c", "d", "a", "b"])
        list.move(0, before: 4)
        #expect(Array(list) == ["d", "a", "b", "c"])
        list.move(1, before: -1)
        #expect(Array(list) == ["d", "b", "c", "a"])
        list.move(1, before: 1)
        list.remove(at: 0)
        #expect(Array(list) == ["b", "c", "a"] && numbers(list) == [2, 3, 1] && list.place(of: 4) == nil)
    }

    @Test("shuffled entries come back into their order, once; those that came meanwhile are last")
    func shuffled() {
        struct Reversing: RandomNumberGenerator {
            mutating func next() -> UInt64 { .max }
        }
        var list = NumberedList(["a", "b", "c", "d"])
        var generator = Reversing()
        list.shuffle(using: &generator)
        #expect(Array(list) != ["a", "b", "c", "d"] && list.count == 4)
        list.insert("e", at: 0)
        list.append("f")
        list.remove(at: list.place(of: 2) ?? 0)
        list.unshuffle()
        #expect(Array(list) == ["a", "c", "d", "e", "f"])
        list.move(0, before: 2)
        list.unshuffle()
        #expect(Array(list) == ["c", "a", "d", "e", "f"])
    }

    @Test("no number comes again: neither of entries that were replaced nor of those that were removed")
    func neverAgain() {
        var list = NumberedList(["a", "b", "c"])
        list.removeAll(butThatAt: 1)
        #expect(Array(list) == ["b"] && numbers(list) == [2])
        list.replace(with: ["d", "b"])
        #expect(Array(list) == ["d", "b"] && numbers(list) == [4, 5])
        list.removeAll()
        #expect(list.isEmpty)
        #expect(list.append("a") == 6)
    }
}
