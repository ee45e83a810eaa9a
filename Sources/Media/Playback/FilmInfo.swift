internal import CGStreamer
internal import PlayerCore

/// Collects a film's media info from its streams, its tags and the pipeline's answers. For the film's worker.
final class FilmInfo {
    private(set) var mediaInfo: MediaInfo
    private var metadata = FilmMetadata()
    /// The least duration, from its frames, whatever the demuxer says.
    private var leastDuration: MediaTime?
    /// Whether the film consists of concatenated recordings: it is not seekable, and its duration is `leastDuration`.
    private var isJoined = false
    private let pipeline: Element
    private let source: FilmSource
    private let video: VideoBranch
    private let audio: AudioBranch

    init(_ location: MediaLocation, pipeline: Element, source: FilmSource, video: VideoBranch, audio: AudioBranch) {
        mediaInfo = MediaInfo(isLocal: location.isLocal, hasVideo: false, title: location.title)
        self.pipeline = pipeline
        self.source = source
        self.video = video
        self.audio = audio
    }

    /// The sink that keeps the film's time. A pipeline queries all of its sinks and returns the largest answer: the
    /// subtitles' sinks are far ahead, and WebVTT's parser in MP4 reports that seeking is impossible.
    var clockedSink: Element? {
        mediaInfo.hasVideo ? video.sink : audio.sink ?? pipeline.child(PadLinker.silence)
    }

    /// Queries the pipeline's own information.
    func refresh(isReady: Bool) {
        mediaInfo.heardTrack = audio.number
        mediaInfo.isAdaptive = source.capabilities.isAdaptive
        // An adaptive demuxer answers only between two downloads.
        guard !mediaInfo.isLive || !isReady || !source.capabilities.isAdaptive else { return }
        if let duration = pipeline.duration() { mediaInfo.duration = mediaTime(duration) }
        if let least = leastDuration { mediaInfo.duration = isJoined ? least : max(mediaInfo.duration ?? .zero, least) }
        // Live media stay live.
        if source.capabilities.isLive(lasting: mediaInfo.duration) { mediaInfo.isLive = true }
        // A server may report the length of data that it sends again and again.
        if mediaInfo.isLive { mediaInfo.duration = nil }
        if let isAnswered = clockedSink?.isSeekable {
            let isSeekable = source.capabilities.isSeekable(isAnswered, lasting: mediaInfo.duration)
            mediaInfo.isSeekable = !mediaInfo.isLive && !isJoined && isSeekable
        }
        if !mediaInfo.isLocal, !mediaInfo.isLive, let duration = mediaInfo.duration {
            source.setReadAhead(lasting: duration)
        }
    }

    func becomeLive() { mediaInfo.isLive = true }

    func learnSound() { mediaInfo.hasAudio = true }

    /// Learns the frames' size in square pixels, upright, and their duration.
    func learnVideo(_ info: GstVideoInfo?) {
        mediaInfo.hasVideo = true
        mediaInfo.decoder = video.decoder.current
        guard let info else { return }
        (mediaInfo.codedWidth, mediaInfo.codedHeight) = (Int(info.width), Int(info.height))
        mediaInfo.orientation = video.upright
        let width = Int(info.width) * Int(info.par_n) / max(Int(info.par_d), 1)
        (mediaInfo.width, mediaInfo.height) = mediaInfo.orientation.size(width: width, height: Int(info.height))
        if let length = MediaTime(value: Int64(info.fps_d), timescale: Int64(info.fps_n), rounding: .down) {
            // Longer durations come from a damaged header.
            mediaInfo.frameDuration = length <= .seconds(3600) ? length : nil
        }
    }

    func learn(_ track: MediaOption) {
        if let place = mediaInfo.tracks.firstIndex(where: { $0.kind == track.kind && $0.number == track.number }) {
            guard mediaInfo.tracks[place] != track else { return }
            mediaInfo.tracks[place] = track
        } else {
            mediaInfo.tracks.append(track)
        }
        mediaInfo.heardTrack = audio.number
    }

    func learn(_ chapters: ChapterList) {
        if !chapters.isEmpty { mediaInfo.chapters = chapters }
    }

    /// - Parameter source: identifies the object that reports the tags.
    func learn(_ tags: TagList, from source: UInt) {
        metadata.learn(of: tags.areGlobal ? nil : source) { tags[$0] }
        // A track's title is not the film's, unless there is only that track: MP3 and Ogg.
        let isAlone = mediaInfo.tracks.count == 1 && !mediaInfo.hasVideo
        if let title = tags[GST_TAG_TITLE], isAlone || !mediaInfo.tracks.contains(where: { $0.title == title }) {
            mediaInfo.title = title
            metadata.title = title
        }
        mediaInfo.metadata = metadata.texts
        if let codec = tags[GST_TAG_VIDEO_CODEC] { mediaInfo.videoCodec = codec }
    }

    /// Learns the results of the key frame scan.
    func learn(_ found: Keyframes) {
        leastDuration = found.end
        isJoined = found.isJoined
    }
}
