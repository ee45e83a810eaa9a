internal import CGStreamer

/// Where the pads of a decoder lead. Those that go leave their place to the next ones of their kind: hlsdemux's streams get
/// other pads, and the decoder others, whenever the bitrate changes.
///
/// Threads: as `PadLinker`'s.
struct PadOutlets: ~Copyable {
    private struct Outlet {
        let kind: String
        /// `nil` for what is not played.
        let entry: UnsafeMutablePointer<GstPad>?
    }

    private var outlets: [UnsafeMutablePointer<GstPad>: Outlet] = [:]
    /// In the order in which their pads went.
    private var free: [Outlet] = []

    deinit {
        for outlet in outlets.values + free { outlet.entry.map { gst_object_unref($0) } }
    }

    /// A pad that has been linked, or is not to be.
    mutating func note(_ pad: UnsafeMutablePointer<GstPad>, _ kind: String?) {
        let before = outlets.updateValue(Outlet(kind: kind ?? "", entry: gst_pad_get_peer(pad)), forKey: pad)
        if let entry = before?.entry { gst_object_unref(entry) }
    }

    /// The pad is gone.
    mutating func release(_ pad: UnsafeMutablePointer<GstPad>) {
        if let outlet = outlets.removeValue(forKey: pad) { free.append(outlet) }
    }

    /// Links a pad in the place of one that went.
    /// - Returns: `false` where none of its kind did, or its place does not take it.
    mutating func reuse(_ pad: UnsafeMutablePointer<GstPad>, _ kind: String) -> Bool {
        guard let place = free.firstIndex(where: { $0.kind == kind }) else { return false }
        let outlet = free.remove(at: place)
        if let entry = outlet.entry, gst_pad_link(pad, entry) != GST_PAD_LINK_OK {
            gst_object_unref(entry)
            return false
        }
        outlets[pad] = outlet
        return true
    }
}
