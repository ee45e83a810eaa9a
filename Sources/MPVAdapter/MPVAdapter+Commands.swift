public import Control
internal import Logging
internal import Media
internal import PlayerCore
internal import Playlists
internal import Vitrine

extension MPVAdapter {
    public func run(_ command: MPVCommand) async throws(MPVError) -> JSONValue {
        switch command {
        case .ignore: break
        case .seek(let seek): try await self.seek(seek)
        case .loadFile(let url, let mode, let index, let options):
            return try await load(url, mode, index, try EntryOptions(options))
        case .loadList(let url, let mode, let index): return try await load(url, mode, index, nil, isList: true)
        case .stop(let keepsPlaylist): stop(keepsPlaylist: keepsPlaylist)
        case .quit(let code):
            isQuitting = true
            quit(code)
        case .screenshotToFile(let path, _):
            do throws(PlayerError) {
                try await player.screenshot(to: path)
            } catch {
                throw .errorRunningCommand
            }
        case .cycle(let name, let step): try await cycle(name, step)
        case .add(let name, let amount): try await add(amount, to: name)
        case .multiply(let name, let factor): try multiply(name, by: factor)
        case .playlistNext(let atEnd): try advance(by: 1, atEnd)
        case .playlistPrevious(let atStart): try advance(by: -1, atStart)
        case .showText(let text, let milliseconds, _):
            guard hasOSD else { throw .errorRunningCommand }
            player.showText(text, for: .milliseconds(milliseconds ?? 1000))
        case .showProgress:
            guard hasOSD else { throw .errorRunningCommand }
            player.showControls()
        case .printText(let text): log.info("\(text)")
        case .playlistClear: player.removeOtherItems()
        case .playlistPlayIndex(let entry):
            if let place = place(of: entry) {
                guard play(itemAt: place) else { throw .errorRunningCommand }
            } else {
                stop(keepsPlaylist: true)
            }
        case .playlistRemove(let entry):
            guard let place = place(of: entry), remove(itemAt: place) else { throw .errorRunningCommand }
        case .playlistMove(let place, let target):
            guard player.move(itemAt: place, before: target) else { throw .errorRunningCommand }
        case .playlistShuffle: player.shuffle()
        case .playlistUnshuffle: player.unshuffle()
        case .frameStep: guard player.step(byCount: 1) else { throw .errorRunningCommand }
        case .frameBackStep: guard await stepBack() else { throw .errorRunningCommand }
        }
        return .null
    }

    func setPaused(_ isPaused: Bool) {
        if isPaused { player.pause() } else { player.play() }
    }

    /// Steps back. Before the film's first frame there is none, unless the film is being sought elsewhere.
    private func stepBack() async -> Bool {
        let frame = await player.diagnostics.frameTime
        guard player.isSeeking || frame ?? .zero > .zero else { return false }
        return player.step(byCount: -1)
    }

    // MARK: Playlist

    /// The index of the current item; `nil` if there is none.
    var place: Int? {
        player.currentItem.flatMap { current in player.items.firstIndex { $0 === current } }
    }

    private func place(of entry: MPVPlaylistEntry) -> Int? {
        switch entry {
        case .place(let place): place
        case .current: place
        case .nothing: nil
        }
    }

    private func item(at place: Int) -> PlayerItem? {
        let items = player.items
        return items.indices.contains(place) ? items[place] : nil
    }

    /// - Returns: `false` if there is no such item.
    func play(itemAt place: Int) -> Bool {
        guard let item = item(at: place) else { return false }
        player.play(item)
        endedByClient()
        return true
    }

    /// Removes an item. If it is playing, the next one plays, or nothing.
    /// - Returns: `false` if there is no such item.
    private func remove(itemAt place: Int) -> Bool {
        guard let item = item(at: place) else { return false }
        let isCurrent = item === player.currentItem
        player.remove(item)
        if isCurrent { endedByClient() }
        return true
    }

    /// - Returns: `false` if there is no item `step` places further on.
    func advance(by step: Int) -> Bool {
        guard player.advance(by: step) else { return false }
        endedByClient()
        return true
    }

    private func advance(by step: Int, _ atEnd: MPVPlaylistEnd) throws(MPVError) {
        if advance(by: step) { return }
        guard atEnd == .force, player.currentItem != nil else { throw .errorRunningCommand }
        stop(keepsPlaylist: true)
    }

    private func stop(keepsPlaylist: Bool) {
        let wasIdle = player.currentItem == nil
        if keepsPlaylist { player.stop() } else { player.removeAllItems() }
        endedByClient()
        // Otherwise the player reports it.
        if wasIdle { eventListeners.send(.idle) }
    }

    // MARK: Loading

    private func load(
        _ url: String, _ mode: MPVLoadMode, _ index: Int, _ options: EntryOptions?, isList: Bool = false
    ) async throws(MPVError) -> JSONValue {
        let films: [MediaLocation]
        do throws(MediaFailure) {
            films = try await runBlocking { [log] () throws(MediaFailure) in try Self.films(of: url, log) }
        } catch {
            log.error("\(error.message)")
            throw .loadingFailed
        }
        guard mode == .replace || !films.isEmpty else { throw .loadingFailed }
        let first = mode == .replace ? replaceItems(with: films, options) : insert(films, mode, index, options)
        var answer: JSONObject = [:]
        answer["playlist_entry_id"] = first.map { .count(number(of: $0)) }
        if isList { answer["num_entries"] = .count(films.count) }
        return .object(answer)
    }

    /// - Parameter options: the options of the first film.
    /// - Returns: the first item; `nil` if there is none.
    private func replaceItems(with films: [MediaLocation], _ options: EntryOptions?) -> PlayerItem? {
        if films.isEmpty, let whenListIsEmpty {
            stop(keepsPlaylist: false)
            whenListIsEmpty()
            return nil
        }
        let items = makeItems(films.isEmpty ? [.testPicture] : films, with: options)
        player.setMessage(nil)
        player.replaceItems(with: items)
        endedByClient()
        return items.first
    }

    /// Inserts films; the current item plays on.
    private func insert(
        _ films: [MediaLocation], _ mode: MPVLoadMode, _ index: Int, _ options: EntryOptions?
    ) -> PlayerItem? {
        let items = makeItems(films, with: options)
        switch mode {
        case .insertNext, .insertNextPlay: player.insert(items, at: place.map { $0 + 1 } ?? player.items.count)
        case .insertAt, .insertAtPlay: player.insert(items, at: item(at: index) == nil ? player.items.count : index)
        case .append, .appendPlay, .replace: player.append(items)
        }
        if mode.plays, player.currentItem == nil, let first = items.first {
            player.play(first)
            endedByClient()
        }
        return items.first
    }

    /// A film, or the playable films of a list or a folder; none for an empty one. As in mpv, `loadfile` loads all.
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
