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

    public var propertyNames: [String] {
        RemoteProperty.allCases.map(\.rawValue) + RemoteProperty.aliases.keys.sorted()
    }

    public func changes() -> AsyncStream<Set<String>> { player.hub.changes() }

    public func events() -> AsyncStream<MPVEvent> { player.hub.events() }

    public func property(_ name: String) async throws(MPVError) -> JSONValue {
        if let property = RemoteProperty(named: name) {
            guard let value = await player.value(of: property) else { throw .propertyUnavailable }
            return value
        }
        return try await part(name)
    }

    /// mpv's own parts of properties, which are none of their values'.
    private func part(_ name: String) async throws(MPVError) -> JSONValue {
        if name == "filename/no-ext" {
            guard let title = await player.fileTitle else { throw .propertyUnavailable }
            return .string(title)
        }
        let path = name.split(separator: "/", omittingEmptySubsequences: false)
        guard path.count > 1, path[0] == "metadata" else { throw .propertyNotFound }
        guard let metadata = await player.metadata else { throw .propertyUnavailable }
        if path[1] == "list" {
            let list = metadata.sorted { $0.key < $1.key }.map { JSONValue(key: $0.key, value: $0.value) }
            return try JSONValue.array(list).value(at: path.dropFirst(2))
        }
        // mpv finds a key without `by-key`, too.
        let key = path.dropFirst(path[1] == "by-key" ? 2 : 1).joined(separator: "/").lowercased()
        guard let text = metadata.first(where: { $0.key.lowercased() == key })?.value else { throw .propertyNotFound }
        return .string(text)
    }

    public func setProperty(_ name: String, to value: JSONValue) async throws(MPVError) {
        guard let property = RemoteProperty(named: name) else { throw .propertyNotFound }
        switch property {
        case .pause: await player.setPlaying(!(try value.flag()))
        case .timePos, .playbackTime: try await player.seek(MPVSeek(.absolute(try value.time())))
        case .percentPos: try await player.seek(MPVSeek(.absolutePercent(try value.number(in: 0...100))))
        case .playlistPos, .playlistPosFromOne:
            let first = property == .playlistPos ? 0 : 1
            guard await player.play(entry: Int(try value.number(in: 0...1e6)) - first) else {
                throw .unsupportedPropertyFormat
            }
        case .speed:
            let (slowest, fastest) = (PlaybackRate.slowest.factor, PlaybackRate.fastest.factor)
            try await player.setSpeed(try value.number(in: slowest...fastest))
        case .playDirection:
            guard let isReverse = ["forward": false, "+": false, "backward": true, "-": true][try value.text()] else {
                throw .unsupportedPropertyFormat
            }
            try await player.setDirection(isReverse: isReverse)
        case .gravity:
            guard let gravity = VideoGravity(rawValue: try value.text()) else { throw .unsupportedPropertyFormat }
            await player.setGravity(gravity)
        case .panscan:
            // In between there is nothing.
            let part = try value.number(in: 0...1)
            guard part == 0 || part == 1 else { throw .unsupportedPropertyFormat }
            await player.setFilling(part == 1)
        case .keepaspect: await player.setKeepingAspect(try value.flag())
        case .chapter:
            guard await player.go(toChapter: Int(try value.number(in: -1...1e6))) else { throw .propertyUnavailable }
        case .aid: try await select(.audible, value)
        case .sid: try await select(.legible, value)
        case .alang: await player.setWish(.audible, try TrackWish(languages: value, otherwise: .any))
        case .slang: await player.setWish(.legible, try TrackWish(languages: value, otherwise: .none))
        // mpv takes as much, whatever `volume-max` says, and is as loud as it can; the player is at 100.
        case .volume: await player.setVolume(try value.number(in: Self.volumes))
        case .mute: await player.setMuted(try value.flag())
        case .subVisibility: await player.setSubtitlesShown(try value.flag())
        // A kiosk's display has nothing else on it.
        case .fullscreen: guard try value.flag() == player.isFullscreen else { throw .errorAccessingProperty }
        case .loopFile: await player.setFilmRepetition(try Repetition(value))
        case .loopPlaylist: await player.setPlaylistRepetition(try Repetition(ofPlays: value))
        case .atEnd:
            guard let end = EndWord(rawValue: try value.text()) else { throw .unsupportedPropertyFormat }
            await player.setEnd(end)
        case .displayPower:
            let isOn = try value.flag()
            do throws(PlayerError) {
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
        case .seek(let seek): try await player.seek(seek)
        case .loadFile(let url, let mode, let index, let options):
            return try await load(url, mode, index, try FileOptions(options))
        case .loadList(let url, let mode, let index): return try await load(url, mode, index, nil, isList: true)
        case .stop(let keepsPlaylist): await player.stop(keepsPlaylist: keepsPlaylist)
        case .quit(let code): await player.end(.ended(code: code))
        case .screenshotToFile(let path, _):
            do throws(PlayerError) {
                try await player.screenshot(to: path)
            } catch {
                throw .errorRunningCommand
            }
        case .cycle(let name, let step): try await player.cycle(name, step)
        case .add(let name, let amount): try await player.add(amount, to: name)
        case .multiply(let name, let factor): try await player.multiply(name, by: factor)
        case .playlistNext(let atEnd): try await advance(by: 1, atEnd)
        case .playlistPrevious(let atStart): try await advance(by: -1, atStart)
        case .showText(let text, let milliseconds, _):
            guard player.options.hasOSD else { throw .errorRunningCommand }
            await player.showText(text, milliseconds: milliseconds)
        case .showProgress:
            guard player.options.hasOSD else { throw .errorRunningCommand }
            await player.showProgress()
        case .printText(let text): player.log.info("\(text)")
        case .playlistClear: await player.clearPlaylist()
        case .playlistPlayIndex(let entry):
            guard await player.play(entry) else { throw .errorRunningCommand }
        case .playlistRemove(let entry):
            guard await player.remove(entry) else { throw .errorRunningCommand }
        case .playlistMove(let place, let target):
            guard await player.move(entry: place, before: target) else { throw .errorRunningCommand }
        case .playlistShuffle: await player.shufflePlaylist()
        case .playlistUnshuffle: await player.unshufflePlaylist()
        case .frameStep: guard await player.step(byCount: 1) else { throw .errorRunningCommand }
        case .frameBackStep: guard await player.step(byCount: -1) else { throw .errorRunningCommand }
        }
        return .null
    }

    /// What mpv's option takes.
    static let volumes = -1.0...1000

    /// A track's number, `no` for none, `auto` for what is wanted.
    private func select(_ kind: MediaCharacteristic, _ value: JSONValue) async throws(MPVError) {
        switch value {
        case .string("no"), .bool(false): _ = await player.select(kind, nil)
        case .string("auto"), .string("yes"), .bool(true): await player.selectAutomatically(kind)
        default:
            let number = Int(try value.number(in: 1...10_000))
            guard await player.select(kind, number) else { throw .errorAccessingProperty }
        }
    }

    private func advance(by step: Int, _ atEnd: MPVPlaylistEnd) async throws(MPVError) {
        if await player.advance(by: step) { return }
        guard atEnd == .force, await !player.queue.isIdle else { throw .errorRunningCommand }
        await player.stop(keepsPlaylist: true)
    }

    private func load(
        _ url: String, _ mode: MPVLoadMode, _ index: Int, _ options: FileOptions?, isList: Bool = false
    ) async throws(MPVError) -> JSONValue {
        let films: [MediaLocation]
        do throws(MediaFailure) {
            films = try await offLoop { [log = player.log] () throws(MediaFailure) in try Self.films(of: url, log) }
        } catch {
            player.log.error("\(error.message)")
            throw .loadingFailed
        }
        guard mode == .replace || !films.isEmpty else { throw .loadingFailed }
        let first = await player.load(films, mode, at: index, with: options)
        var answer: JSONObject = [:]
        answer["playlist_entry_id"] = first.map { .integer(Int64($0)) }
        if isList { answer["num_entries"] = .integer(Int64(films.count)) }
        return .object(answer)
    }

    /// A film, or those of a list or a folder that can be had, none of an empty one; as in mpv, a film need not say which of
    /// them it is. What is passed over is told.
    private static func films(of url: String, _ log: Logger) throws(MediaFailure) -> [MediaLocation] {
        let contents: Playlist.Contents
        do throws(PlaylistError) {
            contents = try Playlist.contents(of: url)
        } catch {
            guard error.isEmpty else { throw MediaFailure(error) }
            log.error("\(error)")
            return []
        }
        for omission in contents.omissions { log.warning("\(omission); \(omission.remedy)") }
        for note in contents.notes { log.notice("\(note)") }
        let entries = contents.entries
        guard entries.count > 1 else {
            return try entries.map { entry throws(MediaFailure) in try MediaLocation(entry) }
        }
        let films = MediaLocation.those(of: entries, log)
        guard !films.isEmpty else {
            throw MediaFailure(
                reason: .noSuchFile, message: "\(AddressPassword.hidden(in: url)): none of its films is there")
        }
        return films
    }
}

extension VitrinePlayer {
    /// - Returns: `false` where there is no such entry.
    fileprivate func play(_ entry: MPVPlaylistEntry) -> Bool {
        guard let place = place(of: entry) else {
            stop(keepsPlaylist: true)
            return true
        }
        return play(entry: place)
    }

    /// - Returns: `false` where there is no such entry.
    fileprivate func remove(_ entry: MPVPlaylistEntry) -> Bool { place(of: entry).map { remove(entry: $0) } ?? false }

    /// The place of an entry; `nil` for none.
    private func place(of entry: MPVPlaylistEntry) -> Int? {
        switch entry {
        case .place(let place): place
        case .current: queue.place
        case .nothing: nil
        }
    }

    /// - Returns: the number of the first film; `nil` where there is none.
    fileprivate func load(
        _ films: [MediaLocation], _ mode: MPVLoadMode, at index: Int, with options: FileOptions?
    ) -> Int? {
        let place: Int?
        switch mode {
        case .replace: return replacePlaylist(films, at: nil, with: options)
        case .append, .appendPlay: place = nil
        case .insertNext, .insertNextPlay: place = nextPlace
        case .insertAt, .insertAtPlay: place = queue.item(at: index) == nil ? nil : index
        }
        return add(films, at: place, with: options, plays: mode.plays)
    }
}

extension JSONValue {
    fileprivate init(key: String, value: String) { self = ["key": .string(key), "value": .string(value)] }
}
