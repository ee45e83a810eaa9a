/// A part of a film, up to the start of the next chapter.
public struct Chapter: Hashable, Sendable {
    /// The time within the film.
    public var start: MediaTime
    /// `nil` if the film's author gave no title.
    public var title: String?

    /// A chapter without a title is shown by its number.
    public init(start: MediaTime, title: String? = nil) {
        self.start = start
        self.title = title
    }
}

/// A film's chapters in their order, counted from 0 as mpv does.
public struct ChapterList: Hashable, Sendable {
    /// Sorted by start, which is unique; at most `most`.
    public private(set) var chapters: [Chapter] = []

    /// More chapters than any film has, and than a bar has room for. Later ones are dropped.
    public static let most = 1000
    /// A thousand hours. No film is longer, and a hostile file's times would overflow sums of times.
    static let latest = MediaTime.seconds(3_600_000)
    /// Later than this in a chapter, a step back goes to the chapter's own start: mpv's `chapter-seek-threshold`.
    static let threshold = MediaTime.seconds(5)

    /// - Parameter chapters: in any order. Of those with the same start the first counts. Those behind a thousand hours
    ///   are dropped.
    public init(_ chapters: some Sequence<Chapter> = []) {
        var starts: Set<MediaTime> = []
        let known = chapters.filter {
            (.zero..<Self.latest).contains($0.start) && starts.insert($0.start).inserted
        }
        self.chapters = Array(known.sorted { $0.start < $1.start }.prefix(Self.most))
    }

    /// Whether the film has no chapters.
    public var isEmpty: Bool { chapters.isEmpty }

    /// The chapter that contains a time; -1 before the first one, `nil` if the film has none.
    /// - Parameters:
    ///   - time: the film's time.
    ///   - length: the duration of a frame. A frame that contains a chapter's start belongs to that chapter.
    public func current(at time: MediaTime, within length: MediaTime) -> Int? {
        guard !isEmpty else { return nil }
        return chapters.lastIndex { $0.start <= time || $0.start < time + length } ?? -1
    }

    /// The target of a jump to a chapter.
    public enum Place: Hashable, Sendable {
        /// A time of the film.
        case time(MediaTime)
        /// The place behind the last chapter, which is the next item.
        case behind
    }

    /// The start of a chapter; the film's start before the first one. `nil` if the film has no chapters.
    public func place(of number: Int) -> Place? {
        guard !isEmpty else { return nil }
        guard number >= 0 else { return .time(.zero) }
        return number < chapters.count ? .time(chapters[number].start) : .behind
    }

    /// The start of the chapter `step` further on, or back if it is below 0. The parameters are those of `current`.
    public func place(stepping step: Int, from time: MediaTime, within length: MediaTime) -> Place? {
        guard let current = current(at: time, within: length) else { return nil }
        let start = current < 0 ? .zero : chapters[current].start
        let isFar = step < 0 && time - start > Self.threshold
        return place(of: current + step + (isFar ? 1 : 0))
    }
}
