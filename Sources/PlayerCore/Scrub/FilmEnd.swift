/// Where a film's frames end, as far as one gesture has found out, and its last frame.
///
/// A duration is that of the longest stream, and often the sound's. Each gesture finds out anew, so that no error of the
/// stream's cuts the film for good.
struct FilmEnd: Hashable, Sendable {
    /// No frame comes at or behind this time.
    private var end: MediaTime?
    /// The last frame, once it was found.
    private(set) var last: MediaTime?
    /// How far before `end` to look for the last frame, at least; doubled with each miss.
    private var retreat = Self.overhang

    /// The sound of a film commonly outlasts its frames by an audio frame, at most 93 ms (AAC at 11025 Hz).
    static let overhang = MediaTime.milliseconds(100)

    /// Where the last frame is looked for, because the target lies behind it; `nil` where it does not.
    func search(for target: MediaTime?, in keyframes: KeyframeMap) -> MediaTime? {
        guard let target, let end, target >= end else { return nil }
        if let last { return last }
        let before = end - retreat
        return max(keyframes.group(at: before)?.start ?? before, .zero)
    }

    /// The last frame, which ends there, or at the end that is known.
    mutating func found(_ last: MediaTime, until end: MediaTime) {
        self.last = last
        self.end = min(self.end ?? .unlimited, end)
    }

    /// There was no frame at or behind this time.
    /// - Parameter isSearch: it was the last one that was looked for there.
    mutating func missed(_ target: MediaTime, isSearch: Bool) {
        if isSearch { retreat = retreat + retreat }
        end = min(end ?? target, target)
    }
}
