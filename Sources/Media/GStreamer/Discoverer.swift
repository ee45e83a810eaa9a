internal import CGStreamer
internal import PlayerCore

/// The results of GStreamer's discoverer for a film.
final class DiscovererInfo: Object, @unchecked Sendable {
    private var raw: OpaquePointer { OpaquePointer(object) }

    var result: GstDiscovererResult { gst_discoverer_info_get_result(raw) }
    /// `nil` if unknown.
    var duration: MediaTime? {
        let nanoseconds = gst_discoverer_info_get_duration(raw)
        // GST_CLOCK_TIME_NONE does not fit.
        return nanoseconds == 0 ? nil : Int64(exactly: nanoseconds).flatMap { mediaTime($0) }
    }
    var isSeekable: Bool { gst_discoverer_info_get_seekable(raw) != 0 }
    var isLive: Bool { gst_discoverer_info_get_live(raw) != 0 }
    var chapters: ChapterList { gst_discoverer_info_get_toc(raw).map { ChapterList($0) } ?? ChapterList() }

    /// The streams, including those within containers, and nested containers.
    var streams: [DiscovererStream] {
        let list = gst_discoverer_info_get_stream_list(raw)
        defer { gst_discoverer_stream_info_list_free(list) }
        return items(of: list).map { DiscovererStream(sharing: $0) }
    }

    /// The container; `nil` for a single stream without one.
    var container: DiscovererStream? {
        guard let whole = DiscovererStream(owning: gst_discoverer_info_get_stream_info(raw).map { .init($0) }),
            whole.kind.hasPrefix("container")
        else { return nil }
        return whole
    }

    /// The installer details of each missing plugin.
    var missingDetails: [String] {
        guard let details = gst_discoverer_info_get_missing_elements_installer_details(raw) else { return [] }
        return sequence(first: details) { $0 + 1 }.lazy.map(\.pointee).prefix { $0 != nil }
            .compactMap { $0.map { String(cString: $0) } }
    }
}

final class DiscovererStream: Object, @unchecked Sendable {
    private var raw: OpaquePointer { OpaquePointer(object) }

    /// The discoverer's type name: "video", "video(image)", "audio", "subtitles", "unknown", "container".
    var kind: String { String(cString: gst_discoverer_stream_info_get_stream_type_nick(raw)) }
    /// The stream's id within the file.
    var name: String? { gst_discoverer_stream_info_get_stream_id(raw).map { String(cString: $0) } }
    var caps: Caps? { Caps(owning: gst_discoverer_stream_info_get_caps(raw)) }
    var tags: TagList? {
        gst_discoverer_stream_info_get_tags(raw).map { TagList(sharing: UnsafeMutableRawPointer(mutating: $0)) }
    }
    /// A container's own tags.
    var containerTags: TagList? {
        gst_discoverer_container_info_get_tags(raw).map { TagList(sharing: UnsafeMutableRawPointer(mutating: $0)) }
    }

    // Video streams only.
    var size: (width: Int, height: Int) {
        (Int(gst_discoverer_video_info_get_width(raw)), Int(gst_discoverer_video_info_get_height(raw)))
    }
    var pixelAspect: (numerator: Int, denominator: Int) {
        (Int(gst_discoverer_video_info_get_par_num(raw)), Int(gst_discoverer_video_info_get_par_denom(raw)))
    }
    var frameRate: (numerator: Int64, denominator: Int64) {
        (
            Int64(gst_discoverer_video_info_get_framerate_num(raw)),
            Int64(gst_discoverer_video_info_get_framerate_denom(raw))
        )
    }
    var isInterlaced: Bool { gst_discoverer_video_info_is_interlaced(raw) != 0 }
    var upright: DisplayTransform { tags.flatMap { DisplayTransform(in: $0) } ?? .identity }

    // Audio and subtitle streams.
    var channels: Int { Int(gst_discoverer_audio_info_get_channels(raw)) }
    var sampleRate: Int { Int(gst_discoverer_audio_info_get_sample_rate(raw)) }
    var language: String? {
        let code =
            kind == "audio"
            ? gst_discoverer_audio_info_get_language(raw) : gst_discoverer_subtitle_info_get_language(raw)
        return code.map { String(cString: $0) }
    }
}
