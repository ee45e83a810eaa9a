/// One text of a subtitle track, and the time during which it is shown.
public struct Cue: Hashable, Sendable {
    public var start: MediaTime
    /// The first moment without it.
    public var end: MediaTime
    /// The lines, without markup.
    public var text: String

    public init(start: MediaTime, end: MediaTime, text: String) {
        self.start = start
        self.end = end
        self.text = text
    }

    /// A thousand hours. No film is longer.
    private static let longest: UInt64 = 3_600_000_000_000_000

    /// A cue with a demuxer's or a file's times in nanoseconds. If the length is missing, or the end precedes the start
    /// (which gives a length of centuries), the text is shown for as long as one reads a line or two.
    /// - Returns: `nil` for a start that no film has.
    public init?(start: UInt64, length: UInt64?, text: String) {
        guard start < Self.longest else { return nil }
        let length = length.flatMap { $0 < Self.longest ? Int64($0) : nil } ?? 4_000_000_000
        self.init(
            start: MediaTime(nanoseconds: Int64(start)), end: MediaTime(nanoseconds: Int64(start) + length), text: text)
    }
}

extension Cue {
    /// A cue with a file's times.
    /// - Returns: `nil` for times that no film has.
    init?(from start: MediaTime, to end: MediaTime, text: String) {
        guard start >= .zero, end > start else { return nil }
        self.init(
            start: UInt64(start.nanoseconds), length: UInt64(end.nanoseconds - start.nanoseconds), text: text)
    }
}

/// The known texts of a track. From a film they arrive a little before they are shown, and again after each seek. At
/// most 20,000 are kept, those around the newest one: in an endless film the oldest ones are forgotten, and after a
/// seek back to the start the last ones. A file beside the film, which is read once and from its start, keeps its first
/// 20,000.
public struct CueList: Hashable, Sendable {
    /// Sorted by their start.
    public private(set) var cues: [Cue] = []
    /// The duration of the longest cue: no earlier cue can reach further.
    private var longest = MediaTime.zero
    /// The starts of the cues of the last `show`, whose end is not known yet: one for each gap between known cues.
    private var open: [MediaTime] = []

    /// More cues than any film has.
    static let most = 20_000

    public init(_ cues: [Cue] = []) {
        for cue in cues { add(cue) }
    }

    /// Whether one more cue replaces another.
    public var isFull: Bool { cues.count >= Self.most }

    /// The most cues of a file that are read: each one is compared with those of its time, and a hostile file repeats
    /// them.
    public static let mostRead = 2 * most

    /// Adds a cue. A cue that is there already changes nothing, not even if its end differs: after a seek into a text,
    /// a parser may give out only a part of it. If the list is full, the cue farthest from it is removed.
    public mutating func add(_ cue: Cue) {
        guard cue.end > cue.start, !cue.text.isEmpty else { return }
        func isSame(_ other: Cue) -> Bool { other.end == cue.end && other.text == cue.text }
        guard !current(at: cue.start).contains(where: isSame) else { return }
        let place = firstIndex(after: cue.start)
        // Removes the end of the same text, which arrived before the whole of it.
        var later = place
        while later < cues.count, cues[later].start < cue.end {
            if isSame(cues[later]) { cues.remove(at: later) } else { later += 1 }
        }
        cues.insert(cue, at: place)
        longest = max(longest, cue.end - cue.start)
        if cues.count > Self.most {
            if place > cues.count / 2 { cues.removeFirst() } else { cues.removeLast() }
        }
    }

    /// The most that a closed caption is shown. Only a caption whose pipeline is gone gets no end of its own.
    static let longestShown = MediaTime.seconds(60)

    /// Shows a text from this time on, and ends the text before; an empty text only ends it. Closed captions arrive without an end.
    /// Known cues stay as they are, because a reader that starts in the middle may know less.
    public mutating func show(_ text: String, from time: MediaTime) {
        for start in open { end(start, at: time) }
        open = []
        guard !text.isEmpty else { return }
        let last = time + Self.longestShown
        var start = time
        while start < last {
            if let end = current(at: start).map(\.end).max() {
                start = end
                continue
            }
            let place = firstIndex(after: start)
            let end = place < cues.count ? min(cues[place].start, last) : last
            open.append(start)
            add(Cue(start: start, end: end, text: text))
            start = end
        }
    }

    private mutating func end(_ start: MediaTime, at time: MediaTime) {
        let place = firstIndex(after: start) - 1
        guard cues.indices.contains(place), cues[place].start == start, cues[place].end > time else { return }
        if start < time { cues[place].end = time } else { cues.remove(at: place) }
    }

    /// The text at this time. Texts of the same time are below each other; the newest are kept if there are too many.
    public func text(at time: MediaTime) -> String {
        let lines = current(at: time).flatMap { $0.text.split(separator: "\n") }
        return lines.suffix(SubtitleText.mostLines).joined(separator: "\n")
    }

    /// When the text changes next after this time; `nil` for never, as far as is known.
    public func nextChange(after time: MediaTime) -> MediaTime? {
        let start = firstIndex(after: time)
        let next = start < cues.count ? cues[start].start : nil
        return (current(at: time).map(\.end) + [next].compactMap { $0 }).min()
    }

    private func current(at time: MediaTime) -> [Cue] {
        var current: [Cue] = []
        var place = firstIndex(after: time)
        while place > 0, cues[place - 1].start + longest > time {
            place -= 1
            if cues[place].end > time { current.append(cues[place]) }
        }
        return current.reversed()
    }

    /// The index of the first cue that starts later.
    private func firstIndex(after time: MediaTime) -> Int {
        var (low, high) = (0, cues.count)
        while low < high {
            let middle = (low + high) / 2
            if cues[middle].start <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
