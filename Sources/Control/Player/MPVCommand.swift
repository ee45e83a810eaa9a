/// A command for the player, its arguments checked and its defaults filled in as mpv does.
///
/// Requests that affect only one client (observing, events, its name) and access to properties are not included: the
/// server does the first itself and calls ``MPVPlayer/property(_:)`` and ``MPVPlayer/setProperty(_:to:)`` for the
/// second.
public enum MPVCommand: Sendable, Equatable {
    /// Does nothing, successfully.
    case ignore
    /// Adds `amount` to a property, clamped to its range.
    case add(property: String, amount: Double)
    case multiply(property: String, factor: Double)
    /// Steps a property by `step` (1 up, -1 down), from one end of its range to the other; a flag is toggled.
    case cycle(property: String, step: Double)
    case seek(MPVSeek)
    /// Loads a file. `index` is the place for ``MPVLoadMode/insertAt``. `options` are per-file options by name, such as
    /// `start`: they apply to that file, or the command is refused. The answer is `{"playlist_entry_id": N}`.
    case loadFile(url: String, mode: MPVLoadMode, index: Int = -1, options: [String: String])
    /// Loads each of a list's entries, or of a folder's films, as `loadFile` would.
    case loadList(url: String, mode: MPVLoadMode, index: Int = -1)
    case stop(keepPlaylist: Bool)
    case quit(code: Int32)
    /// `path` is the client's; a relative one starts at the player's working directory.
    case screenshotToFile(path: String, content: MPVScreenshotContent)
    /// Steps one frame on, then pauses.
    case frameStep
    /// Steps one frame back, then pauses.
    case frameBackStep
    /// `milliseconds` is `nil` for the player's own duration. `level` is the lowest OSD level that shows the text.
    case showText(String, milliseconds: Int32?, level: Int32)
    /// Shows the film's progress for a while.
    case showProgress
    /// Writes the text to the player's log.
    case printText(String)
    case playlistNext(atEnd: MPVPlaylistEnd)
    case playlistPrevious(atStart: MPVPlaylistEnd)
    /// Removes all entries except the one that plays.
    case playlistClear
    /// Plays the entry from its start, also if it is playing; `nothing` stops.
    case playlistPlayIndex(MPVPlaylistEntry)
    /// Removes the entry. If it is playing, the next one plays.
    case playlistRemove(MPVPlaylistEntry)
    /// Moves the entry to the place of the one at `to`, or to the end if there is none.
    case playlistMove(from: Int, to: Int)
    case playlistShuffle
    /// Restores the order from before the shuffle.
    case playlistUnshuffle
}

/// The playlist entry of a command.
public enum MPVPlaylistEntry: Sendable, Equatable {
    /// Counted from 0.
    case place(Int)
    case current
    case nothing
}

/// A seek's target and precision.
public struct MPVSeek: Sendable, Equatable {
    public enum Target: Sendable, Equatable {
        /// Seconds from the current position.
        case relative(Double)
        /// Seconds from the start; if negative, back from the end.
        case absolute(Double)
        /// Per cent of the duration from the start.
        case absolutePercent(Double)
        /// Per cent of the duration from the current position.
        case relativePercent(Double)
    }

    public enum Precision: Sendable, Equatable {
        /// mpv's `hr-seek` default: exact for absolute targets, keyframes for relative ones.
        case standard
        case keyframes
        case exact
    }

    public var target: Target
    public var precision: Precision

    public init(_ target: Target, precision: Precision = .standard) {
        self.target = target
        self.precision = precision
    }
}

/// The effect of `loadfile` on the playlist. The raw value is mpv's word.
public enum MPVLoadMode: String, Sendable, CaseIterable {
    case replace
    case append
    /// Appends, and plays if nothing plays.
    case appendPlay = "append-play"
    /// Behind the entry that plays.
    case insertNext = "insert-next"
    /// Behind the entry that plays; plays if nothing plays.
    case insertNextPlay = "insert-next-play"
    /// Before the entry at the index, or at the end if there is none.
    case insertAt = "insert-at"
    /// As ``insertAt``, and plays if nothing plays.
    case insertAtPlay = "insert-at-play"

    /// Whether the loaded file plays if nothing plays.
    public var plays: Bool {
        switch self {
        case .replace, .appendPlay, .insertNextPlay, .insertAtPlay: true
        case .append, .insertNext, .insertAt: false
        }
    }
}

/// The content of a screenshot. The raw value is mpv's word.
public enum MPVScreenshotContent: String, Sendable, CaseIterable {
    /// The film without OSD.
    case video
    /// The content of the display, OSD included.
    case window
    /// The film with its subtitles.
    case subtitles
}

/// The action of `playlist-next` and `playlist-prev` if there is no such entry. The raw value is mpv's word.
public enum MPVPlaylistEnd: String, Sendable, CaseIterable {
    /// No action.
    case weak
    /// Stops playback.
    case force
}
