internal import CGStreamer
public import PlayerCore

/// One track of a film: its pictures, a sound, subtitles.
public struct MediaTrack: Hashable, Sendable {
    /// What a track is of, with what is known of it before it plays.
    public enum Kind: Hashable, Sendable {
        /// Square pixels, upright, are `width` by `height`; each picture stands for `frameDuration`, `nil` where that varies or is
        /// unknown.
        case video(width: Int, height: Int, frameDuration: RationalTime?)
        /// `sampleRate` in hertz.
        case audio(channels: Int, sampleRate: Int)
        /// Text or pictures of text.
        case subtitle
    }

    /// Its pictures, a sound, subtitles.
    public var kind: Kind
    /// In words: "H.264 (High Profile)".
    public var codec: String
    /// As the file says it, ISO 639: "en", "deu"; `nil` where it does not.
    public var language: String?
    /// The file's own name for it.
    public var title: String?
}

extension MediaTrack {
    /// - Parameter kind: the discoverer's name of it; `nil` comes of what is neither picture, sound nor subtitle.
    init?(_ stream: OpaquePointer, _ kind: String, _ codec: String) {
        switch kind {
        case "video": self.kind = Self.video(stream)
        case "audio":
            self.kind = .audio(
                channels: Int(gst_discoverer_audio_info_get_channels(stream)),
                sampleRate: Int(gst_discoverer_audio_info_get_sample_rate(stream)))
        case "subtitles": self.kind = .subtitle
        default: return nil
        }
        self.codec = codec
        let tags = gst_discoverer_stream_info_get_tags(stream)
        language = tags.flatMap { tagText("language-code", in: $0) }
        title = tags.flatMap { tagText("title", in: $0) }
    }

    private static func video(_ stream: OpaquePointer) -> Kind {
        let (across, down) = (
            Int(gst_discoverer_video_info_get_par_num(stream)), Int(gst_discoverer_video_info_get_par_denom(stream))
        )
        let upright = gst_discoverer_stream_info_get_tags(stream).flatMap { DisplayTransform(in: $0) } ?? .identity
        let (width, height) = upright.size(
            width: Int(gst_discoverer_video_info_get_width(stream)) * max(across, 1) / max(down, 1),
            height: Int(gst_discoverer_video_info_get_height(stream)))
        return .video(
            width: width, height: height,
            frameDuration: RationalTime(
                pictures: Int64(gst_discoverer_video_info_get_framerate_num(stream)),
                perSeconds: Int64(gst_discoverer_video_info_get_framerate_denom(stream))))
    }
}

extension MediaInspection {
    /// The container's tags, and what its streams say besides but for names and languages, which are theirs alone;
    /// pictures and other lumps are left out.
    static func readMetadata(of info: OpaquePointer) -> [String: String] {
        let container = container(of: info)
        defer { if let container { g_object_unref(UnsafeMutableRawPointer(container)) } }
        var metadata = container.flatMap { gst_discoverer_container_info_get_tags($0) }.map { texts(in: $0) } ?? [:]
        let list = gst_discoverer_info_get_stream_list(info)
        defer { gst_discoverer_stream_info_list_free(list) }
        var item = list
        while let node = item {
            if let data = node.pointee.data, let tags = gst_discoverer_stream_info_get_tags(OpaquePointer(data)) {
                let own: Set = container == nil ? [] : ["title", "language-code"]
                metadata.merge(texts(in: tags).filter { !own.contains($0.key) }) { old, _ in old }
            }
            item = node.pointee.next
        }
        return metadata
    }

    /// What holds the streams; `nil` where there is but one, in nothing. The caller owns the reference.
    static func container(of info: OpaquePointer) -> OpaquePointer? {
        guard let whole = gst_discoverer_info_get_stream_info(info) else { return nil }
        let kind = String(cString: gst_discoverer_stream_info_get_stream_type_nick(whole))
        if kind.hasPrefix("container") { return whole }
        g_object_unref(UnsafeMutableRawPointer(whole))
        return nil
    }

    private static func texts(in tags: UnsafePointer<GstTagList>) -> [String: String] {
        var texts: [String: String] = [:]
        for index in 0..<max(gst_tag_list_n_tags(tags), 0) {
            guard let name = gst_tag_list_nth_tag_name(tags, UInt32(index)) else { continue }
            texts[String(cString: name)] = tagText(String(cString: name), in: tags)
        }
        return texts
    }
}
