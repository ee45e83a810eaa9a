/// A command for the player, its arguments checked and its defaults filled in as mpv does.
///
/// What concerns only one client (observing, events, its name) and access to properties never gets here:
/// the server does the first itself and calls ``MPVPlayer/property(_:)`` and ``MPVPlayer/setProperty(_:to:)`` for the
/// second.
public enum MPVCommand: Sendable, Equatable {
    /// Does nothing, successfully.
    case ignore
    /// Adds `amount` to a property; beyond the property's range the nearest end counts.
    case add(property: String, amount: Double)
    case multiply(property: String, factor: Double)
    /// Steps a property by `step` (1 up, -1 down), from one end of its range to the other; a flag flips.
    case cycle(property: String, step: Double)
    case seek(MPVSeek)
    /// `index` is the place for ``MPVLoadMode/insertAt``. `options` are per-file options by name, such as `start`: they
    /// hold for that file, or the command is refused.
    /// The answer is `{"playlist_entry_id": N}`.
    case loadFile(url: String, mode: MPVLoadMode, index: Int = -1, options: [String: String])
    /// Each of a list's entries, or of a folder's films, as `loadFile` would load it.
    case loadList(url: String, mode: MPVLoadMode, index: Int = -1)
    case stop(keepPlaylist: Bool)
    case quit(code: Int32)
    /// `path` is as the client gave it; a relative one starts at the player's working directory.
    case screenshotToFile(path: String, content: MPVScreenshotContent)
    /// One frame on, then pause.
    case frameStep
    /// One frame back, then pause.
    case frameBackStep
    /// `milliseconds` is `nil` for the player's own duration. `level` is the lowest OSD level that shows the text.
    case showText(String, milliseconds: Int32?, level: Int32)
    /// Shows for a while how far the film is.
    case showProgress
    /// Writes the text where the player's log goes.
    case printText(String)
    case playlistNext(atEnd: MPVPlaylistEnd)
    case playlistPrevious(atStart: MPVPlaylistEnd)
    /// Removes every entry but the one that plays.
    case playlistClear
    /// Plays the entry from its start, also the one that plays; `nothing` stops.
    case playlistPlayIndex(MPVPlaylistEntry)
    /// Without the one that plays, the next one plays.
    case playlistRemove(MPVPlaylistEntry)
    /// The entry takes the place of the one at `to`, or comes last where there is none.
    case playlistMove(from: Int, to: Int)
    case playlistShuffle
    /// Puts the entries into the order from before they were shuffled.
    case playlistUnshuffle
}

/// Which entry of the playlist a command concerns.
public enum MPVPlaylistEntry: Sendable, Equatable {
    /// Counted from 0.
    case place(Int)
    case current
    case nothing
}

/// Where a seek goes and how exactly.
public struct MPVSeek: Sendable, Equatable {
    public enum Target: Sendable, Equatable {
        /// Seconds from the present position.
        case relative(Double)
        /// Seconds from the start; negative: from the end, back.
        case absolute(Double)
        /// Per cent of the duration from the start.
        case absolutePercent(Double)
        /// Per cent of the duration from the present position.
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

/// What `loadfile` does with the playlist. The raw value is mpv's word.
public enum MPVLoadMode: String, Sendable, CaseIterable {
    case replace
    case append
    /// Appends, and plays if nothing plays.
    case appendPlay = "append-play"
    /// Behind the entry that plays.
    case insertNext = "insert-next"
    /// Behind the entry that plays; plays if nothing plays.
    case insertNextPlay = "insert-next-play"
    /// Before the entry at the index, or last where there is none.
    case insertAt = "insert-at"
    /// As ``insertAt``, and plays if nothing plays.
    case insertAtPlay = "insert-at-play"

    /// Whether what is loaded plays if nothing plays.
    public var plays: Bool {
        switch self {
        case .replace, .appendPlay, .insertNextPlay, .insertAtPlay: true
        case .append, .insertNext, .insertAt: false
        }
    }
}

/// What a screenshot shows. The raw value is mpv's word.
public enum MPVScreenshotContent: String, Sendable, CaseIterable {
    /// The film alone.
    case video
    /// What the display shows, OSD included.
    case window
    /// The film with its subtitles.
    case subtitles
}

/// What `playlist-next` and `playlist-prev` do where there is no such entry. The raw value is mpv's word.
public enum MPVPlaylistEnd: String, Sendable, CaseIterable {
    /// Nothing.
    case weak
    /// Stop playing.
    case force
}
