import Testing

@testable import PlayerCore

/// Closed captions come in the order in which frames are shown, and say nothing of where the film is no longer (A11).
struct CaptionReaderTests {
    private typealias Change = CaptionReader.Change

    private static let load = CaptionPair(0x14, 0x20), show = CaptionPair(0x14, 0x2F), row = CaptionPair(0x14, 0x70)
    private static let erase = CaptionPair(0x14, 0x2C), padding = CaptionPair(0, 0)
    /// One a frame.
    private static let word = [load, row, CaptionPair(0x6F, 0x6E), CaptionPair(0x65, 0), show]

    private func time(_ frame: Int) -> MediaTime { .milliseconds(40 * Int64(frame)) }

    private func moment(_ frame: Int, offset: Int = 0) -> CaptionReader.Moment {
        CaptionReader.Moment(time: time(frame), running: time(frame + offset))
    }

    /// Frames by their number, as a decoder takes them in.
    private func take(_ pairs: [CaptionPair], _ order: [Int], _ reader: inout CaptionReader, offset: Int = 0) {
        for frame in order {
            reader.take([pairs[frame]], at: moment(frame, offset: offset))
        }
    }

    private func release(_ reader: inout CaptionReader, through frame: Int) -> [Change] {
        reader.release(through: time(frame))
    }

    @Test func `frames are read in the order in which they are shown, and no further than they are decoded`() {
        var reader = CaptionReader()
        take(Self.word + [Self.padding], [0, 4, 2, 1, 3, 5], &reader)
        #expect(release(&reader, through: 3).isEmpty)
        #expect(release(&reader, through: 5) == [Change(channel: 1, text: "one", time: time(4))])
    }

    @Test func `what was left out by the decoder counts`() {
        var reader = CaptionReader()
        take(Self.word, Array(0...4), &reader)
        #expect(release(&reader, through: 9) == [Change(channel: 1, text: "one", time: time(4))])
    }

    @Test func `a seek ends the text where the film was, and nothing from before it is read after it`() {
        var reader = CaptionReader()
        take(Self.word, Array(0...4), &reader)
        _ = release(&reader, through: 4)
        take(Self.word, Array(0...4), &reader, offset: 5)
        #expect(reader.interrupt() == [Change(channel: 1, text: "", time: time(4))])
        #expect(!reader.isReading && reader.interrupt().isEmpty)
        take([Self.show, Self.padding], [0, 1], &reader)
        #expect(release(&reader, through: 20) == [Change(channel: 1, text: "", time: time(0))])
    }

    @Test func `a film that begins again ends its last text`() {
        var reader = CaptionReader()
        take(Self.word, Array(0...4), &reader)
        take(Self.word, Array(0...4), &reader, offset: 5)
        let changes = release(&reader, through: 9)
        #expect(changes.map(\.text) == ["one", "", "one"] && changes.map(\.time) == [4, 4, 4].map(time))
    }

    @Test func `a film without captions is not read`() {
        var reader = CaptionReader()
        take([Self.padding, Self.padding], [0, 1], &reader)
        #expect(!reader.isReading && release(&reader, through: 1).isEmpty)
    }

    @Test func `a word at the end of a line is shown with the next frame, which has no text`() {
        var reader = CaptionReader()
        reader.take([CaptionPair(0x14, 0x29)], at: moment(0))
        reader.take([CaptionPair(0x6F, 0x6E)], at: moment(1))
        #expect(release(&reader, through: 1).isEmpty)
        reader.take([], at: moment(2))
        #expect(release(&reader, through: 2) == [Change(channel: 1, text: "on", time: time(2))])
    }

    @Test func `a frame without a time is one with the frame before it`() {
        var reader = CaptionReader()
        // In the middle, with a frame that is shown earlier behind it, and at the start.
        reader.take([Self.load], at: nil)
        for (frame, pairs) in [(0, [Self.load]), (2, [Self.row]), (1, [])] { reader.take(pairs, at: moment(frame)) }
        reader.take([], at: moment(4))
        reader.take([CaptionPair(0x61, 0), Self.show], at: nil)
        #expect(release(&reader, through: 3).isEmpty)
        #expect(release(&reader, through: 4) == [Change(channel: 1, text: "a", time: time(4))])
        #expect(reader.interrupt().count == 1)
        reader.take([Self.show], at: nil)
        #expect(release(&reader, through: 9).isEmpty)
    }

    @Test func `a decoder that gives nothing out fills no memory`() {
        var reader = CaptionReader()
        take(Self.word, [0, 1], &reader)
        for frame in 2..<1000 { reader.take([], at: moment(frame)) }
        take(Self.word, [2, 3, 4], &reader, offset: 1000)
        // The first ones are gone: what is left has no beginning.
        #expect(release(&reader, through: 2000).isEmpty)
    }

    /// A packet of CEA-708 that shows a text, "7", in a window of the first service.
    private static let packet: [CaptionPair] = [
        CaptionPair(of: .packetStart, 6, 0x2A), CaptionPair(of: .packet, 0x98, 0x20), CaptionPair(of: .packet, 0, 0),
        CaptionPair(of: .packet, 0, 31), CaptionPair(of: .packet, 0, 0x37), CaptionPair(of: .packet, 3, 0),
    ]

    @Test func `the services of CEA-708 are read where nothing is sent by CEA-608`() {
        var reader = CaptionReader()
        reader.take(Self.packet + [Self.padding], at: moment(0))
        #expect(reader.isReading)
        #expect(release(&reader, through: 0) == [Change(channel: 1, text: "7", time: time(0))])
        #expect(reader.interrupt() == [Change(channel: 1, text: "", time: time(0))])
        reader.take(Self.packet, at: moment(1))
        #expect(release(&reader, through: 1).map(\.text) == ["7"])
    }

    @Test func `the first text of CEA-608 ends the services of CEA-708, after a seek too`() {
        var reader = CaptionReader()
        reader.take(Self.packet, at: moment(0))
        #expect(release(&reader, through: 0).map(\.text) == ["7"])
        reader.take(Self.word, at: moment(5))
        #expect(
            release(&reader, through: 5) == [
                Change(channel: 1, text: "", time: time(5)), Change(channel: 1, text: "one", time: time(5)),
            ])
        _ = reader.interrupt()
        reader.take(Self.packet, at: moment(6))
        #expect(release(&reader, through: 6).isEmpty)
    }
}

/// Texts without ends, as closed captions are (A11).
struct ShownCueTests {
    private func at(_ second: Int64) -> MediaTime { .seconds(second) }

    private func texts(_ list: CueList, _ seconds: ClosedRange<Int64>) -> [String] {
        seconds.map { list.text(at: at($0)) }
    }

    @Test func `a text ends with the next one`() {
        var list = CueList()
        list.show("a", from: at(1))
        #expect(texts(list, 0...3) == ["", "a", "a", "a"])
        list.show("b", from: at(3))
        list.show("", from: at(4))
        list.show("c", from: at(6))
        #expect(texts(list, 0...7) == ["", "a", "a", "b", "", "", "c", "c"])
        #expect(list.text(at: at(6) + CueList.longestShown).isEmpty)
    }

    @Test func `a text of no length was not there`() {
        var list = CueList()
        list.show("a", from: at(1))
        list.show("b", from: at(1))
        list.show("", from: at(2))
        #expect(list.cues.map(\.text) == ["b"])
    }

    @Test func `what is known stays, and what comes again goes on where that ended`() {
        var list = CueList()
        list.show("a", from: at(1))
        list.show("b", from: at(4))
        // A seek.
        list.show("", from: at(6))
        // From a key frame before, with half of the text; and further on.
        list.show("half of a", from: at(2))
        #expect(texts(list, 0...7) == ["", "a", "a", "a", "b", "b", "half of a", "half of a"])
        list.show("b", from: at(4))
        #expect(texts(list, 0...7) == ["", "a", "a", "a", "b", "b", "b", "b"])
        list.show("", from: at(8))
        #expect(texts(list, 6...9) == ["b", "b", "", ""])
        list.show("x", from: at(0))
        list.show("a", from: at(1))
        #expect(texts(list, 0...2) == ["x", "a", "a"])
    }

    @Test func `whatever is sought, what was seen of the film is right`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            // The film changes its text now and then, and some say the same twice.
            let truth = (0..<60).reduce(into: [""]) { texts, _ in
                texts.append(
                    .random(in: 0..<3, using: &random) == 0
                        ? ["", "a", "b", "c"].randomElement(using: &random)! : texts.last!)
            }
            var (list, seen) = (CueList(), Set<Int>())
            for _ in 0..<8 {
                let start = Int.random(in: 0..<60, using: &random)
                let end = Int.random(in: start...60, using: &random)
                var before: String?
                for second in start...end where truth[second] != before {
                    before = truth[second]
                    list.show(truth[second], from: at(Int64(second)))
                }
                seen.formUnion(start..<end)
                list.show("", from: at(Int64(end)))
                for second in 0...60 {
                    let text = list.text(at: at(Int64(second)))
                    #expect(text == (seen.contains(second) ? truth[second] : ""))
                }
            }
        }
    }
}
