/// A part of a film, up to where the next one begins.
public struct Chapter: Hashable, Sendable {
    /// Within the film.
    public var start: MediaTime
    /// `nil` where the film's author gave none.
    public var title: String?

    /// Without a title it is shown by its number.
    public init(start: MediaTime, title: String? = nil) {
        self.start = start
        self.title = title
    }
}

/// A film's chapters in their order, counted from 0 as mpv does.
public struct ChapterList: Hashable, Sendable {
    /// Sorted, no two with the same start; at most `most`.
    public private(set) var chapters: [Chapter] = []

    /// More than any film has, and than a bar has room for; the later ones are left out.
    public static let most = 1000
    /// A thousand hours: no film is longer, and what hostile ones tell would not fit into sums of times.
    static let latest = MediaTime.seconds(3_600_000)
    /// Later than this in a chapter, a step back leads to its own start: mpv's `chapter-seek-threshold`.
    static let threshold = MediaTime.seconds(5)

    /// - Parameter chapters: in any order; of those with the same start, the first counts, and none behind a thousand hours.
    public init(_ chapters: some Sequence<Chapter> = []) {
        var starts: Set<MediaTime> = []
        let known = chapters.filter {
            (.zero..<Self.latest).contains($0.start) && starts.insert($0.start).inserted
        }
        self.chapters = Array(known.sorted { $0.start < $1.start }.prefix(Self.most))
    }

    /// The film has none.
    public var isEmpty: Bool { chapters.isEmpty }

    /// The chapter that is on at a time; -1 before the first, `nil` where there are none.
    /// - Parameters:
    ///   - time: of the film.
    ///   - length: how long a frame stands: the one that a chapter's start falls in belongs to that chapter.
    public func current(at time: MediaTime, within length: MediaTime) -> Int? {
        guard !isEmpty else { return nil }
        return chapters.lastIndex { $0.start <= time || $0.start < time + length } ?? -1
    }

    /// Where the number of a chapter leads.
    public enum Place: Hashable, Sendable {
        /// To this time of the film.
        case time(MediaTime)
        /// Behind the last chapter: whatever comes next.
        case behind
    }

    /// Where a chapter begins; before the first one is the film's start. `nil` where there are none.
    public func place(of number: Int) -> Place? {
        guard !isEmpty else { return nil }
        guard number >= 0 else { return .time(.zero) }
        return number < chapters.count ? .time(chapters[number].start) : .behind
    }

    /// So many chapters on, or back where that is below 0; for the parameters see `current`.
    public func place(stepping step: Int, from time: MediaTime, within length: MediaTime) -> Place? {
        guard let current = current(at: time, within: length) else { return nil }
        let start = current < 0 ? .zero : chapters[current].start
        let isFar = step < 0 && time - start > Self.threshold
        return place(of: current + step + (isFar ? 1 : 0))
    }
}
