/// What GStreamer has no decoder for, as the installer detail of a missing plugin says it: `…|decoder-video/x-h264, …`.
struct MissingDecoder {
    /// "video/x-h264, profile=(string)high"; empty for another plugin than a decoder.
    let caps: String

    init(_ detail: String) {
        let wanted = detail.split(separator: "|").last ?? ""
        caps = wanted.hasPrefix("decoder-") ? String(wanted.dropFirst("decoder-".count)) : ""
    }

    /// A camera's telemetry, a place, an event: no player needs it, and there is no decoder.
    var isOfData: Bool { Self.isData(caps) }

    /// A video track, or a container that may have one.
    var isVideo: Bool { caps.hasPrefix("video/") }

    /// - Parameter caps: as text.
    static func isData(_ caps: String) -> Bool {
        caps.hasPrefix("meta/") || caps.contains("onvif-metadata")
            || caps.hasPrefix("application/x-rtp") && caps.contains("media=(string)application")
    }

    /// Whether a stream is of this kind.
    func isOf(_ stream: Caps) -> Bool { Caps(caps)?.canIntersect(stream) ?? false }
}
