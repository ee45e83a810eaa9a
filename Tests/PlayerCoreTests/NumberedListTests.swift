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
