internal import Control
public import KMS
internal import Logging
public import Media
public import PlayerCore

extension VitrinePlayer {
    // MARK: Transport

    /// The wanted state (T3). During a drag it is remembered until the finger has left.
    public func setPlaying(_ playing: Bool) {
        scrub(.setPlaying(playing), at: .now)
        refreshOSD()
    }

    public var isPlaying: Bool { scrubber.wantsPlaying }

    /// Jumps to a time of the film, clamped to it; before the film is open it is remembered (M6).
    public func seek(to time: MediaTime, exact: Bool = true) {
        counters.seeksAsked += 1
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
        hub.send(.endFile(reason: .stop, playlistEntry: index + 1))
        playlist = films
        index = 0
        failures = 0
        setMessage(nil)
        if films.isEmpty { stop() } else { open(at: start) }
    }

    public func append(_ film: MediaLocation) {
        playlist.append(film)
        if playlist.count == 1 { open() }
        hub.changed(["playlist-count"])
    }

    /// The entry `step` further on; nothing where there is none.
    public func advance(by step: Int) -> Bool {
        guard playlist.indices.contains(index + step) else { return false }
        hub.send(.endFile(reason: .stop, playlistEntry: index + 1))
        index += step
        open()
        return true
    }

    /// Closes the film and empties the playlist: the display is black.
    public func stop() {
        playlist = []
        index = 0
        let before = retire()
        hub.send(.idle)
        hub.changed(["idle-active", "path", "duration", "time-pos"])
        refreshOSD()
        if let before { Task { await before.close() } }
    }

    // MARK: Pictures

    /// Writes what the display shows to a PNG or JPEG file, by its name's ending.
    public func screenshot(to path: String) async throws(ScreenshotFailure) {
        guard let display else { throw .noDisplay }
        do throws(ScreenshotFailure) {
            try await offLoop { () throws(ScreenshotFailure) in
                let picture = try Result { () throws(KMSError) in try display.capture() }
                    .mapError(ScreenshotFailure.capture).get()
                try Result { () throws(MediaFailure) in
                    try PictureFile.write(picture.bytes, width: picture.width, height: picture.height, to: path)
                }.mapError(ScreenshotFailure.file).get()
            }
        } catch {
            log.error("no screenshot: \(error)")
            throw error
        }
    }
}

/// Why there is no screenshot.
public enum ScreenshotFailure: Error, Sendable, CustomStringConvertible {
    case noDisplay
    case capture(KMSError)
    case file(MediaFailure)

    public var description: String {
        switch self {
        case .noDisplay: "the player has no display"
        case .capture(let error): "\(error)"
        case .file(let failure): failure.message
        }
    }
}
