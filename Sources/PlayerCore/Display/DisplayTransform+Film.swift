extension DisplayTransform {
    /// The transform that brings a film's frames upright.
    /// - Parameter orientation: the value of GStreamer's tag `image-orientation`: "rotate-90", "flip-rotate-270"; any
    ///   other word gives `nil`.
    public init?(orientation: String) {
        let words = orientation.split(separator: "-", omittingEmptySubsequences: false)
        guard words.count == 2 || words.count == 3 && words[0] == "flip", words[words.count - 2] == "rotate",
            let rotation = Int(words[words.count - 1]).flatMap({ Rotation(rawValue: $0) })
        else { return nil }
        self.init(rotation: rotation, isReflected: words.count == 3)
    }
}
