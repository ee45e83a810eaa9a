import Control
import Synchronization

/// A player that only records: enough of mpv's properties for its transcript, and commands that can be held back.
final class FakePlayer: MPVPlayer {
    private struct State {
        var properties: [String: JSONValue] = ["pause": false, "mute": false, "volume": 100.0]
        var commands: [MPVCommand] = []
        var changes: [AsyncStream<Set<String>>.Continuation] = []
        var events: [AsyncStream<MPVEvent>.Continuation] = []
        var gates: [String: Gate] = [:]
        var reads = 0
    }

    private struct Gate {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Known to mpv, without a value while nothing is loaded.
    private static let ofTheFilm = ["time-pos", "duration", "percent-pos", "path", "media-title", "eof-reached"]
    private static let readOnly = ["duration", "path", "media-title", "eof-reached", "playlist", "track-list"]

    init() { self["playlist"] = [] }

    /// Sets a property as the player itself would: all observers are notified.
    subscript(name: String) -> JSONValue? {
        get { state.withLock { $0.properties[name] } }
        set {
            let changes = state.withLock { state in
                state.properties[name] = newValue
                return state.changes
            }
            for change in changes { change.yield([name]) }
        }
    }

    func load() {
        self["duration"] = 20.0
        self["time-pos"] = 0.0
        self["percent-pos"] = 0.0
        self["path"] = "/tmp/film.mp4"
        self["media-title"] = "film.mp4"
        self["eof-reached"] = false
        self["track-list"] = [["id": 1, "type": "video"]]
        self["playlist"] = [["filename": "/tmp/film.mp4", "current": true, "playing": true, "id": 1]]
    }

    func report(_ event: MPVEvent) {
        for events in state.withLock(\.events) { events.yield(event) }
    }

    /// Reports that properties may have changed, whether they have or not.
    func touch(_ names: Set<String>) {
        for change in state.withLock(\.changes) { change.yield(names) }
    }

    var commands: [MPVCommand] { state.withLock(\.commands) }
    /// The number of times that a property was read.
    var reads: Int { state.withLock(\.reads) }

    // MARK: Gates: a `show-text NAME` waits until NAME is opened, if it is closed first.

    func closeGate(_ name: String) { state.withLock { $0.gates[name] = Gate() } }

    func openGate(_ name: String) {
        let waiting = state.withLock { state in
            state.gates[name]?.isOpen = true
            defer { state.gates[name]?.waiting = [] }
            return state.gates[name]?.waiting ?? []
        }
        for one in waiting { one.resume() }
    }

    private func pass(_ name: String) async {
        await withCheckedContinuation { continuation in
            let passes = state.withLock { state in
                guard let gate = state.gates[name], !gate.isOpen else { return true }
                state.gates[name]?.waiting.append(continuation)
                return false
            }
            if passes { continuation.resume() }
        }
    }

    // MARK: MPVPlayer

    var propertyNames: [String] { state.withLock { Array($0.properties.keys) } }

    func property(_ name: String) async throws(MPVError) -> JSONValue {
        let value = state.withLock { state in
            state.reads += 1
            return state.properties[name]
        }
        if let value { return value }
        throw Self.ofTheFilm.contains(name) ? .propertyUnavailable : .propertyNotFound
    }

    func setProperty(_ name: String, to value: JSONValue) async throws(MPVError) {
        _ = try await property(name)
        if Self.readOnly.contains(name) { throw .errorAccessingProperty }
        switch name {
        case "pause", "mute": self[name] = .bool(try value.flag())
        case "volume": self[name] = .double(try value.number(in: 0...130))
        case "percent-pos": self[name] = .double(try value.number(in: 0...100))
        case "time-pos": self[name] = .double(try value.time())
        default: self[name] = value
        }
    }

    func run(_ command: MPVCommand) async throws(MPVError) -> JSONValue {
        state.withLock { $0.commands.append(command) }
        switch command {
        case .showText(let text, _, _): await pass(text)
        case .seek, .playlistNext, .playlistPrevious:
            if self["path"] == nil { throw .errorRunningCommand }
        case .screenshotToFile: throw .errorRunningCommand
        case .loadFile: return ["playlist_entry_id": 1]
        case .add(let name, let amount):
            switch try await property(name) {
            case .bool(let flag): self[name] = .bool(amount > 0 || flag)
            case .double(let double):
                guard !Self.readOnly.contains(name) else { throw .errorAccessingProperty }
                self[name] = .double(min(max(double + amount, 0), 130))
            default: throw .errorAccessingProperty
            }
        case .cycle(let name, _):
            guard case .bool(let flag) = try await property(name) else { throw .errorAccessingProperty }
            self[name] = .bool(!flag)
        default: break
        }
        return .null
    }

    func changes() -> AsyncStream<Set<String>> {
        let (stream, continuation) = AsyncStream.makeStream(of: Set<String>.self)
        state.withLock { $0.changes.append(continuation) }
        return stream
    }

    func events() -> AsyncStream<MPVEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: MPVEvent.self)
        state.withLock { $0.events.append(continuation) }
        return stream
    }
}
