/// An event in the player, for every client that has not disabled it.
///
/// Changes of properties are not included: see ``MPVPlayer/changes()``.
public enum MPVEvent: Sendable, Equatable {
    case startFile(playlistEntry: Int)
    case fileLoaded
    case videoReconfig
    case audioReconfig
    case seek
    /// The first frame after a load or a seek is on the screen.
    case playbackRestart
    /// `error` belongs to the reason ``MPVEndReason/error``.
    case endFile(reason: MPVEndReason, playlistEntry: Int, error: MPVError? = nil)
    /// Nothing plays and nothing waits.
    case idle
    /// A client's `script-message`.
    case clientMessage([String])
    /// The player ends: each client gets the replies it still waits for, then its connection is closed.
    /// Like mpv 0.35, the server sends no line for it.
    case shutdown
}

/// Why a file ended. The raw value is mpv's word.
public enum MPVEndReason: String, Sendable {
    case endOfFile = "eof"
    case stop
    case quit
    case error
    case redirect
}

extension MPVEvent {
    /// The names that `enable_event` and `disable_event` accept. Some are never sent, but clients name them.
    static let names: Set<String> = [
        "none", "shutdown", "log-message", "get-property-reply", "set-property-reply", "command-reply", "start-file",
        "end-file", "file-loaded", "idle", "tick", "client-message", "video-reconfig", "audio-reconfig", "seek",
        "playback-restart", "property-change", "hook",
    ]

    var name: String {
        switch self {
        case .startFile: "start-file"
        case .fileLoaded: "file-loaded"
        case .videoReconfig: "video-reconfig"
        case .audioReconfig: "audio-reconfig"
        case .seek: "seek"
        case .playbackRestart: "playback-restart"
        case .endFile: "end-file"
        case .idle: "idle"
        case .clientMessage: "client-message"
        case .shutdown: "shutdown"
        }
    }

    var json: JSONObject {
        var object: JSONObject = ["event": .string(name)]
        switch self {
        case .startFile(let entry):
            object["playlist_entry_id"] = .integer(Int64(entry))
        case .endFile(let reason, let entry, let error):
            object["reason"] = .string(reason.rawValue)
            object["playlist_entry_id"] = .integer(Int64(entry))
            object["file_error"] = error.map { .string($0.rawValue) }
        case .clientMessage(let words):
            object["args"] = .array(words.map { .string($0) })
        default:
            break
        }
        return object
    }
}
