extension Pad {
    /// Whether this pad of `parsebin` carries the film's frames.
    var carriesVideo: Bool {
        // An animated GIF.
        possibleCaps?.first.map { $0.name.hasPrefix("video/") || $0.name == "image/gst-libav-gif" } ?? false
    }

    /// Whether this pad of `parsebin` carries JPEGs, as some cameras' films, and neither a cover nor a thumbnail.
    var carriesMovingJPEGs: Bool {
        guard let format = possibleCaps?.first, format.name == "image/jpeg" else { return false }
        return format.fraction("framerate").map { $0.numerator > $0.denominator } ?? false
    }

    /// Links this pad of `parsebin` in place of one that is less likely the film. Before data flows.
    func relinkBest(to entry: Pad) {
        if let linked = entry.peer {
            guard VideoTrack.best(of: [linked, self]) == self else { return }
            linked.unlink(from: entry)
        }
        _ = link(to: entry)
    }
}
