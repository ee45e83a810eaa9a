/// The links of a decoder's pads. A removed pad leaves its link to the next one of its kind: whenever the bitrate
/// changes, hlsdemux and the decoder replace their pads.
///
/// Threads: as `PadLinker`'s.
struct PadOutlets {
    private struct Outlet {
        let kind: String
        /// `nil` if the stream is not played.
        let entry: Pad?
    }

    private var outlets: [Pad: Outlet] = [:]
    /// In the order in which their pads were removed.
    private var free: [Outlet] = []

    /// Notes a pad that has been linked, or is not to be.
    mutating func note(_ pad: Pad, _ kind: String?) {
        outlets[pad] = Outlet(kind: kind ?? "", entry: pad.peer)
    }

    /// Notes a removed pad.
    mutating func release(_ pad: Pad) {
        if let outlet = outlets.removeValue(forKey: pad) { free.append(outlet) }
    }

    /// Links a pad in place of a removed one.
    /// - Returns: `false` if there is none of its kind, or the link fails.
    mutating func reuse(_ pad: Pad, _ kind: String) -> Bool {
        guard let place = free.firstIndex(where: { $0.kind == kind }) else { return false }
        let outlet = free.remove(at: place)
        if let entry = outlet.entry, !pad.link(to: entry) { return false }
        outlets[pad] = outlet
        return true
    }
}
