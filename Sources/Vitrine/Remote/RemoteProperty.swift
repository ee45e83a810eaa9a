internal import Control
internal import Media
internal import PlayerCore

/// The properties that clients can read, by mpv's names; Vitrine's own stand under `vitrine/`.
enum RemoteProperty: String, CaseIterable {
    case timePos = "time-pos"
    case playbackTime = "playback-time"
    case timeRemaining = "time-remaining"
    /// As long as it takes at the present speed.
    case playtimeRemaining = "playtime-remaining"
    case percentPos = "percent-pos"
    case duration
    case pause
    case path
    case filename
    case mediaTitle = "media-title"
    /// What the film says of itself, by mpv's names.
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
    /// Films that were played to their end.
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
    /// What is to be read of the subtitles.
    case subText = "sub-text"
    case subVisibility = "sub-visibility"
    /// Per cent of the film's own loudness.
    case volume
    case volumeMax = "volume-max"
    case mute
    case mpvVersion = "mpv-version"
    case pid
    /// Pictures that reached the screen, of all films since the start.
    case picturesShown = "vitrine/pictures-shown"
    /// Pictures that came too late for the screen, of all films since the start.
    case picturesDropped = "vitrine/pictures-dropped"
    /// The last pictures on the screen, of all films: where in the film each stands, and when it was there
    /// (CLOCK_MONOTONIC), in ns.
    case recentPictures = "vitrine/recent-pictures"
    /// Where in the film, in ns, the picture on the screen stands.
    case pictureTime = "vitrine/picture-time"
    case seeksAsked = "vitrine/seeks-asked"
    case seeksSent = "vitrine/seeks-sent"
    case seeksCompleted = "vitrine/seeks-completed"
    case rebuilds = "vitrine/rebuilds"
    /// CLOCK_MONOTONIC, ns: the last touch; the newest touch of the bar that was answered; its picture on the screen.
    case lastTouch = "vitrine/last-touch"
    case answeredTouch = "vitrine/answered-touch"
    case lastAnswer = "vitrine/last-answer"
    case osdVisible = "vitrine/osd-visible"
    /// Buffers that went to the OSD's plane.
    case osdUpdates = "vitrine/osd-updates"
    /// CLOCK_MONOTONIC, ns: when the last of them was on the screen.
    case osdShown = "vitrine/osd-shown"
    /// What stands on the screen in place of the title.
    case message = "vitrine/message"
    /// Whether the film is live (M11).
    case live = "vitrine/live"
    /// Whether the display is on; set it to `false` for standby.
    case displayPower = "vitrine/display-power"
    /// The thumb as the bar was last drawn, or would be drawn where it is hidden, 0...1.
    case thumb = "vitrine/thumb"
}

extension RemoteProperty {
    /// mpv's other names.
    static let aliases: [String: RemoteProperty] = [
        "audio": .aid, "fs": .fullscreen, "loop": .loopFile, "sub": .sid,
    ]

    /// The property of this name, or of this other name.
    init?(named name: String) {
        guard let property = RemoteProperty(rawValue: name) ?? Self.aliases[name] else { return nil }
        self = property
    }
}

/// What clients that observe are told together; a value that is what it was costs them nothing.
extension RemoteProperty {
    static let ofPosition: Set<RemoteProperty> = [
        .timePos, .playbackTime, .timeRemaining, .playtimeRemaining, .percentPos, .subText, .pictureTime,
        .picturesShown, .picturesDropped,
        .thumb, .chapter,
    ]
    static let ofSeek = ofPosition.union([
        .seeking, .pause, .coreIdle, .eofReached, .seeksAsked, .seeksSent, .seeksCompleted, .rebuilds, .lastTouch,
        .answeredTouch, .lastAnswer,
    ])
    static let ofBuffering: Set<RemoteProperty> = [.pausedForCache, .cacheBufferingState, .coreIdle, .message]
    static let ofTracks: Set<RemoteProperty> = [.trackList, .aid, .sid, .alang, .slang, .subText, .volume, .mute]
    /// Another film, or none: anything may be another.
    static let ofFilm = Set(allCases)
}

extension VitrinePlayer {
    /// `nil`: known, but there is no value now.
    func value(of property: RemoteProperty) -> JSONValue? {
        switch property {
        case .timePos, .playbackTime: session.facts.map { _ in .double(currentTime.inSeconds) }
        case .timeRemaining: session.duration.map { .double(($0 - currentTime).inSeconds) }
        case .playtimeRemaining:
            session.duration.map { .double(($0 - currentTime).inSeconds / abs(session.rate.factor)) }
        case .percentPos: session.duration.map { .double(currentTime.fraction(of: $0) * 100) }
        case .duration: session.duration.map { .double($0.inSeconds) }
        case .pause: .bool(!isPlaying)
        case .path: location.map { .string($0.name) }
        case .filename: location.map { .string(String($0.name.split(separator: "/").last ?? "")) }
        case .mediaTitle: session.facts?.title.map { .string($0) }
        case .metadata:
            session.facts.map { .object(JSONObject($0.metadata.sorted { $0.key < $1.key }.map { ($0, .string($1)) })) }
        case .eofReached: session.facts.map { _ in .bool(hasEnded) }
        case .coreIdle: .bool(session.run.state != .playing)
        case .idleActive: .bool(queue.isIdle)
        case .seeking: session.facts.map { _ in .bool(session.scrubber.isSeeking) }
        case .seekable: session.facts.map { .bool($0.isSeekable) }
        case .voConfigured: .bool(stage.screen != nil && session.facts?.hasVideo == true)
        case .pausedForCache: .bool(session.run.buffering != nil || isConnectionLost)
        case .cacheBufferingState: .integer(Int64(session.run.buffering ?? (isConnectionLost ? 0 : 100)))
        case .demuxerCacheTime: session.bufferedTime.map { .double($0.inSeconds) }
        case .speed: .double(abs(session.rate.factor))
        case .playDirection: .string(session.rate.isReverse ? "backward" : "forward")
        case .gravity: .string(stage.gravity.rawValue)
        case .panscan: .double(stage.gravity == .resizeAspectFill ? 1 : 0)
        case .keepaspect: .bool(stage.gravity != .resize)
        case .width: session.facts?.width.map { .integer(Int64($0)) }
        case .height: session.facts?.height.map { .integer(Int64($0)) }
        case .containerFPS: session.facts?.pictureRate.map { .double($0) }
        case .osdWidth: .integer(Int64(osd.layout.displayWidth))
        case .osdHeight: .integer(Int64(osd.layout.displayHeight))
        case .playlistPos: .integer(Int64(queue.place ?? -1))
        case .playlistPosFromOne: .integer(queue.place.map { Int64($0) + 1 } ?? -1)
        case .fullscreen: .bool(isFullscreen)
        case .playlistCount: .integer(Int64(queue.count))
        case .playlist: .array(queue.list.items.compactMap { entry($0) })
        case .loopFile: queue.list.itemRepetition.json
        case .loopPlaylist: queue.list.repetition.jsonOfPlays
        case .atEnd: .string(EndWord(queue.list).rawValue)
        case .ends: .integer(Int64(diagnostics.ends))
        case .recentPictures: .array(diagnostics.recentFrames.map(\.json))
        case .trackList: trackList
        case .chapterList: session.facts.map { .array($0.chapters.chapters.map(\.json)) }
        case .chapters: session.facts.map { .integer(Int64($0.chapters.chapters.count)) }
        case .chapter: chapter.map { .integer(Int64($0)) }
        case .aid: session.facts.map { _ in selectedTrack(.audible).map { .integer(Int64($0)) } ?? .bool(false) }
        case .sid: session.facts.map { _ in selectedTrack(.legible).map { .integer(Int64($0)) } ?? .bool(false) }
        case .alang: .array(preferences.audio.languages.map { .string($0) })
        case .slang: .array(preferences.subtitle.languages.map { .string($0) })
        case .subText: .string(subtitle)
        case .subVisibility: .bool(preferences.areSubtitlesShown)
        case .volume: .double(preferences.sound.volume)
        case .volumeMax: .double(100)
        case .mute: .bool(preferences.sound.isMuted)
        case .mpvVersion: .string("vitrine \(VitrineVersion.current)")
        case .pid: .integer(Int64(VitrineVersion.processID))
        case .picturesShown: .integer(Int64(diagnostics.framesShown))
        case .picturesDropped: .integer(Int64(diagnostics.framesDropped))
        case .pictureTime: diagnostics.frameTime.map { .integer($0.nanoseconds) }
        case .seeksAsked: .integer(Int64(diagnostics.seeksAsked))
        case .seeksSent: .integer(Int64(diagnostics.seeksSent))
        case .seeksCompleted: .integer(Int64(diagnostics.seeksCompleted))
        case .rebuilds: .integer(Int64(diagnostics.rebuilds))
        case .lastTouch: diagnostics.lastTouch.map { .integer($0.nanoseconds) }
        case .answeredTouch: diagnostics.answeredTouch.map { .integer($0.nanoseconds) }
        case .lastAnswer: diagnostics.lastAnswer.map { .integer($0.nanoseconds) }
        case .osdVisible: .bool(diagnostics.isOSDVisible)
        case .osdUpdates: .integer(Int64(diagnostics.osdUpdates))
        case .osdShown: diagnostics.osdShownAt.map { .integer($0.nanoseconds) }
        case .message: shownMessage.map { .string($0) }
        case .live: session.facts.map { .bool($0.isLive) }
        case .displayPower: stage.display.map { _ in .bool(stage.hasPower && !stage.isUnplugged) }
        case .thumb:
            session.duration.map {
                .double(drawnThumb ?? input.slider.heldValue ?? session.scrubber.displayedTime.fraction(of: $0))
            }
        }
    }

    /// A window is as large as its owner has it.
    nonisolated var isFullscreen: Bool { options.window == nil }

    private var drawnThumb: Double? { osd.shownModel.isVisible ? osd.shownModel.bar?.thumb : nil }

    private var location: MediaLocation? { queue.current }

    var metadata: [String: String]? { session.facts?.metadata }

    var fileTitle: String? { location?.fileTitle }

    private func entry(_ item: ItemID) -> JSONValue? {
        guard let location = queue[item] else { return nil }
        var entry: JSONObject = ["filename": .string(location.name), "id": .integer(Int64(item.entry))]
        if location.title != location.fileTitle { entry["title"] = .string(location.title) }
        if item == queue.list.current {
            entry["current"] = true
            entry["playing"] = true
        }
        return .object(entry)
    }
}

extension Chapter {
    fileprivate var json: JSONValue {
        var json: JSONObject = ["time": .double(start.inSeconds)]
        json["title"] = title.map { .string($0) }
        return .object(json)
    }
}

extension ShownPicture {
    fileprivate var json: JSONValue {
        .array([time.map { .integer($0.nanoseconds) } ?? .null, .integer(shownAt.nanoseconds)])
    }
}

/// What happens at the playlist's end, as `vitrine/end` says it.
enum EndWord: String {
    case pause, stop, loop, next

    init(_ list: PlaybackQueue) {
        self =
            switch list.actionAtQueueEnd {
            case _ where list.repetition == .forever: .loop
            case .rewind: .pause
            case .pause: .stop
            case .finish: .next
            }
    }

    var action: ActionAtQueueEnd {
        switch self {
        case .pause, .loop: .rewind
        case .stop: .pause
        case .next: .finish
        }
    }
}

/// As mpv's `loop-file` and `loop-playlist` are written.
extension Repetition {
    fileprivate var json: JSONValue {
        switch self {
        case .none: .bool(false)
        case .times(let count): .integer(Int64(count))
        case .forever: .string("inf")
        }
    }

    /// `loop-file` says how often once more.
    init(_ value: JSONValue) throws(MPVError) {
        if let said = Self.said(in: value) {
            self = said
        } else {
            let count = Int(try value.number(in: 0...10000))
            self = count == 0 ? .none : .times(count)
        }
    }

    /// `loop-playlist` says how often altogether.
    fileprivate var jsonOfPlays: JSONValue {
        if case .times(let count) = self { .integer(Int64(count) + 1) } else { json }
    }

    init(ofPlays value: JSONValue) throws(MPVError) {
        if let said = Self.said(in: value) {
            self = said
        } else {
            let count = Int(try value.number(in: 1...10000))
            self = count == 1 ? .none : .times(count - 1)
        }
    }

    private static func said(in value: JSONValue) -> Repetition? {
        switch value {
        case .string("inf"), .string("yes"), .string("force"), .bool(true): .forever
        case .string("no"), .bool(false): Repetition.none
        default: nil
        }
    }
}

extension TrackWish {
    fileprivate var languages: [String] {
        guard case .languages(let tags) = self else { return [] }
        return tags.map(\.description)
    }

    /// As `alang` and `slang` are set: a list, or text with commas.
    init(languages value: JSONValue, otherwise: TrackWish) throws(MPVError) {
        let text: String
        if case .array(let values) = value {
            var words: [String] = []
            for value in values { words.append(try value.text()) }
            text = words.joined(separator: ",")
        } else {
            text = try value.text()
        }
        if text.isEmpty {
            self = otherwise
        } else {
            guard let tags = LanguageTag.list(text) else { throw .unsupportedPropertyFormat }
            self = .languages(tags)
        }
    }
}
