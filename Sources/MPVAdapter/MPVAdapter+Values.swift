internal import Control
internal import Glibc
internal import Media
internal import PlayerCore
internal import Vitrine

/// The values of properties.
extension MPVAdapter {
    /// The current item's media info; `nil` until it is open, and once it has failed.
    var mediaInfo: MediaInfo? {
        guard let item = player.currentItem else { return nil }
        if case .failed = item.status { return nil }
        return item.mediaInfo
    }

    /// The rate of the item when it is not paused. An item that is not seekable has its own rate, which the player
    /// notices a moment later.
    var filmRate: PlaybackRate {
        mediaInfo.map { $0.isSeekable && !$0.isLive } ?? true ? player.filmRate : .normal
    }

    /// `nil` if the property exists, but has no value now.
    func value(of property: MPVProperty) async -> JSONValue? {
        if MPVProperty.readAtPosition.contains(property) {
            guard let mediaInfo, let position = await player.position else { return nil }
            return value(of: property, mediaInfo, at: position)
        }
        if MPVProperty.readFromScreen.contains(property) { return value(of: property, await player.screen) }
        if MPVProperty.readFromDiagnostics.contains(property) { return value(of: property, await player.diagnostics) }
        return mediaInfo.flatMap { value(of: property, $0) } ?? valueOfPlayer(property)
    }

    private func value(of property: MPVProperty, _ mediaInfo: MediaInfo, at position: MediaTime) -> JSONValue? {
        switch property {
        case .timePos, .playbackTime: .seconds(position)
        case .timeRemaining: mediaInfo.duration.map { .seconds($0 - position) }
        case .playtimeRemaining: mediaInfo.duration.map { .double(($0 - position).inSeconds / abs(filmRate.factor)) }
        case .percentPos: mediaInfo.duration.map { .double(position.fraction(of: $0) * 100) }
        case .chapter: mediaInfo.chapters.current(at: position, within: mediaInfo.frameLength).map { .count($0) }
        case .demuxerCacheTime:
            player.currentItem?.bufferedRanges.last.map { .seconds(max($0.upperBound, position)) }
        default: nil
        }
    }

    private func value(of property: MPVProperty, _ screen: PlayerScreen) -> JSONValue? {
        switch property {
        case .voConfigured: .bool(screen.isThere && mediaInfo?.hasVideo == true)
        case .osdWidth: .count(screen.width)
        case .osdHeight: .count(screen.height)
        case .displayPower: screen.hasPower.map { .bool($0) }
        case .subText: .string(screen.subtitle)
        case .thumb: screen.thumb.map { .double($0) }
        case .controls: .object(JSONObject(screen.controls.widgets.map { ($0.id.name, .widget($0)) }))
        default: nil
        }
    }

    private func value(of property: MPVProperty, _ diagnostics: PlayerDiagnostics) -> JSONValue? {
        switch property {
        case .ends: .count(diagnostics.ends)
        case .framesShown: .count(diagnostics.framesShown)
        case .framesDropped: .count(diagnostics.framesDropped)
        case .recentFrames: .array(diagnostics.recentFrames.map(\.json))
        case .frameTime: diagnostics.frameTime.map { .nanoseconds($0) }
        case .seeksAsked: .count(diagnostics.seeksAsked)
        case .seeksSent: .count(diagnostics.seeksSent)
        case .seeksCompleted: .count(diagnostics.seeksCompleted)
        case .rebuilds: .count(diagnostics.rebuilds)
        case .lastTouch: diagnostics.lastTouch.map { .nanoseconds($0) }
        case .sheetFramesShown: .count(diagnostics.sheetFramesShown)
        case .sheetFrameTime: diagnostics.sheetFrameTime.map { .nanoseconds($0) }
        case .answeredTouch: diagnostics.answeredTouch.map { .nanoseconds($0) }
        case .lastAnswer: diagnostics.lastAnswer.map { .nanoseconds($0) }
        case .osdVisible: .bool(diagnostics.isOSDVisible)
        case .osdUpdates: .count(diagnostics.osdUpdates)
        case .osdShown: diagnostics.osdShownAt.map { .nanoseconds($0) }
        default: nil
        }
    }

    private func value(of property: MPVProperty, _ mediaInfo: MediaInfo) -> JSONValue? {
        switch property {
        case .duration: mediaInfo.duration.map { .seconds($0) }
        case .mediaTitle: mediaInfo.title.map { .string($0) }
        case .metadata:
            .object(JSONObject(mediaInfo.metadata.sorted { $0.key < $1.key }.map { ($0, .string($1)) }))
        case .eofReached: .bool(player.hasEnded)
        case .seeking: .bool(player.isSeeking)
        case .seekable: .bool(mediaInfo.isSeekable)
        case .width: mediaInfo.width.map { .count($0) }
        case .height: mediaInfo.height.map { .count($0) }
        case .containerFPS: mediaInfo.frameRate.map { .double($0) }
        case .hwdecCurrent: mediaInfo.decoder.map { .string($0.isHardware ? $0.name : "no") }
        case .decoder: mediaInfo.decoder.map { .string($0.name) }
        case .chapterList: .array(mediaInfo.chapters.chapters.map(\.json))
        case .chapters: .count(mediaInfo.chapters.chapters.count)
        case .live: .bool(mediaInfo.isLive)
        default: nil
        }
    }

    private func valueOfPlayer(_ property: MPVProperty) -> JSONValue? {
        switch property {
        case .pause: .bool(player.rate.isPaused)
        case .path: player.currentItem.map { .string($0.name) }
        case .filename: player.currentItem.map { .string(String($0.name.split(separator: "/").last ?? "")) }
        case .coreIdle: .bool(player.pipelineState != .playing)
        case .idleActive: .bool(player.currentItem == nil)
        case .pausedForCache: .bool(player.buffering != nil)
        case .cacheBufferingState: .count(player.buffering ?? 100)
        case .speed: .double(abs(filmRate.factor))
        case .playDirection: .string(filmRate.isReverse ? "backward" : "forward")
        case .gravity: .string(player.gravity.rawValue)
        case .panscan: .double(player.gravity == .resizeAspectFill ? 1 : 0)
        case .keepaspect: .bool(player.gravity != .resize)
        case .fullscreen: .bool(isFullscreen)
        case .playlistPos: .count(place ?? -1)
        case .playlistPosFromOne: .count(place.map { $0 + 1 } ?? -1)
        case .playlistCount: .count(player.items.count)
        case .playlist:
            .array(player.items.map { [current = player.currentItem] in json(of: $0, isCurrent: $0 === current) })
        case .loopFile: player.itemRepetition.json
        case .loopPlaylist: player.repetition.jsonOfPlays
        case .atEnd: .string(PlaylistEnd(player.actionAtQueueEnd, player.repetition).rawValue)
        case .trackList: trackList
        case .aid: selection(.audible)
        case .sid: selection(.legible)
        case .alang: player.appliedMediaSelectionCriteria(for: .audible).json
        case .slang: player.appliedMediaSelectionCriteria(for: .legible).json
        case .subVisibility: .bool(player.showsSubtitles)
        case .volume: .double(player.loudness.percent)
        case .volumeMax: .double(100)
        case .mute: .bool(player.isMuted)
        case .audioDevice: .string(player.sound.text)
        case .audioDeviceList:
            .array(
                [["name": .string(SoundPreference.automaticWord), "description": "chosen by the player"]]
                    + player.routes.map { ["name": .string($0.id), "description": .string($0.description)] })
        case .soundRoute: player.currentRoute.map { .string($0.id) }
        case .mpvVersion: .string("vitrine \(VitrineVersion.current)")
        case .pid: .count(getpid())
        case .message: player.message.map { .string($0) }
        default: nil
        }
    }

    private func json(of item: PlayerItem, isCurrent: Bool) -> JSONValue {
        var entry: JSONObject = ["filename": .string(item.name), "id": .count(number(of: item))]
        if let location = item.asset.location, location.title != location.fileTitle {
            entry["title"] = .string(location.title)
        }
        if isCurrent {
            entry["current"] = true
            entry["playing"] = true
        }
        return .object(entry)
    }
}

extension PlayerItem {
    /// The name as given, without a password.
    fileprivate var name: String { asset.location?.name ?? MediaLocation.withoutPassword(asset.address) }

    /// The file's name without its extension.
    var fileTitle: String { asset.location?.fileTitle ?? MediaLocation.title(of: asset.address) }
}

extension MediaInfo {
    /// Sound is stepped in pieces, too.
    var frameLength: MediaTime { frameDuration ?? .milliseconds(40) }
}

extension JSONValue {
    fileprivate static func widget(_ widget: Widget) -> JSONValue {
        let target = widget.target
        var text: String?
        switch widget.face {
        case .label(let label, _), .tag(let label, _), .picture(_, let label, _, _), .preview(_, let label, _),
            .text(let label, _, _), .chip(let label, _):
            text = label
        case .icon(let icon, _): text = "\(icon)"
        case .empty, .panel, .level, .backdrop, .dots: break
        }
        return [
            "x": .count(target.x), "y": .count(target.y), "w": .count(target.width), "h": .count(target.height),
            "state": .string("\(widget.state)"), "text": text.map { .string($0) } ?? .null,
        ]
    }
}

extension WidgetID {
    /// The name for clients.
    fileprivate var name: String {
        switch self {
        case .bar: "bar"
        case .button(let button): "\(button)"
        case .panel: "panel"
        case .option(let place): "option-\(place)"
        case .more: "more"
        case .level: "level"
        case .mute: "mute"
        case .picture(let place): "picture-\(place)"
        case .preview: "preview"
        case .heading: "heading"
        case .secondsLeft: "seconds-left"
        case .title(let place): "title-\(place)"
        case .pages: "pages"
        }
    }
}
