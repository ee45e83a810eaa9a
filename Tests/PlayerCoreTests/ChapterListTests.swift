import PlayerCore
import Testing

/// A film's chapters (`chapter-list`). Times in seconds.
@Suite struct ChapterListTests {
    private let list = ChapterList([
        Chapter(start: .seconds(30), title: "c"), Chapter(start: .seconds(0), title: "a"),
        Chapter(start: .milliseconds(12_010), title: "b"), Chapter(start: .seconds(30), title: "again"),
        Chapter(start: .seconds(-1)),
    ])
    private let frame = MediaTime.milliseconds(40)

    private func current(_ milliseconds: Int64) -> Int? {
        list.current(at: .milliseconds(milliseconds), within: frame)
    }

    private func step(_ step: Int, _ milliseconds: Int64) -> ChapterList.Place? {
        list.place(stepping: step, from: .milliseconds(milliseconds), within: frame)
    }

    @Test func `they stand in their order, each once`() {
        #expect(list.chapters.map(\.title) == ["a", "b", "c"])
        let endless = ChapterList((0..<5000).map { Chapter(start: .seconds(5000 - $0)) })
        #expect(endless.chapters.count == ChapterList.most && endless.chapters.first?.start == .seconds(1))
    }

    @Test func `the frame that a chapter begins in belongs to it`() {
        #expect([0, 11_960, 12_000, 12_010, 29_900, 40_000].map { current($0) } == [0, 0, 1, 1, 1, 2])
        #expect(ChapterList().current(at: .zero, within: frame) == nil)
        #expect(ChapterList([Chapter(start: .seconds(5))]).current(at: .zero, within: frame) == -1)
    }

    @Test func `a step leads to the next start, or back to this one's from far into it, as in mpv`() {
        #expect(step(1, 1000) == .time(.milliseconds(12_010)))
        #expect(step(2, 1000) == .time(.seconds(30)))
        #expect(step(-1, 14_000) == .time(.zero))
        #expect(step(-1, 17_011) == .time(.milliseconds(12_010)))
        #expect(step(-1, 17_010) == .time(.zero))
        #expect(step(-1, 0) == .time(.zero))
        #expect(step(1, 31_000) == .behind)
        #expect(ChapterList().place(stepping: 1, from: .zero, within: frame) == nil)
    }

    @Test func `a chapter has a place, before and behind them is one too`() {
        #expect(list.place(of: 1) == .time(.milliseconds(12_010)))
        #expect(list.place(of: -1) == .time(.zero))
        #expect(list.place(of: 3) == .behind)
        #expect(ChapterList().place(of: 0) == nil)
    }

    /// Version 1: 00:00 "A", 00:05 "Schluß", then a truncated one.
    @Test func `an MP4's list is read as far as it goes`() {
        func chapter(_ ticks: UInt64, _ title: String) -> [UInt8] {
            (0..<8).map { UInt8(truncatingIfNeeded: ticks >> (56 - 8 * $0)) } + [UInt8(title.utf8.count)]
                + Array(title.utf8)
        }
        let head: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
        let bytes =
            head + [3] + chapter(0, "A") + chapter(50_000_000, "Schluß") + chapter(90_000_000, "lost").dropLast(2)
        let list = ChapterList(chpl: bytes)
        #expect(list.chapters == [Chapter(start: .zero, title: "A"), Chapter(start: .seconds(5), title: "Schluß")])
        for length in 0..<bytes.count { #expect(ChapterList(chpl: Array(bytes.prefix(length))).chapters.count <= 2) }
        #expect(ChapterList(chpl: head + [1] + chapter(.max, "never")).isEmpty)
        #expect(ChapterList(chpl: [0, 0, 0, 0, 1] + chapter(0, "")).chapters == [Chapter(start: .zero)])
    }
}
