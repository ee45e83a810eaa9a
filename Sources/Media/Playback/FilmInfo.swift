internal import CGStreamer
internal import PlayerCore

/// What is known of a film, from its streams, its tags and what the pipeline answers. For the film's worker.
final class FilmInfo {
    private(set) var mediaInfo: MediaInfo
    private var metadata = FilmMetadata()
    /// Its frames go on until then at the least, whatever the demuxer says.
    private var leastDuration: MediaTime?
    /// Of recordings that were put together: nothing can be sought in it, and it is as long as `leastDuration`.
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

    /// The sink that keeps the film's time. A pipeline asks all of its sinks and believes the farthest one: the subtitles'
    /// are far ahead, and WebVTT's parser in MP4 says that nothing can be sought in.
    var clockedSink: Element? {
        mediaInfo.hasVideo ? video.sink : audio.sink ?? pipeline.child(PadLinker.silence)
    }

    /// Asks the pipeline what only it knows.
    func refresh(isReady: Bool) {
        mediaInfo.heardTrack = audio.number
        // Its demuxer answers only between two downloads.
        guard !mediaInfo.isLive || !isReady || !source.capabilities.isAdaptive else { return }
        if let duration = pipeline.duration() { mediaInfo.duration = mediaTime(duration) }
        if let least = leastDuration { mediaInfo.duration = isJoined ? least : max(mediaInfo.duration ?? .zero, least) }
        // What was live stays so.
        if source.capabilities.isLive(lasting: mediaInfo.duration) { mediaInfo.isLive = true }
        // A server may give the length of what it sends again and again.
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

    /// There are frames: their size in square pixels, upright, and how long one stands.
    func learnVideo(_ info: GstVideoInfo?) {
        mediaInfo.hasVideo = true
        mediaInfo.decoder = video.decoder.current
        guard let info else { return }
        (mediaInfo.codedWidth, mediaInfo.codedHeight) = (Int(info.width), Int(info.height))
        mediaInfo.orientation = video.upright
        let width = Int(info.width) * Int(info.par_n) / max(Int(info.par_d), 1)
        (mediaInfo.width, mediaInfo.height) = mediaInfo.orientation.size(width: width, height: Int(info.height))
        if let length = MediaTime(value: Int64(info.fps_d), timescale: Int64(info.fps_n), rounding: .down) {
            // Longer ones are a damaged header's.
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

    /// - Parameter source: one for each object that tells tags.
    func learn(_ tags: TagList, from source: UInt) {
        metadata.learn(of: tags.areGlobal ? nil : source) { tags[$0] }
        // A track's is none of the film's, but where it is all there is: MP3 and Ogg.
        let isAlone = mediaInfo.tracks.count == 1 && !mediaInfo.hasVideo
        if let title = tags[GST_TAG_TITLE], isAlone || !mediaInfo.tracks.contains(where: { $0.title == title }) {
            mediaInfo.title = title
            metadata.title = title
        }
        mediaInfo.metadata = metadata.texts
        if let codec = tags[GST_TAG_VIDEO_CODEC] { mediaInfo.videoCodec = codec }
    }

    /// What reading the film has found out.
    func learn(_ found: Keyframes) {
        leastDuration = found.end
        isJoined = found.isJoined
    }
}
