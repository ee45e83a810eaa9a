/// The place of a scrub sheet's picture in its file.
public struct SheetEntry: Hashable, Sendable {
    /// The presentation time of its frame.
    public var time: MediaTime
    /// The JPEG's offset in bytes from the file's start.
    public var offset: Int64
    /// In bytes.
    public var length: Int

    public init(time: MediaTime, offset: Int64, length: Int) {
        self.time = time
        self.offset = offset
        self.length = length
    }
}

/// The pictures of a scrub sheet by their times.
public struct SheetIndex: Hashable, Sendable {
    /// In rising order, each time once.
    public private(set) var entries: [SheetEntry] = []

    public init() {}

    /// Inserts an entry, unless the time has a picture or the index is full.
    public mutating func insert(_ entry: SheetEntry) {
        let place = firstPlace(notBefore: entry.time)
        guard entries.count < SheetPlan.mostPlaces, place == entries.count || entries[place].time != entry.time else {
            return
        }
        entries.insert(entry, at: place)
    }

    /// The picture for a place of the film: that of the frame that an exact seek there shows, if the sheet has it, else
    /// the nearest one.
    /// - Parameter frame: the duration of a frame; a frame is shown until the next one, so the middle of that time
    ///   counts as its place.
    public func nearest(to time: MediaTime, frame: MediaTime?) -> SheetEntry? {
        let next = firstPlace(after: time)
        guard next > 0 else { return entries.first }
        guard next < entries.count else { return entries.last }
        let half = MediaTime(nanoseconds: (frame?.nanoseconds ?? 0) / 2)
        let (before, behind) = (entries[next - 1], entries[next])
        return (before.time + half).distance(to: time) <= (behind.time + half).distance(to: time) ? before : behind
    }

    private func firstPlace(notBefore time: MediaTime) -> Int { firstPlace { $0 >= time } }

    private func firstPlace(after time: MediaTime) -> Int { firstPlace { $0 > time } }

    private func firstPlace(where isBehind: (MediaTime) -> Bool) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(entries[middle].time) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
