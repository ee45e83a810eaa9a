internal import Control
public import KMS
internal import Logging
public import Media
public import PlayerCore

extension VitrinePlayer {
    // MARK: Transport

    /// The wanted state (T3). During a drag it is remembered until the finger has left.
    public func setPlaying(_ playing: Bool) {
        if playing { hasEnded = false }
        scrub(.setPlaying(playing), at: .now)
        refreshOSD()
    }

    public var isPlaying: Bool { scrubber.wantsPlaying }

    /// Jumps to a time of the film, clamped to it; before the film is open it is remembered (M6).
    public func seek(to time: MediaTime, exact: Bool = true) {
        counters.seeksAsked += 1
        unansweredTouch = nil
        hasEnded = false
        scrub(.jump(to: time, exact: exact), at: .now)
        refreshOSD()
    }

    /// Where the film is, or is going: during a drag the finger's time, until the last seek is done its target.
    public var currentTime: MediaTime {
        updatePosition()
        return scrubber.displayedTime
    }

    public var duration: MediaTime? { facts?.duration }

    // MARK: Playlist

    /// Plays these films from the first, now.
    public func replacePlaylist(_ films: [MediaLocation], at start: MediaTime? = nil) {
        guard !films.isEmpty else { return stop() }
        leave()
        isIdle = false
        playlist = films
        index = 0
        failures = 0
        setMessage(nil)
        self.start = start
        open(at: start)
        hub.changed(RemoteProperty.ofFilm)
    }

    /// - Parameter plays: the film is opened at once where nothing plays.
    public func append(_ film: MediaLocation, plays: Bool = true) {
        playlist.append(film)
        hub.changed(RemoteProperty.ofFilm)
        if isIdle, plays { _ = play(entry: playlist.count - 1) }
    }

    /// Leaves the film that plays, and none besides.
    public func clearPlaylist() {
        playlist = isIdle ? [] : [playlist[index]]
        index = 0
        hub.changed(RemoteProperty.ofFilm)
    }

    /// The entry `step` further on; nothing where there is none, or nothing plays.
    public func advance(by step: Int) -> Bool {
        !isIdle && play(entry: index + step)
    }

    /// Plays the entry at this place of the playlist, counted from 0, from its start; nothing where there is none.
    public func play(entry: Int) -> Bool {
        guard playlist.indices.contains(entry) else { return false }
        leave()
        isIdle = false
        start = nil
        index = entry
        failures = 0
        open()
        hub.changed(RemoteProperty.ofFilm)
        return true
    }

    private func leave() {
        if !isIdle { hub.send(.endFile(reason: .stop, playlistEntry: index + 1)) }
        journal?.prove()
        supplyDeadline = nil
        // What was asked before the first film could be opened was asked of that one.
        if !isRunning { scrub(.closed, at: .now) }
    }

    /// Closes the film and empties the playlist: the display is black.
    public func stop() {
        leave()
        isIdle = true
        playlist = []
        index = 0
        failures = 0
        setMessage(nil)
        if isRunning, let before = retire() { close(before) }
        hub.send(.idle)
        hub.changed(RemoteProperty.ofFilm)
        refreshOSD()
    }

    // MARK: Pictures

    /// Writes what the display, or the window, shows to a PNG or JPEG file, by its name's ending.
    public func screenshot(to path: String) async throws(ScreenshotFailure) {
        let (display, film) = (display, screen == nil ? nil : film)
        do throws(ScreenshotFailure) {
            try await offLoop { () throws(ScreenshotFailure) in
                let picture = try Self.picture(of: display, or: film)
                try Result { () throws(MediaFailure) in
                    try PictureFile.write(picture.bytes, width: picture.width, height: picture.height, to: path)
                }.mapError(ScreenshotFailure.file).get()
            }
        } catch {
            log.error("no screenshot: \(error)")
            throw error
        }
    }

    /// In a window, the film with the bar is all there is.
    private static func picture(
        of display: Display?, or film: FilmPipeline?
    ) throws(ScreenshotFailure) -> KMS.Picture {
        if let display {
            return try Result { () throws(KMSError) in try display.capture() }.mapError(ScreenshotFailure.capture).get()
        }
        guard let picture = film?.picture() else { throw .noPicture }
        return KMS.Picture(width: picture.width, height: picture.height, bytes: picture.bytes)
    }
}

/// Why there is no screenshot.
public enum ScreenshotFailure: Error, Sendable, CustomStringConvertible {
    case noPicture
    case capture(KMSError)
    case file(MediaFailure)

    public var description: String {
        switch self {
        case .noPicture: "the player has no display, and no film's picture in a window"
        case .capture(let error): "\(error)"
        case .file(let failure): failure.message
        }
    }
}
