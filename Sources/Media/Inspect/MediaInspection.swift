internal import CGStreamer
internal import Dispatch
public import PlayerCore

/// A film's contents as GStreamer's discoverer reports them, with its key frames.
public struct MediaInspection: Hashable, Sendable {
    public struct Stream: Hashable, Sendable {
        /// The discoverer's name: "video", "video(image)" for a still, "audio", "subtitles", "unknown"; "data" for a
        /// stream that is neither video, sound nor text.
        public var kind: String
        /// The description, or the caps if GStreamer has none; "unknown" if there are no caps either.
        public var codec: String
        /// "1280x720, 25/1 fps"
        public var details: String
        /// The track's own name; `nil` if it has none.
        public var title: String?
        /// Whether this machine has a decoder for it, if it needs one.
        public var isDecodable = true
    }

    /// The name as given, without a password.
    public var name: String
    /// The file's path; `nil` for remote media.
    public var file: String?
    /// The description; `nil` if there is no container.
    public var container: String?
    /// `nil` if unknown: never 0.
    public var duration: MediaTime?
    public var isSeekable: Bool
    /// Without nested containers.
    public var streams: [Stream]
    /// The film's video, audio and subtitle tracks, in the file's order.
    public var tracks: [MediaTrack] = []
    /// Empty if the film has no chapters.
    public var chapters = ChapterList()
    /// GStreamer's tags of the whole file, by their names: "title", "artist", "container-format".
    public var metadata: [String: String] = [:]
    /// Whether the media are live: without an end, and not seekable.
    public var isLive = false
    /// Whether the film consists of concatenated recordings, in which seeking is impossible.
    var isJoined = false
    /// Whether it is HLS in pieces of MPEG-TS. GStreamer's demuxer takes a piece's first clock reference for the time
    /// of its first frame.
    var isInTransportPieces = false
    /// The index of the video track that is the film, counted from 0.
    var film = 0
    /// The times of key frames; empty for remote media and sound.
    public var keyframes: [MediaTime]
    /// `nil` if the trial was not made, or failed.
    public var decoding: DecodingSpeed?
    /// The decoder's description, in lines for people; empty if the trial was not made, or failed.
    public var decoderLines: [String] = []

    /// Opens and inspects a film; takes up to 10 s. Any thread. When its task is cancelled, it stops, and throws
    /// `.cancelled`.
    /// - Parameter findsKeyframes: whether to read the index of a local film, too.
    public static func of(
        _ location: MediaLocation, findsKeyframes: Bool = true
    ) async throws(MediaFailure) -> MediaInspection {
        let discovery = Discovery()
        let result: Result<MediaInspection, MediaFailure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "vitrine.inspect").async {
                    continuation.resume(
                        returning: Result { () throws(MediaFailure) in try discover(location, by: discovery) })
                }
            }
        } onCancel: {
            discovery.cancel()
        }
        var inspection = try result.get()
        if findsKeyframes, location.isLocal, inspection.streams.contains(where: { $0.kind == "video" }) {
            let found = await KeyframeScan(location).find()
            inspection.keyframes = found.times
            inspection.film = discovery.videoTracks.firstIndex { $0 == found.stream } ?? 0
            inspection.isJoined = found.isJoined
            if found.isJoined {
                inspection.isSeekable = false
                inspection.duration = found.end
            } else if let end = found.end {
                inspection.duration = max(inspection.duration ?? .zero, end)
            }
        }
        return inspection
    }

    private static func discover(
        _ location: MediaLocation, by discovery: Discovery
    ) throws(MediaFailure) -> MediaInspection {
        try discovery.run(location)
        guard let info = discovery.info, discovery.isRead else { throw failure(location, discovery) }
        let missing = discovery.missing
        var streams: [Stream] = []
        var tracks: [MediaTrack] = []
        for stream in info.streams {
            let kind = kind(of: stream)
            let codec = describe(stream)
            let track = MediaTrack(stream, kind, codec)
            // Nested containers are no streams.
            if !kind.hasPrefix("container") {
                streams.append(
                    Stream(
                        kind: kind, codec: codec, details: details(of: stream, kind), title: track?.title,
                        isDecodable: kind == "data" || isDecodable(stream, missing)))
            }
            if let track { tracks.append(track) }
        }
        let container = info.container
        var capabilities = SourceCapabilities()
        capabilities.isLiveSource = info.isLive
        let kind = container?.caps?.first?.name
        // HLS, DASH, Smooth Streaming: their demuxers fetch by themselves.
        capabilities.isAdaptive = ["application/x-hls", "application/dash+xml", "application/vnd.ms-sstr+xml"].contains(
            kind)
        capabilities.isEndless = kind == "multipart/x-mixed-replace" && !location.isLocal && info.duration == nil
        capabilities.offersRanges = discovery.offersRanges
        let chapters = info.chapters.isEmpty ? location.path.map { MP4Chapters.of($0) } : info.chapters
        return MediaInspection(
            name: location.name, file: location.path, container: container.map { describe($0) },
            duration: info.duration, isSeekable: capabilities.isSeekable(info.isSeekable, lasting: info.duration),
            streams: streams, tracks: tracks, chapters: chapters ?? ChapterList(), metadata: readMetadata(of: info),
            isLive: capabilities.isLive(lasting: info.duration),
            isInTransportPieces: kind == "application/x-hls" && discovery.isTransport, keyframes: [])
    }

    private static func kind(of stream: DiscovererStream) -> String {
        let kind = stream.kind
        return kind == "unknown" && stream.caps.map { MissingDecoder.isData($0.text) } == true ? "data" : kind
    }

    static func isDecodable(_ stream: DiscovererStream, _ missing: [MissingDecoder]) -> Bool {
        guard !missing.isEmpty, let caps = stream.caps else { return true }
        // GStreamer has no name for these, but the player reads them.
        return caps.isUnnamedText || !missing.contains { $0.isOf(caps) }
    }

    private static func failure(_ location: MediaLocation, _ discovery: Discovery) -> MediaFailure {
        let code = discovery.error?.code
        if code == .seek, !location.isLocal { return .needsRanges(location.name, code: code) }
        var failure = reason(location, discovery)
        if let code { failure.code = code }
        return failure
    }

    private static func reason(_ location: MediaLocation, _ discovery: Discovery) -> MediaFailure {
        let reported = discovery.error?.message ?? "cannot be read"
        let text = MediaLocation.withoutPassword(of: location.uri, reported)
        guard let info = discovery.info else {
            return MediaFailure(reason: .other, message: "\(location.name): \(text)")
        }
        switch info.result {
        case GST_DISCOVERER_MISSING_PLUGINS:
            let all = info.missingDetails
            let detail = all.first { MissingDecoder($0).isVideo } ?? all.first ?? ""
            let package = DebianPackage.having(installerDetail: detail)
            let remedy = package.map { ": sudo apt install \($0)" } ?? ""
            // gstreamer|VERSION|PROGRAM|DESCRIPTION|WHAT
            let fields = detail.split(separator: "|", omittingEmptySubsequences: false)
            let what = fields.count == 5 ? String(fields[3]) : "a plugin"
            return MediaFailure(
                reason: .missingPlugin(package: package), message: "\(location.name): missing plugin: \(what)\(remedy)",
                code: .missingPlugin)
        case GST_DISCOVERER_TIMEOUT:
            return MediaFailure(
                reason: location.isLocal ? .notMedia : .network,
                message: "\(location.name): nothing found in it within 10 s")
        default:
            let what = location.isLocal ? text : "nothing could be read from the server: \(text)"
            return MediaFailure(reason: location.isLocal ? .notMedia : .network, message: "\(location.name): \(what)")
        }
    }

    private static func describe(_ stream: DiscovererStream) -> String {
        guard let caps = stream.caps else { return "unknown" }
        return caps.isUnnamedText ? "WebVTT, or of a kind that GStreamer does not know" : caps.codec ?? caps.text
    }

    private static func details(of stream: DiscovererStream, _ kind: String) -> String {
        switch kind {
        case "video":
            let ((n, d), (across, down)) = (stream.frameRate, stream.pixelAspect)
            let upright = stream.upright
            return "\(stream.size.width)x\(stream.size.height)" + (d > 0 && n > 0 ? ", \(n)/\(d) fps" : "")
                + (stream.isInterlaced ? ", interlaced" : "")
                + (across != down ? ", pixels \(across):\(down)" : "")
                + (upright.isReflected ? ", mirrored" : "")
                + (upright.rotation != .none ? ", turned by \(upright.rotation.rawValue) degrees" : "")
        case "audio":
            let language = language(of: stream)
            return "\(stream.channels) channels, \(stream.sampleRate) Hz\(language.isEmpty ? "" : ", " + language)"
        case "subtitles": return language(of: stream)
        default: return ""
        }
    }

    private static func language(of stream: DiscovererStream) -> String {
        guard let text = stream.language else { return "" }
        // ISO 639's code for an unknown language.
        return text == "und" ? "" : LanguageTag(text)?.displayName ?? text
    }
}

extension MediaInspection {
    /// The distance between key frames: the largest and the median, `nil` if there are none. The last group ends with
    /// the film.
    public var keyframeSpacing: (most: MediaTime, median: MediaTime)? {
        guard !keyframes.isEmpty else { return nil }
        let ends = keyframes.dropFirst() + (duration.map { [$0] } ?? [])
        let gaps = zip(ends, keyframes).map { $0 - $1 }.sorted()
        guard let most = gaps.last else { return nil }
        return (most, gaps[gaps.count / 2])
    }

    /// The report for people.
    public var text: String {
        var lines = [name]
        lines += words.map { Self.line($0, $1) }
        if let container { lines.append("  container  \(container)") }
        let end = isLive ? "none: it is live" : duration?.description ?? "unknown"
        lines.append("  duration   \(end)\(isSeekable ? "" : ", not seekable")")
        lines += seeking
        lines += streams.map { stream in
            // A stream without a container may have its title from the whole file.
            let title = stream.title.flatMap { $0 == metadata["title"] ? nil : "\"\($0.prefix(200))\"" } ?? ""
            let words = [stream.codec, stream.details, title, stream.isDecodable ? "" : "left out: no decoder for it"]
            return Self.line(stream.kind, words.filter { !$0.isEmpty }.joined(separator: ", "))
        }
        lines += chapters.chapters.enumerated().map { number, chapter in
            Self.line(number == 0 ? "chapters" : "", "\(chapter.start) \(chapter.title ?? "\(number + 1)")")
        }
        lines += decoderLines.enumerated().map { Self.line($0 == 0 ? "decoder" : "", $1) }
        lines += decoding.map(playing) ?? []
        if let (most, median) = keyframeSpacing {
            lines.append(
                "  key frames \(keyframes.count), every \(Self.seconds(median)) s, at most \(Self.seconds(most)) s apart"
            )
            lines += (isJoined ? joinedVerdict : verdict(most)).enumerated().map {
                "  \($0 == 0 ? "scrubbing " : "          ") \($1)"
            }
        } else if !keyframes.isEmpty {
            lines.append("  key frames \(keyframes.count)")
        } else if duration != nil, streams.contains(where: { $0.kind == "video" }) {
            // In a remote film they are not searched for.
            lines.append("  key frames unknown")
            lines.append(Self.line("scrubbing", file == nil ? "the frame follows when the finger lifts" : "unknown"))
        }
        return lines.joined(separator: "\n")
    }

    /// The film's texts: the title, the tags with known names, then the others in alphabetical order. One per line.
    private var words: [(name: String, text: String)] {
        let known = ["title"] + FilmMetadata.names.map(\.tag)
        var tags = known.filter { metadata[$0] != nil } + metadata.keys.filter { !known.contains($0) }.sorted()
        // A day contains the same information as a time of that day.
        if metadata["date"] != nil { tags.removeAll { $0 == "datetime" } }
        return tags.filter { !Self.isReportedElsewhere($0) }.map { tag in
            let lines = metadata[tag, default: ""].split(whereSeparator: \.isNewline)
            return (tag, String(lines.joined(separator: " ").prefix(200)))
        }
    }

    /// Whether a tag is in the lines of the container and its streams, or is a codec's number.
    private static func isReportedElsewhere(_ tag: String) -> Bool {
        tag.hasSuffix("codec") || tag.hasSuffix("bitrate") || tag.hasPrefix("language-")
            || ["container-format", "image-orientation", "channel-mode", "has-crc"].contains(tag)
    }

    private static func line(_ name: String, _ value: String) -> String {
        "  \(name)\(String(repeating: " ", count: max(1, 11 - name.count)))\(value)"
    }

    private static func seconds(_ time: MediaTime) -> String {
        let hundredths = (time.nanoseconds + 5_000_000) / 10_000_000
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    /// Warnings about films in which seeking is inexact, or impossible near the end, with a command for a copy that is
    /// better. GStreamer's demuxer of MPEG-TS derives the film's length from the stream's clock, and the frames' times
    /// from the start of that clock, which is before the first frame.
    private var seeking: [String] {
        if isSeekable, isInTransportPieces {
            let words = "may miss its frame by up to a second: each piece's clock begins before its frames"
            return [Self.line("seeking", words)]
        }
        guard isSeekable, container == "MPEG-2 Transport Stream", let path = file.map(Self.asFile) else { return [] }
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        let stem = path[..<(name.dropFirst().lastIndex(of: ".") ?? path.endIndex)]
        return [
            Self.line("seeking", "the last moments cannot be reached; in this copy they can:"),
            Self.line(
                "",
                "ffmpeg -i \(Self.quoted(path)) -map 0:v:0 -map '0:a?' -c copy \(Self.quoted("\(stem).mkv"))"),
        ]
    }

    /// The effect of the key frames' distance on a drag of the bar, and the remedy.
    private func verdict(_ most: MediaTime) -> [String] {
        switch most.nanoseconds {
        // A film of 25 frames a second may exceed the second by one frame.
        case ...1_040_000_000: return ["very good: a key frame at least every second"]
        case ...4_000_000_000: return ["good: a finger that moves backwards waits for a few dozen frames at most"]
        default:
            let wait =
                "to show one frame, up to \(Self.seconds(most)) s of film are decoded: a finger that moves backwards waits"
            // The remedy for a film that is too demanding adds key frames as well.
            if let decoding, decoding.hundredths < Self.enough { return [wait] }
            return [wait, "with a key frame every second it would not:"] + (scrubCommand.map { [$0] } ?? [])
        }
    }

    /// The remedy for concatenated recordings. ffmpeg continues the times where they restart.
    private var joinedVerdict: [String] {
        ["none: recordings were put together, whose times begin anew; with times that go on it would scrub:"]
            + [command("")].compactMap { $0 }
    }

    /// Besides decoding, the player draws the bar and plays the sound.
    private static let enough: Int64 = 125

    /// Whether this machine can play the film in time, and the remedy.
    private func playing(_ decoding: DecodingSpeed) -> [String] {
        let tenths = decoding.hundredths / 10
        let words = "decoded \(tenths / 10).\(tenths % 10) times as fast as it plays, by \(decoding.decoder)"
        guard decoding.hundredths < Self.enough else { return [Self.line("playing", words)] }
        let advice =
            "too much for this machine, where frames will be left out. If something else kept it busy, try again without that. Else "
            + "make a smaller one of 30 frames a second at most, with a key frame every second:"
        return [Self.line("playing", words)] + ([advice] + [smallerCommand].compactMap { $0 }).map { Self.line("", $0) }
    }

    /// A command that makes a copy of the film beside it, with a key frame every second, and frames in 8-bit H.264,
    /// which every board plays, or in WebM's VP9; the sound is copied. `nil` if it is no file.
    public var scrubCommand: String? { command("") }

    /// The same in a size that is easier to decode: 1080 lines for a film that has more, half the size for any other.
    var smallerCommand: String? {
        let heights = tracks.compactMap { if case .video(_, let height, _) = $0.kind { height } else { nil } }
        let height = heights.dropFirst(film).first.map { $0 > 1080 ? 1080 : max($0 / 4 * 2, 2) } ?? 540
        return command(" -vf scale=-2:\(height)" + (hasLowFrameRate ? "" : ",fps=30"))
    }

    /// Whether the rate is at most 30: then showing fewer frames would make decoding no easier.
    private var hasLowFrameRate: Bool {
        tracks.contains {
            guard case .video(_, _, let length?) = $0.kind, let time = MediaTime(of: length) else { return false }
            return time.nanoseconds >= 1_000_000_000 / 30
        }
    }

    /// - Parameter filter: ffmpeg's filter for the frames.
    private func command(_ filter: String) -> String? {
        // A path that is not UTF-8 is an address, which ffmpeg does not accept.
        guard let file, !file.hasPrefix("file:") else { return nil }
        let path = Self.asFile(file)
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        let dot = name.dropFirst().lastIndex(of: ".") ?? path.endIndex
        let (stem, ending) = (path[..<dot], path[dot...].lowercased())
        let isWebM = ending == ".webm"
        // Other containers do not support H.264, or seek badly.
        let result = [".mp4", ".m4v", ".mov", ".mkv", ".webm"].contains(ending) ? ending : ".mkv"
        let codec =
            isWebM ? "-c:v libvpx-vp9 -crf 30 -b:v 0 -row-mt 1" : "-c:v libx264 -crf 18 -pix_fmt yuv420p"
        // Matroska does not support every container's subtitles (MPEG-TS's teletext), and they would not be shown.
        let subtitles = result == ending ? " -map '0:s?'" : ""
        let index = [".mp4", ".m4v", ".mov"].contains(result) ? " -movflags +faststart" : ""
        return "ffmpeg -i \(Self.quoted(path)) -map 0:v:\(film) -map '0:a?'\(subtitles) -c copy \(codec)\(filter) "
            + "-force_key_frames 'expr:gte(t,n_forced)'\(index) \(Self.quoted("\(stem)-scrub\(result)"))"
    }

    /// A path for ffmpeg, which takes "Alien: Covenant.mkv" for an address, and a film "-1.mp4" for an option.
    private static func asFile(_ path: String) -> String {
        let first = path.prefix { $0 != "/" }
        return first.hasPrefix("-") || first.contains(":") ? "./\(path)" : path
    }

    /// A text quoted for a shell.
    private static func quoted(_ text: String) -> String {
        let plain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+=".contains($0)) }
        return plain && !text.hasPrefix("-") ? text : "'\(text.replacing("'", with: "'\\''"))'"
    }
}
