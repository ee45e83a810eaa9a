internal import CGStreamer
internal import PlayerCore

/// Makes the `videoflip` that turns frames; `nil` for the identity.
func makeFlip(_ turn: DisplayTransform, name: String) throws(MediaFailure) -> Element? {
    guard turn != .identity else { return nil }
    let flip = try Element("videoflip", name: name)
    flip.set("video-direction", serialized: turn.direction)
    return flip
}

/// The formats of a sink that a `videoflip` supports; planar 4:2:2 of 8 bits is not among them. All of them if it
/// supports none.
func formats(_ formats: [String], takenBy flip: Element) -> [String] {
    guard let taken = flip.pad("sink")?.templateCaps else { return formats }
    let both = formats.filter { Caps("video/x-raw,format=\($0)")?.canIntersect(taken) == true }
    return both.isEmpty ? formats : both
}

extension DisplayTransform {
    /// The transform that brings a film's frames upright, from its tags.
    init(uprightAt pad: Pad) {
        self.init(upright: pad.decoderEntry.tagsOnTheWay + pad.tags)
    }

    /// The last tag with an orientation counts.
    init(upright tags: [TagList]) {
        self = tags.reversed().lazy.compactMap { Self(in: $0) }.first ?? .identity
    }

    /// `nil` if the tags contain no orientation.
    init?(in tags: TagList) {
        guard let orientation = tags[GST_TAG_IMAGE_ORIENTATION] else { return nil }
        self.init(orientation: orientation)
    }

    /// GStreamer's name of the transform (`GstVideoOrientationMethod`). A reflection with a quarter turn is a
    /// reflection on a diagonal.
    fileprivate var direction: String {
        switch (rotation, isReflected) {
        case (.none, false): "identity"
        case (.quarter, false): "90r"
        case (.half, false): "180"
        case (.threeQuarters, false): "90l"
        case (.none, true): "horiz"
        case (.quarter, true): "ur-ll"
        case (.half, true): "vert"
        case (.threeQuarters, true): "ul-lr"
        }
    }
}
