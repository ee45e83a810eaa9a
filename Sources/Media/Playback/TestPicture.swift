internal import PlayerCore

/// `testsrc:`, colour bars and a tone, for a display and a sound card without a film.
enum TestPicture {
    static let uri = "testsrc:"
    static let title = "Test picture"

    /// The effect makes the bars' edges wave, so that a frozen picture is distinguished from a running one. It needs
    /// RGB, and a quarter of the time at half the size.
    private static let parts = [
        (
            elements: ["videotestsrc", "warptv"],
            caps: "video/x-raw,format=BGRx,width=640,height=360,framerate=25/1,pixel-aspect-ratio=1/1"
        ),
        (elements: ["audiotestsrc"], caps: "audio/x-raw,format=S16LE,rate=48000,channels=2,layout=interleaved"),
    ]

    /// Adds the picture, and if it can be heard the tone, to a pipeline.
    static func pads(in pipeline: Element, hasTone: Bool) throws(MediaFailure) -> [Pad] {
        var pads: [Pad] = []
        // An unlinked source would be an error.
        for part in parts.prefix(hasTone ? 2 : 1) {
            let filter = try Element("capsfilter")
            if let caps = Caps(part.caps) { filter.set("caps", to: caps) }
            var chain: [Element] = []
            for name in part.elements { chain.append(try Element(name)) }
            // A tenth of full scale, because it may play for hours.
            for element in chain where element.has("wave") { element.set("volume", to: 0.1) }
            try pipeline.add(chain + [filter], as: "the test picture")
            if let pad = filter.pad("src") { pads.append(pad) }
        }
        return pads
    }
}
