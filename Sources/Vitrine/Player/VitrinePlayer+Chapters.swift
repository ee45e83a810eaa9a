internal import PlayerCore

extension VitrinePlayer {
    /// The chapter that is on, counted from 0; -1 before the first one, `nil` where the film has none.
    public var chapter: Int? { session.chapters.current(at: currentTime, within: session.frameDuration) }

    /// Jumps to a chapter's start; behind the last one to the playlist's next film.
    /// - Returns: `false` where there is no such place.
    public func go(toChapter number: Int) -> Bool { go(to: session.chapters.place(of: number)) }

    /// So many chapters on, or back where that is below 0. From more than 5 s into a chapter, the first step back leads to
    /// its start.
    /// - Returns: `false` where there is no such place.
    public func stepChapter(by step: Int) -> Bool {
        go(to: session.chapters.place(stepping: step, from: currentTime, within: session.frameDuration))
    }

    private func go(to place: ChapterList.Place?) -> Bool {
        guard let place, session.facts?.isSeekable == true else { return false }
        switch place {
        case .behind: return advance(by: 1)
        case .time(let time): seek(to: time)
        }
        return true
    }

    /// The bar's marks, as parts of the film.
    var marks: [Double] {
        guard let duration = session.duration else { return [] }
        return session.chapters.chapters.map { $0.start.fraction(of: duration) }
    }
}
