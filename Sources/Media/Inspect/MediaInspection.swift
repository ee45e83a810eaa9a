internal import CGStreamer
internal import Dispatch
public import PlayerCore

/// What is in a film, as GStreamer's discoverer finds it, with its key frames.
public struct MediaInspection: Hashable, Sendable {
    public struct Stream: Hashable, Sendable {
        public var kind: String
        public var codec: String
        /// "1280x720, 25/1 fps"
        public var details: String
    }

    public var name: String
    public var container: String?
    public var duration: MediaTime?
    public var isSeekable: Bool
    public var streams: [Stream]
    /// The film's pictures, sounds and subtitles, as the file counts them.
    public var tracks: [MediaTrack] = []
    /// GStreamer's tags of the whole, by their names: "title", "artist", "container-format".
    public var metadata: [String: String] = [:]
    /// It comes as it happens: no end, and nothing to seek in.
    public var isLive = false
    /// Of the film's pictures; empty for remote media and sound.
    public var keyframes: [MediaTime]

    /// Opens and looks through the film; takes up to 10 s. Any thread.
    /// - Parameter findsKeyframes: reads the index of a local film besides.
    public static func of(
        _ location: MediaLocation, findsKeyframes: Bool = true
    ) async throws(MediaFailure) -> MediaInspection {
        let result: Result<MediaInspection, MediaFailure> = await withCheckedContinuation { continuation in
            DispatchQueue(label: "vitrine.inspect").async {
                continuation.resume(
                    returning: Result { () throws(MediaFailure) in try discover(location) })
            }
        }
        var inspection = try result.get()
        if findsKeyframes, location.isLocal, inspection.streams.contains(where: { $0.kind == "video" }) {
            inspection.keyframes = await KeyframeScan(location).times()
        }
        return inspection
    }

    private static func discover(_ location: MediaLocation) throws(MediaFailure) -> MediaInspection {
        try GStreamer.start()
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard let discoverer = gst_discoverer_new(10_000_000_000, &error) else {
            throw MediaFailure(reason: .cannotBuild, message: "GStreamer has no discoverer")
        }
        defer { g_object_unref(discoverer) }
        let info = gst_discoverer_discover_uri(discoverer, location.uri, &error)
        defer { if let info { g_object_unref(UnsafeMutableRawPointer(info)) } }
        guard let info, gst_discoverer_info_get_result(info) == GST_DISCOVERER_OK else {
            throw failure(location, info, error)
        }
        var streams: [Stream] = []
        var tracks: [MediaTrack] = []
        var container: String?
        let list = gst_discoverer_info_get_stream_list(info)
        defer { gst_discoverer_stream_info_list_free(list) }
        var item = list
        while let node = item {
            if let data = node.pointee.data {
                let stream = OpaquePointer(data)
                let kind = String(cString: gst_discoverer_stream_info_get_stream_type_nick(stream))
                let codec = describe(stream)
                if kind.hasPrefix("container") {
                    container = codec
                } else {
                    streams.append(Stream(kind: kind, codec: codec, details: details(of: stream, kind)))
                    if let track = MediaTrack(stream, kind, codec) { tracks.append(track) }
                }
            }
            item = node.pointee.next
        }
        let duration = gst_discoverer_info_get_duration(info)
        return MediaInspection(
            name: location.name, container: container,
            duration: duration == 0 || duration == UInt(bitPattern: -1) ? nil : MediaTime(nanoseconds: Int64(duration)),
            isSeekable: gst_discoverer_info_get_seekable(info) != 0, streams: streams, tracks: tracks,
            metadata: readMetadata(of: info), isLive: gst_discoverer_info_get_live(info) != 0, keyframes: [])
    }

    private static func failure(
        _ location: MediaLocation, _ info: OpaquePointer?, _ error: UnsafeMutablePointer<GError>?
    ) -> MediaFailure {
        var failure = reason(location, info, error)
        if let error = error?.pointee {
            let domain = GStreamerCode.Domain(quark: String(cString: g_quark_to_string(error.domain)))
            failure.code = GStreamerCode(domain: domain, number: Int32(error.code))
        }
        return failure
    }

    private static func reason(
        _ location: MediaLocation, _ info: OpaquePointer?, _ error: UnsafeMutablePointer<GError>?
    ) -> MediaFailure {
        let text = error.map { String(cString: $0.pointee.message) } ?? "cannot be read"
        guard let info else { return MediaFailure(reason: .other, message: "\(location.name): \(text)") }
        switch gst_discoverer_info_get_result(info) {
        case GST_DISCOVERER_MISSING_PLUGINS:
            let details = gst_discoverer_info_get_missing_elements_installer_details(info)
            let detail = details?.pointee.map { String(cString: $0) } ?? ""
            let package = DebianPackage.having(installerDetail: detail)
            let remedy = package.map { ": sudo apt install \($0)" } ?? ""
            // gstreamer|VERSION|PROGRAM|DESCRIPTION|WHAT
            let fields = detail.split(separator: "|", omittingEmptySubsequences: false)
            let what = fields.count == 5 ? String(fields[3]) : "a plugin"
            return MediaFailure(
                reason: .missingPlugin(package: package), message: "\(location.name): missing plugin: \(what)\(remedy)")
        case GST_DISCOVERER_TIMEOUT:
            return MediaFailure(
                reason: location.isLocal ? .notMedia : .network,
                message: "\(location.name): nothing found in it within 10 s")
        default:
            return MediaFailure(reason: location.isLocal ? .notMedia : .network, message: "\(location.name): \(text)")
        }
    }

    private static func describe(_ stream: OpaquePointer) -> String {
        guard let caps = gst_discoverer_stream_info_get_caps(stream) else { return "unknown" }
        defer { gst_caps_unref(caps) }
        return takeString(gst_pb_utils_get_codec_description(caps)) ?? takeString(gst_caps_to_string(caps)) ?? "unknown"
    }

    private static func details(of stream: OpaquePointer, _ kind: String) -> String {
        switch kind {
        case "video":
            let size = "\(gst_discoverer_video_info_get_width(stream))x\(gst_discoverer_video_info_get_height(stream))"
            let (n, d) = (
                gst_discoverer_video_info_get_framerate_num(stream),
                gst_discoverer_video_info_get_framerate_denom(stream)
            )
            let (across, down) = (
                gst_discoverer_video_info_get_par_num(stream), gst_discoverer_video_info_get_par_denom(stream)
            )
            return size + (d > 0 && n > 0 ? ", \(n)/\(d) fps" : "")
                + (across != down ? ", pixels \(across):\(down)" : "")
        case "audio":
            let language = gst_discoverer_audio_info_get_language(stream).map { ", \(String(cString: $0))" } ?? ""
            return "\(gst_discoverer_audio_info_get_channels(stream)) channels, "
                + "\(gst_discoverer_audio_info_get_sample_rate(stream)) Hz\(language)"
        default: return ""
        }
    }
}

extension MediaInspection {
    /// How far apart the key frames are: the most and the median, `nil` where there are fewer than two.
    public var keyframeSpacing: (most: MediaTime, median: MediaTime)? {
        guard keyframes.count > 1 else { return nil }
        let gaps = zip(keyframes.dropFirst(), keyframes).map { $0 - $1 }.sorted()
        return (gaps[gaps.count - 1], gaps[gaps.count / 2])
    }

    /// For people.
    public var text: String {
        var lines = [name]
        if let container { lines.append("  container  \(container)") }
        lines.append("  duration   \(duration?.description ?? "unknown")\(isSeekable ? "" : ", not seekable")")
        lines += streams.map { stream in
            "  \(stream.kind)\(String(repeating: " ", count: max(1, 11 - stream.kind.count)))\(stream.codec)"
                + (stream.details.isEmpty ? "" : ", \(stream.details)")
        }
        if let (most, median) = keyframeSpacing {
            lines.append(
                "  key frames \(keyframes.count), every \(Self.seconds(median)) s, at most \(Self.seconds(most)) s apart"
            )
            lines.append("  scrubbing  \(Self.verdict(most))")
        } else if !keyframes.isEmpty {
            lines.append("  key frames \(keyframes.count)")
        }
        return lines.joined(separator: "\n")
    }

    private static func seconds(_ time: MediaTime) -> String {
        let hundredths = (time.nanoseconds + 5_000_000) / 10_000_000
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    private static func verdict(_ most: MediaTime) -> String {
        switch most.nanoseconds {
        case ...1_000_000_000: "very good: a key frame at least every second"
        case ...4_000_000_000: "good"
        default: "a finger moving backwards waits for long groups; key frames every second would mend it"
        }
    }
}
