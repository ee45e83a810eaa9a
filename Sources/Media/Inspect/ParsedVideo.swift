extension Pad {
    /// Whether the film's frames come from this pad of `parsebin`'s.
    var carriesVideo: Bool {
        // An animated GIF.
        possibleCaps?.first.map { $0.name.hasPrefix("video/") || $0.name == "image/gst-libav-gif" } ?? false
    }

    /// Links it, one of `parsebin`'s, in the place of one that is less the film. Before anything flows.
    func relinkBest(to entry: Pad) {
        if let linked = entry.peer {
            guard VideoTrack.best(of: [linked, self]) == self else { return }
            linked.unlink(from: entry)
        }
        _ = link(to: entry)
    }
}
