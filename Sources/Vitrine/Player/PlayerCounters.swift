internal import Media
internal import PlayerCore

/// What the scrub path did since the start, for the `vitrine/` properties.
struct PlayerCounters: Sendable {
    /// Moves of the thumb and jumps.
    var seeksAsked: UInt64 = 0
    var seeksSent: UInt64 = 0
    /// Seeks whose picture reached the screen.
    var seeksCompleted: UInt64 = 0
    /// Pipelines that were built anew because a seek never came back.
    var rebuilds: UInt64 = 0
    var lastTouch: MonotonicTime?
    /// The newest touch of the bar whose picture is on the screen, and since when that is there.
    var answeredTouch: MonotonicTime?
    var lastAnswer: MonotonicTime?
    /// Pictures of the films before this one.
    var shownBefore: UInt64 = 0
    /// Films that were played to their end (A5).
    var ends: UInt64 = 0
    /// Pictures that came too late for the screen.
    var dropped: UInt64 = 0
    /// The newest slider event that no frame has answered.
    var unansweredTouch: MonotonicTime?
    /// The last frames of the films before this one.
    private var earlierPictures: [ShownPicture] = []

    /// How many frames are remembered through changes of films.
    static let recentCount = 256

    /// The pipeline is left.
    mutating func keep(_ pipeline: any MediaPipeline) {
        shownBefore += pipeline.pictures.shown
        earlierPictures = recentPictures(with: pipeline)
    }

    /// The last frames on the screen, of all films.
    func recentPictures(with pipeline: (any MediaPipeline)?) -> [ShownPicture] {
        Array((earlierPictures + (pipeline?.recentPictures ?? [])).suffix(Self.recentCount))
    }
}
