extension MPVProperty {
    /// Names that properties had before 0.1.0. The version after it drops them.
    static let oldNames: [String: MPVProperty] = [
        "vitrine/picture-time": .frameTime,
        "vitrine/pictures-dropped": .framesDropped,
        "vitrine/pictures-shown": .framesShown,
        "vitrine/recent-pictures": .recentFrames,
    ]
}
