/// The properties that clients can read, by mpv's names. Vitrine's own start with `vitrine/`.
enum MPVProperty: String, CaseIterable {
    case timePos = "time-pos"
    case playbackTime = "playback-time"
    case timeRemaining = "time-remaining"
    /// At the current speed.
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
    /// The hardware decoder by GStreamer's name; "no" for a software decoder.
    case hwdecCurrent = "hwdec-current"
    /// The film's video decoder, by GStreamer's name.
    case decoder = "vitrine/decoder"
    case osdWidth = "osd-width"
    case osdHeight = "osd-height"
    /// Whether nothing else is on the screen.
    case fullscreen
    case playlistPos = "playlist-pos"
    /// Counted from 1.
    case playlistPosFromOne = "playlist-pos-1"
    case playlistCount = "playlist-count"
    case playlist
    case loopFile = "loop-file"
    case loopPlaylist = "loop-playlist"
    /// The action at the end of the playlist: pause, stop, loop, next.
    case atEnd = "vitrine/end"
    /// The number of films that were played to their end.
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
    /// The visible subtitles.
    case subText = "sub-text"
    case subVisibility = "sub-visibility"
    /// Per cent of the film's own loudness.
    case volume
    case volumeMax = "volume-max"
    case mute
    /// The preferred sound output: "auto", a route's name, or any other value of `--sound`.
    case audioDevice = "audio-device"
    case audioDeviceList = "audio-device-list"
    /// The sound output in use; none if the sound is not heard.
    case soundRoute = "vitrine/sound-route"
    case mpvVersion = "mpv-version"
    case pid
    /// Frames that reached the screen, of all films since the start.
    case framesShown = "vitrine/frames-shown"
    /// Frames that were too late for the screen, of all films since the start.
    case framesDropped = "vitrine/frames-dropped"
    /// The last frames on the screen, of all films: each frame's film time, and when it was shown (CLOCK_MONOTONIC), in
    /// ns.
    case recentFrames = "vitrine/recent-frames"
    /// The film time of the frame on the screen, in ns.
    case frameTime = "vitrine/frame-time"
    /// Pictures of scrub sheets that reached the display.
    case sheetFramesShown = "vitrine/sheet-pictures-shown"
    /// The film time, in ns, of the scrub sheet's picture over the film during a drag.
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
    /// Buffers that were sent to the OSD's plane.
    case osdUpdates = "vitrine/osd-updates"
    /// CLOCK_MONOTONIC, ns: when the last OSD buffer was on the screen.
    case osdShown = "vitrine/osd-shown"
    /// The text in place of the title.
    case message = "vitrine/message"
    /// Whether the film is live.
    case live = "vitrine/live"
    /// Whether the display is on; set it to `false` for standby.
    case displayPower = "vitrine/display-power"
    /// The thumb as last drawn, or as it would be if the bar were visible, 0...1.
    case thumb = "vitrine/thumb"
    /// The visible controls: name, touch target in pixels, and appearance.
    case controls = "vitrine/controls"
}

extension MPVProperty {
    /// mpv's aliases, and the old names.
    static let aliases = oldNames.merging([
        "audio": .aid, "fs": .fullscreen, "loop": .loopFile, "sub": .sid,
    ]) { $1 }

    /// The property of this name or alias.
    init?(named name: String) {
        guard let property = MPVProperty(rawValue: name) ?? Self.aliases[name] else { return nil }
        self = property
    }
}

/// Values that are not the player's own variables.
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

/// Properties that are read again together. An unchanged value is not sent.
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
    /// Another film, or none: every value may change.
    static let ofFilm = Set(allCases)
}
