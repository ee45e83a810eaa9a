/// Where the pads of a decoder lead. Those that go leave their place to the next ones of their kind: hlsdemux's streams get
/// other pads, and the decoder others, whenever the bitrate changes.
///
/// Threads: as `PadLinker`'s.
struct PadOutlets {
    private struct Outlet {
        let kind: String
        /// `nil` for what is not played.
        let entry: Pad?
    }

    private var outlets: [Pad: Outlet] = [:]
    /// In the order in which their pads went.
    private var free: [Outlet] = []

    /// A pad that has been linked, or is not to be.
    mutating func note(_ pad: Pad, _ kind: String?) {
        outlets[pad] = Outlet(kind: kind ?? "", entry: pad.peer)
    }

    /// The pad is gone.
    mutating func release(_ pad: Pad) {
        if let outlet = outlets.removeValue(forKey: pad) { free.append(outlet) }
    }

    /// Links a pad in the place of one that went.
    /// - Returns: `false` where none of its kind did, or its place does not take it.
    mutating func reuse(_ pad: Pad, _ kind: String) -> Bool {
        guard let place = free.firstIndex(where: { $0.kind == kind }) else { return false }
        let outlet = free.remove(at: place)
        if let entry = outlet.entry, !pad.link(to: entry) { return false }
        outlets[pad] = outlet
        return true
    }
}
