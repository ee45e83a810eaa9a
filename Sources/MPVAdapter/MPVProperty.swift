/// The properties that clients can read, by mpv's names. Vitrine's own begin with `vitrine/`.
enum MPVProperty: String, CaseIterable {
    case timePos = "time-pos"
    case playbackTime = "playback-time"
    case timeRemaining = "time-remaining"
    /// At the present speed.
    case playtimeRemaining = "playtime-remaining"
    case percentPos = "percent-pos"
    case duration
    case pause
    case path
    case filename
    case mediaTitle = "media-title"
    /// The film's metadata, by mpv's names.
    case metadata
    case eofReached = "eof-reached"
    case coreIdle = "core-idle"
    case idleActive = "idle-active"
    case seeking
    case seekable
    case voConfigured = "vo-configured"
    case pausedForCache = "paused-for-cache"
    case cacheBufferingState = "cache-buffering-state"
    case demuxerCacheTime = "demuxer-cache-time"
    case speed
    case playDirection = "play-direction"
    /// fit, fill or stretch.
    case gravity = "vitrine/gravity"
    case panscan
    case keepaspect
    case width
    case height
    case containerFPS = "container-fps"
    /// The hardware's decoder by GStreamer's name; "no" where the processor decodes.
    case hwdecCurrent = "hwdec-current"
    /// What decodes the film's video, by GStreamer's name.
    case decoder = "vitrine/decoder"
    case osdWidth = "osd-width"
    case osdHeight = "osd-height"
    /// Whether there is nothing else on the screen.
    case fullscreen
    case playlistPos = "playlist-pos"
    /// Counted from 1.
    case playlistPosFromOne = "playlist-pos-1"
    case playlistCount = "playlist-count"
    case playlist
    case loopFile = "loop-file"
    case loopPlaylist = "loop-playlist"
    /// What happens at the end of the playlist: pause, stop, loop, next.
    case atEnd = "vitrine/end"
    /// How many films were played to their end.
    case ends = "vitrine/ends"
    case trackList = "track-list"
    case chapterList = "chapter-list"
    case chapters
    /// Counted from 0; -1 before the first one.
    case chapter
    case aid
    case sid
    case alang
    case slang
    /// The subtitles' text that is shown.
    case subText = "sub-text"
    case subVisibility = "sub-visibility"
    /// Per cent of the film's own loudness.
    case volume
    case volumeMax = "volume-max"
    case mute
    /// Where the sound is to come out: "auto", or a route's name, or what else `--sound` accepts.
    case audioDevice = "audio-device"
    case audioDeviceList = "audio-device-list"
    /// The route that the sound comes out of; none where it is not heard.
    case soundRoute = "vitrine/sound-route"
    case mpvVersion = "mpv-version"
    case pid
    /// Frames that reached the screen, of all films since the start.
    case framesShown = "vitrine/frames-shown"
    /// Frames that were too late for the screen, of all films since the start.
    case framesDropped = "vitrine/frames-dropped"
    /// The last frames on the screen, of all films: where in the film each stands, and when it was shown (CLOCK_MONOTONIC), in
    /// ns.
    case recentFrames = "vitrine/recent-frames"
    /// Where in the film, in ns, the frame on the screen stands.
    case frameTime = "vitrine/frame-time"
    /// Pictures of scrub sheets that reached the display.
    case sheetFramesShown = "vitrine/sheet-pictures-shown"
    /// Where in the film, in ns, the scrub sheet's picture stands that lies over it under a finger.
    case sheetFrameTime = "vitrine/sheet-picture-time"
    case seeksAsked = "vitrine/seeks-asked"
    case seeksSent = "vitrine/seeks-sent"
    case seeksCompleted = "vitrine/seeks-completed"
    case rebuilds = "vitrine/rebuilds"
    /// CLOCK_MONOTONIC, ns: the last touch; the newest touch of the bar that was answered; when its frame was shown.
    case lastTouch = "vitrine/last-touch"
    case answeredTouch = "vitrine/answered-touch"
    case lastAnswer = "vitrine/last-answer"
    case osdVisible = "vitrine/osd-visible"
    /// Buffers that went to the OSD's plane.
    case osdUpdates = "vitrine/osd-updates"
    /// CLOCK_MONOTONIC, ns: when the last of them was on the screen.
    case osdShown = "vitrine/osd-shown"
    /// The text that is shown in place of the title.
    case message = "vitrine/message"
    /// Whether the film is live.
    case live = "vitrine/live"
    /// Whether the display is on; set it to `false` for standby.
    case displayPower = "vitrine/display-power"
    /// The thumb as the bar was last drawn, or would be drawn where it is hidden, 0...1.
    case thumb = "vitrine/thumb"
    /// The controls that are on the screen: by name, where a finger meets each, in pixels, and what it looks like.
    case controls = "vitrine/controls"
}

extension MPVProperty {
    /// mpv's other names, and the old ones.
    static let aliases = oldNames.merging([
        "audio": .aid, "fs": .fullscreen, "loop": .loopFile, "sub": .sid,
    ]) { $1 }

    /// The property of this name, or of this other name.
    init?(named name: String) {
        guard let property = MPVProperty(rawValue: name) ?? Self.aliases[name] else { return nil }
        self = property
    }
}

/// Where values are read from besides the player's own variables.
extension MPVProperty {
    static let readAtPosition: Set<MPVProperty> = [
        .timePos, .playbackTime, .timeRemaining, .playtimeRemaining, .percentPos, .chapter, .demuxerCacheTime,
    ]
    static let readFromScreen: Set<MPVProperty> = [
        .voConfigured, .osdWidth, .osdHeight, .displayPower, .subText, .thumb, .controls,
    ]
    static let readFromDiagnostics: Set<MPVProperty> = [
        .ends, .framesShown, .framesDropped, .recentFrames, .frameTime, .sheetFramesShown, .sheetFrameTime, .seeksAsked,
        .seeksSent, .seeksCompleted,
        .rebuilds, .lastTouch, .answeredTouch, .lastAnswer, .osdVisible, .osdUpdates, .osdShown,
    ]
}

/// What is read again together. A value that has not changed is not sent.
extension MPVProperty {
    static let ofPosition = readAtPosition.union([.subText, .frameTime, .framesShown, .framesDropped, .thumb])
    static let ofSeek = ofPosition.union([
        .seeking, .pause, .coreIdle, .eofReached, .seeksAsked, .seeksSent, .seeksCompleted, .rebuilds, .lastTouch,
        .answeredTouch, .lastAnswer,
    ])
    static let ofBuffering: Set<MPVProperty> = [.pausedForCache, .cacheBufferingState, .coreIdle, .message]
    static let ofTracks: Set<MPVProperty> = [.trackList, .aid, .sid, .alang, .slang, .subText, .volume, .mute]
    static let ofSettings = ofTracks.union([
        .gravity, .panscan, .keepaspect, .audioDevice, .subVisibility, .speed, .playDirection, .playtimeRemaining,
    ])
    static let ofQueue: Set<MPVProperty> = [
        .playlist, .playlistPos, .playlistPosFromOne, .playlistCount, .loopFile, .loopPlaylist, .atEnd, .ends,
    ]
    /// Another film, or none: every value may be another one.
    static let ofFilm = Set(allCases)
}
