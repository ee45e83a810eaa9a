/// One text of a track of subtitles, and when it is to be read.
public struct Cue: Hashable, Sendable {
    public var start: MediaTime
    /// The first moment without it.
    public var end: MediaTime
    /// Lines, without markup.
    public var text: String

    public init(start: MediaTime, end: MediaTime, text: String) {
        self.start = start
        self.end = end
        self.text = text
    }

    /// No film is longer: a thousand hours.
    private static let longest: UInt64 = 3_600_000_000_000_000

    /// As a demuxer or a file tells it, in nanoseconds. What does not say how long it stands, or ends before it starts (whose
    /// length comes as one of centuries), stands for as long as one reads a line or two.
    /// - Returns: `nil` for a start that no film has.
    public init?(start: UInt64, length: UInt64?, text: String) {
        guard start < Self.longest else { return nil }
        let length = length.flatMap { $0 < Self.longest ? Int64($0) : nil } ?? 4_000_000_000
        self.init(
            start: MediaTime(nanoseconds: Int64(start)), end: MediaTime(nanoseconds: Int64(start) + length), text: text)
    }
}

extension Cue {
    /// As a file writes it.
    /// - Returns: `nil` for times that no film has.
    init?(from start: MediaTime, to end: MediaTime, text: String) {
        guard start >= .zero, end > start else { return nil }
        self.init(
            start: UInt64(start.nanoseconds), length: UInt64(end.nanoseconds - start.nanoseconds), text: text)
    }
}

/// The texts of a track, as far as they are known: from a film they come a little before they are to be read, again
/// after each seek. At most 20,000 are kept, those about the newest one: of a film that goes on for ever the ones that were
/// read long ago are forgotten, and after a seek back to its start the ones at its end. A file beside the film, which is read
/// once and from its start, keeps its first 20,000.
public struct CueList: Hashable, Sendable {
    /// By their start.
    public private(set) var cues: [Cue] = []
    /// Of the longest of them: no earlier one can reach further.
    private var longest = MediaTime.zero

    /// More than any film has.
    static let most = 20_000

    public init(_ cues: [Cue] = []) {
        for cue in cues { add(cue) }
    }

    /// Whether one more takes the place of another.
    public var isFull: Bool { cues.count >= Self.most }

    /// A file's texts that are looked at: each one is compared with those of its time, and a hostile file repeats them.
    public static let mostRead = 2 * most

    /// One that is there already changes nothing, nor does its end alone: of what a seek leads into, a parser may give out no
    /// more. Where the list is full, the one farthest from it goes.
    public mutating func add(_ cue: Cue) {
        guard cue.end > cue.start, !cue.text.isEmpty else { return }
        func isSame(_ other: Cue) -> Bool { other.end == cue.end && other.text == cue.text }
        guard !current(at: cue.start).contains(where: isSame) else { return }
        let place = firstIndex(after: cue.start)
        // Its end, which was there before it.
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

    /// What is to be read at this time; texts of the same time below each other, the newest where they are too many.
    public func text(at time: MediaTime) -> String {
        let lines = current(at: time).flatMap { $0.text.split(separator: "\n") }
        return lines.suffix(SubtitleText.mostLines).joined(separator: "\n")
    }

    /// When there will be another text, or none, after this time; `nil` if never, as far as is known.
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

    /// The first one that starts later.
    private func firstIndex(after time: MediaTime) -> Int {
        var (low, high) = (0, cues.count)
        while low < high {
            let middle = (low + high) / 2
            if cues[middle].start <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
