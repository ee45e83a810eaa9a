/// A missing decoder, from the installer detail of a missing plugin: `…|decoder-video/x-h264, …`.
struct MissingDecoder {
    /// "video/x-h264, profile=(string)high"; empty for a plugin that is no decoder.
    let caps: String

    init(_ detail: String) {
        let wanted = detail.split(separator: "|").last ?? ""
        caps = wanted.hasPrefix("decoder-") ? String(wanted.dropFirst("decoder-".count)) : ""
    }

    /// Whether the stream is data: a camera's telemetry, a place, an event. No player needs it, and there is no
    /// decoder.
    var isOfData: Bool { Self.isData(caps) }

    /// Whether it is a video track, or a container that may have one.
    var isVideo: Bool { caps.hasPrefix("video/") }

    /// - Parameter caps: the caps as text.
    static func isData(_ caps: String) -> Bool {
        caps.hasPrefix("meta/") || caps.contains("onvif-metadata")
            || caps.hasPrefix("application/x-rtp") && caps.contains("media=(string)application")
    }

    /// Whether a stream is of this kind.
    func isOf(_ stream: Caps) -> Bool { Caps(caps)?.canIntersect(stream) ?? false }
}
