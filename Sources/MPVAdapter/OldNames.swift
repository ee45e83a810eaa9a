extension MPVProperty {
    /// Names of properties before 0.1.0. The version after it drops them.
    static let oldNames: [String: MPVProperty] = [
        "vitrine/picture-time": .frameTime,
        "vitrine/pictures-dropped": .framesDropped,
        "vitrine/pictures-shown": .framesShown,
        "vitrine/recent-pictures": .recentFrames,
    ]
}
