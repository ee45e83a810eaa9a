internal import CGStreamer
internal import PlayerCore

/// Makes the `videoflip` that turns pictures; `nil` for the identity.
/// - Returns: a floating reference.
func makeFlip(_ turn: DisplayTransform, name: String) throws(MediaFailure) -> UnsafeMutablePointer<GstElement>? {
    guard turn != .identity else { return nil }
    let flip = try makeElement("videoflip", name: name)
    setProperty(flip, "video-direction", serialized: turn.direction)
    return flip
}

/// Those of a sink's formats that a `videoflip` takes; it knows no 4:2:2 of 8 bits in planes. All of them where it takes none.
func formats(_ formats: [String], takenBy flip: UnsafeMutablePointer<GstElement>) -> [String] {
    guard let pad = gst_element_get_static_pad(flip, "sink"), let taken = gst_pad_get_pad_template_caps(pad) else {
        return formats
    }
    defer {
        gst_caps_unref(taken)
        gst_object_unref(pad)
    }
    let both = formats.filter { format in
        let caps = gst_caps_from_string("video/x-raw,format=\(format)")
        defer { gst_caps_unref(caps) }
        return gst_caps_can_intersect(caps, taken) != 0
    }
    return both.isEmpty ? formats : both
}

extension DisplayTransform {
    /// What brings a film's pictures upright, as its tags say.
    init(uprightAt pad: UnsafeMutablePointer<GstPad>) {
        self = .identity
        forEachTags(at: pad) { self = Self(in: $0) ?? self }
    }

    init?(in tags: TagList) {
        guard let orientation = tags[GST_TAG_IMAGE_ORIENTATION] else { return nil }
        self.init(orientation: orientation)
    }

    /// `nil` where the tags do not say how the pictures stand.
    init?(in tags: UnsafePointer<GstTagList>) {
        guard let orientation = tagText(GST_TAG_IMAGE_ORIENTATION, in: tags) else { return nil }
        self.init(orientation: orientation)
    }

    /// GStreamer's name for it (`GstVideoOrientationMethod`). Reflected and turned by a quarter, it is a mirror on a
    /// diagonal.
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
