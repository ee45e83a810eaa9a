public import Control
internal import KMS
internal import Logging
internal import Media
internal import PlayerCore
internal import Playlists

/// The player as mpv's clients see it.
public struct RemotePlayer: MPVPlayer {
    private let player: VitrinePlayer

    public init(_ player: VitrinePlayer) {
        self.player = player
    }

    public var propertyNames: [String] { RemoteProperty.allCases.map(\.rawValue) }

    public func changes() -> AsyncStream<Set<String>> { player.hub.changes() }

    public func events() -> AsyncStream<MPVEvent> { player.hub.events() }

    public func property(_ name: String) async throws(MPVError) -> JSONValue {
        guard let property = RemoteProperty(rawValue: name) else { throw .propertyNotFound }
        guard let value = await player.value(of: property) else { throw .propertyUnavailable }
        return value
    }

    public func setProperty(_ name: String, to value: JSONValue) async throws(MPVError) {
        guard let property = RemoteProperty(rawValue: name) else { throw .propertyNotFound }
        switch property {
        case .pause: await player.setPlaying(!(try value.flag()))
        case .timePos, .playbackTime: try await seek(MPVSeek(.absolute(try value.time())))
        case .percentPos: try await seek(MPVSeek(.absolutePercent(try value.number(in: 0...100))))
        case .playlistPos:
            guard await player.play(entry: Int(try value.number(in: 0...1e6))) else {
                throw .unsupportedPropertyFormat
            }
        case .speed:
            let (slowest, fastest) = (PlaybackRate.slowest.factor, PlaybackRate.fastest.factor)
            try await setRate(try value.number(in: slowest...fastest) * (await player.filmRate.isReverse ? -1 : 1))
        case .playDirection:
            guard let sign = ["forward": 1.0, "+": 1, "backward": -1, "-": -1][try value.text()] else {
                throw .unsupportedPropertyFormat
            }
            try await setRate(abs(await player.rate.factor) * sign)
        case .gravity:
            guard let gravity = VideoGravity(rawValue: try value.text()) else { throw .unsupportedPropertyFormat }
            await player.setGravity(gravity)
        case .panscan:
            // In between there is nothing.
            let part = try value.number(in: 0...1)
            guard part == 0 || part == 1 else { throw .unsupportedPropertyFormat }
            await player.setGravity(part == 1 ? .resizeAspectFill : .resizeAspect)
        case .keepaspect: await player.setGravity(try value.flag() ? .resizeAspect : .resize)
        case .chapter:
            guard await player.go(toChapter: Int(try value.number(in: -1...1e6))) else { throw .propertyUnavailable }
        case .aid: try await select(.audible, value)
        case .sid: try await select(.legible, value)
        case .alang: await player.setWish(.audible, try TrackWish(languages: value, otherwise: .any))
        case .slang: await player.setWish(.legible, try TrackWish(languages: value, otherwise: .none))
        case .volume: await player.setVolume(try value.number(in: 0...100))
        case .mute: await player.setMuted(try value.flag())
        case .loopFile: await player.setFilmRepetition(try Repetition(value))
        case .loopPlaylist: await player.setPlaylistRepetition(try Repetition(value))
        case .atEnd:
            guard let atEnd = PlayerOptions.AtEnd(rawValue: try value.text()) else { throw .unsupportedPropertyFormat }
            await player.setAtEnd(atEnd)
        case .displayPower:
            let isOn = try value.flag()
            do throws(KMSError) {
                try await player.setPower(isOn)
            } catch {
                player.log.error("\(error)")
                throw .errorAccessingProperty
            }
        default: throw .errorAccessingProperty
        }
    }

    public func run(_ command: MPVCommand) async throws(MPVError) -> JSONValue {
        switch command {
        case .ignore: break
        case .seek(let seek): try await self.seek(seek)
        case .loadFile(let url, let mode, let options): return try await load(url, mode, options)
        case .loadList(let url, let mode): return try await load(url, mode, [:])
        case .stop(let keepsPlaylist): await player.stop(keepsPlaylist: keepsPlaylist)
        case .quit(let code): await player.end(.ended(code: code))
        case .screenshotToFile(let path, _):
            do throws(ScreenshotFailure) {
                try await player.screenshot(to: path)
            } catch {
                throw .errorRunningCommand
            }
        case .cycle(let name, let step): try await cycle(name, step)
        case .add("volume", let amount): await player.setVolume(await player.choice.sound.volume + amount)
        case .add("chapter", let amount): try await stepChapter(amount)
        case .add(let name, let amount):
            guard name == "time-pos" || name == "percent-pos" else { throw .errorRunningCommand }
            try await seek(MPVSeek(name == "time-pos" ? .relative(amount) : .relativePercent(amount)))
        case .playlistNext(let atEnd): try await advance(by: 1, atEnd)
        case .playlistPrevious(let atStart): try await advance(by: -1, atStart)
        case .showText(let text, let milliseconds, _): await player.showText(text, milliseconds: milliseconds)
        case .playlistClear: await player.clearPlaylist()
        case .frameStep: guard await player.step(forward: true) else { throw .errorRunningCommand }
        case .frameBackStep: guard await player.step(forward: false) else { throw .errorRunningCommand }
        }
        return .null
    }

    private func setRate(_ factor: Double) async throws(MPVError) {
        guard let rate = PlaybackRate(factor: factor), await player.setRate(rate) else {
            throw .unsupportedPropertyFormat
        }
        // It is kept for the films that follow. What a demuxer refuses comes a moment later, as the properties' change.
        guard await player.filmRate == rate else { throw .notSupported }
    }

    private func stepChapter(_ amount: Double) async throws(MPVError) {
        guard let step = Int(exactly: amount.rounded()), abs(amount) <= 1e6, await player.stepChapter(by: step) else {
            throw .errorRunningCommand
        }
    }

    /// A track's number, `no` for none, `auto` for what is wanted.
    private func select(_ kind: MediaCharacteristic, _ value: JSONValue) async throws(MPVError) {
        switch value {
        case .string("no"), .bool(false): _ = await player.select(kind, nil)
        case .string("auto"), .string("yes"), .bool(true):
            await player.setWish(kind, .any)
        default:
            let number = Int(try value.number(in: 1...10_000))
            guard await player.select(kind, number) else { throw .errorAccessingProperty }
        }
    }

    private func cycle(_ name: String, _ step: Double) async throws(MPVError) {
        switch name {
        case "pause": await player.setPlaying(!(await player.isPlaying))
        case "chapter": try await stepChapter(step)
        case "mute": await player.setMuted(!(await player.choice.sound.isMuted))
        case "aid", "audio": await cycle(.audible, step)
        case "sid", "sub": await cycle(.legible, step)
        default: throw .errorRunningCommand
        }
    }

    /// One after another, and then none.
    private func cycle(_ kind: MediaCharacteristic, _ step: Double) async {
        let numbers = await player.tracks.filter { $0.kind == kind }.map(\.number)
        let places: [Int?] = [nil] + numbers
        let now = places.firstIndex(of: await player.selectedTrack(kind)) ?? 0
        let next = (now + (step < 0 ? places.count - 1 : 1)) % places.count
        _ = await player.select(kind, places[next])
    }

    private func advance(by step: Int, _ atEnd: MPVPlaylistEnd) async throws(MPVError) {
        if await player.advance(by: step) { return }
        guard atEnd == .force, await !player.isIdle else { throw .errorRunningCommand }
        await player.stop(keepsPlaylist: true)
    }

    private func seek(_ seek: MPVSeek) async throws(MPVError) {
        // One that is still being opened remembers it (M6).
        guard await !player.isIdle else { throw .errorRunningCommand }
        let (now, duration) = (await player.currentTime, await player.duration)
        func part(_ percent: Double) throws(MPVError) -> MediaTime {
            // Further than from one end to the other is nowhere.
            guard let duration, abs(percent) <= 100 else { throw .errorRunningCommand }
            return duration.scaled(by: percent / 100)
        }
        func time(_ seconds: Double) throws(MPVError) -> MediaTime {
            guard let time = MediaTime(inSeconds: seconds) else { throw .errorRunningCommand }
            return time
        }
        let target: MediaTime
        switch seek.target {
        case .absolute(let seconds) where seconds < 0: target = try part(100) + time(seconds)
        case .absolute(let seconds): target = try time(seconds)
        case .relative(let seconds): target = now + (try time(seconds))
        case .absolutePercent(let percent): target = try part(percent)
        case .relativePercent(let percent): target = now + (try part(percent))
        }
        let isRelative =
            switch seek.target {
            case .relative, .relativePercent: true
            case .absolute, .absolutePercent: false
            }
        let exact = seek.precision == .exact || (seek.precision == .standard && !isRelative)
        await player.seek(to: max(target, .zero), exact: exact)
    }

    private func load(_ url: String, _ mode: MPVLoadMode, _ options: [String: String]) async throws(MPVError)
        -> JSONValue
    {
        let films: [MediaLocation]
        do throws(MediaFailure) {
            films = try await offLoop { [log = player.log] () throws(MediaFailure) in try Self.films(of: url, log) }
        } catch {
            player.log.error("\(error.message)")
            throw .loadingFailed
        }
        switch mode {
        case .replace: await player.replacePlaylist(films, at: options["start"].flatMap { MediaTime($0) })
        case .append, .appendPlay:
            guard !films.isEmpty else { throw .loadingFailed }
            for film in films { await player.append(film, plays: mode == .appendPlay) }
        }
        return .object(["playlist_entry_id": .integer(Int64(await player.playlist.count))])
    }

    /// A film, or those of a list or a folder that can be had, none of an empty one; as in mpv, a film need not say which of
    /// them it is.
    private static func films(of url: String, _ log: Logger) throws(MediaFailure) -> [MediaLocation] {
        let entries: [PlaylistEntry]
        do throws(PlaylistError) {
            entries = try Playlist.entries(of: url)
        } catch {
            guard error.isEmpty else { throw MediaFailure(error) }
            log.error("\(error)")
            return []
        }
        guard entries.count > 1 else {
            return try entries.map { entry throws(MediaFailure) in try MediaLocation(entry) }
        }
        let films = entries.compactMap { try? MediaLocation($0) }
        guard !films.isEmpty else {
            throw MediaFailure(reason: .noSuchFile, message: "\(url): none of its films is there")
        }
        return films
    }
}
