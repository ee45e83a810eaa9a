/// The end of a film's frames, as far as one gesture has found it, and the last frame.
///
/// A duration is that of the longest stream, and often the sound's. Each gesture searches anew, so that no error in the
/// stream cuts the film for good.
struct FilmEnd: Hashable, Sendable {
    /// No frame starts at or behind this time.
    private var end: MediaTime?
    /// The last frame, once found.
    private(set) var last: MediaTime?
    /// The least distance before `end` at which to search for the last frame; doubled with each miss.
    private var retreat = Self.overhang

    /// A film's sound commonly outlasts its frames by an audio frame, at most 93 ms (AAC at 11025 Hz).
    static let overhang = MediaTime.milliseconds(100)

    /// The place to search for the last frame if the target is behind it; else `nil`.
    func search(for target: MediaTime?, in keyframes: KeyframeMap) -> MediaTime? {
        guard let target, let end, target >= end else { return nil }
        if let last { return last }
        let before = end - retreat
        return max(keyframes.group(at: before)?.start ?? before, .zero)
    }

    /// Notes the last frame, which ends there, or at the known end.
    mutating func found(_ last: MediaTime, until end: MediaTime) {
        self.last = last
        self.end = min(self.end ?? .unlimited, end)
    }

    /// Notes that there is no frame at or behind this time.
    /// - Parameter isSearch: whether the seek searched for the last frame.
    mutating func missed(_ target: MediaTime, isSearch: Bool) {
        if isSearch { retreat = retreat + retreat }
        end = min(end ?? target, target)
    }
}
