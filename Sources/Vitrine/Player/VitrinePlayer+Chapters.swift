internal import PlayerCore

extension VitrinePlayer {
    var chapters: ChapterList { facts?.chapters ?? ChapterList() }

    /// The chapter that is on, counted from 0; -1 before the first one, `nil` where the film has none.
    public var chapter: Int? { chapters.current(at: currentTime, within: pictureLength) }

    /// Jumps to a chapter's start; behind the last one to the playlist's next film.
    /// - Returns: `false` where there is no such place.
    public func go(toChapter number: Int) -> Bool { go(to: chapters.place(of: number)) }

    /// So many chapters on, or back where that is below 0. From more than 5 s into a chapter, the first step back leads to
    /// its start.
    /// - Returns: `false` where there is no such place.
    public func stepChapter(by step: Int) -> Bool {
        go(to: chapters.place(stepping: step, from: currentTime, within: pictureLength))
    }

    private func go(to place: ChapterList.Place?) -> Bool {
        guard let place, facts?.isSeekable == true else { return false }
        switch place {
        case .behind: return advance(by: 1)
        case .time(let time): seek(to: time)
        }
        return true
    }

    /// Sound comes in pieces, too.
    private var pictureLength: MediaTime { facts?.frameDuration ?? .milliseconds(40) }

    /// The bar's marks, as parts of the film.
    var marks: [Double] {
        guard let duration else { return [] }
        return chapters.chapters.map { $0.start.fraction(of: duration) }
    }
}
