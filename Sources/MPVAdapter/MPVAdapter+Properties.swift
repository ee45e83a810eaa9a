public import Control
internal import Logging
internal import PlayerCore
internal import Vitrine

extension MPVAdapter {
    public func property(_ name: String) async throws(MPVError) -> JSONValue {
        guard let property = MPVProperty(named: name) else { return try part(name) }
        guard let value = await value(of: property) else { throw .propertyUnavailable }
        return value
    }

    /// A path that mpv has below a property, but not in its value.
    private func part(_ name: String) throws(MPVError) -> JSONValue {
        if name == "filename/no-ext" {
            guard let item = player.currentItem else { throw .propertyUnavailable }
            return .string(item.fileTitle)
        }
        let path = name.split(separator: "/", omittingEmptySubsequences: false)
        guard path.count > 1, path[0] == "metadata" else { throw .propertyNotFound }
        guard let metadata = mediaInfo?.metadata else { throw .propertyUnavailable }
        if path[1] == "list" { return try JSONValue.keysAndValues(metadata).value(at: path.dropFirst(2)) }
        // mpv finds a key without `by-key`, too.
        let key = path.dropFirst(path[1] == "by-key" ? 2 : 1).joined(separator: "/").lowercased()
        guard let text = metadata.first(where: { $0.key.lowercased() == key })?.value else { throw .propertyNotFound }
        return .string(text)
    }

    public func setProperty(_ name: String, to value: JSONValue) async throws(MPVError) {
        guard let property = MPVProperty(named: name) else { throw .propertyNotFound }
        switch property {
        case .pause: setPaused(try value.flag())
        case .timePos, .playbackTime: try await seek(MPVSeek(.absolute(try value.time())))
        case .percentPos: try await seek(MPVSeek(.absolutePercent(try value.number(in: 0...100))))
        case .playlistPos, .playlistPosFromOne:
            let first = property == .playlistPos ? 0 : 1
            guard play(itemAt: Int(try value.number(in: 0...1e6)) - first) else { throw .unsupportedPropertyFormat }
        case .speed: try setSpeed(try value.number(in: EntryOptions.speeds))
        case .playDirection:
            guard let isReverse = ["forward": false, "+": false, "backward": true, "-": true][try value.text()] else {
                throw .unsupportedPropertyFormat
            }
            try setDirection(isReverse: isReverse)
        case .gravity:
            guard let gravity = VideoGravity(rawValue: try value.text()) else { throw .unsupportedPropertyFormat }
            player.gravity = gravity
        case .panscan:
            // Only the two ends exist.
            let part = try value.number(in: 0...1)
            guard part == 0 || part == 1 else { throw .unsupportedPropertyFormat }
            setFilling(part == 1)
        case .keepaspect: setKeepingAspect(try value.flag())
        case .chapter:
            let chapter = Int(try value.number(in: -1...1e6))
            guard go(to: mediaInfo?.chapters.place(of: chapter)) else { throw .propertyUnavailable }
        case .aid: try select(.audible, value)
        case .sid: try select(.legible, value)
        case .alang: setCriteria(try TrackPreference(languages: value, otherwise: .any), for: .audible)
        case .slang: setCriteria(try TrackPreference(languages: value, otherwise: .none), for: .legible)
        // mpv accepts this range, whatever `volume-max` says, and limits the loudness; the player limits it to 100.
        case .volume: player.loudness.percent = try value.number(in: EntryOptions.volumes)
        case .mute: player.isMuted = try value.flag()
        case .audioDevice: player.sound.words = SoundPreference(text: try value.text()).words
        case .subVisibility: player.showsSubtitles = try value.flag()
        // A kiosk's display shows nothing else.
        case .fullscreen: guard try value.flag() == isFullscreen else { throw .errorAccessingProperty }
        case .loopFile: player.itemRepetition = try Repetition(value)
        case .loopPlaylist: player.repetition = try Repetition(ofPlays: value)
        case .atEnd:
            guard let end = PlaylistEnd(rawValue: try value.text()) else { throw .unsupportedPropertyFormat }
            player.actionAtQueueEnd = end.action
            player.repetition = end.repetition
        case .displayPower:
            let isOn = try value.flag()
            do throws(PlayerError) {
                try await player.setPower(isOn)
            } catch {
                log.error("\(error)")
                throw .errorAccessingProperty
            }
        default: throw .errorAccessingProperty
        }
    }
}
