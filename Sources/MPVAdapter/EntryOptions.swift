internal import Control
internal import PlayerCore
internal import Vitrine

/// The options of `loadfile` for one entry of the playlist. They apply whenever it plays, and to no other entry.
struct EntryOptions: Hashable, Sendable {
    var start: StartPlace?
    var isPaused: Bool?
    var repetition: Repetition?
    var volume: Double?
    var isMuted: Bool?
    var rate: PlaybackRate?
    var tracks: [MediaCharacteristic: TrackChoice] = [:]

    /// The range of mpv's volume.
    static let volumes = -1.0...1000
    /// The range of mpv's speed here.
    static let speeds = PlaybackRate.slowest.factor...PlaybackRate.fastest.factor

    init() {}

    /// - Parameter options: the options by mpv's names.
    /// - Throws: ``MPVError/invalidParameter`` for an option or a value that is not supported.
    init(_ options: [String: String]) throws(MPVError) {
        for (name, text) in options {
            do {
                try set(name, .string(text))
            } catch {
                throw .invalidParameter
            }
        }
    }

    private mutating func set(_ name: String, _ value: JSONValue) throws(MPVError) {
        if name == "start" {
            start = try StartPlace(try value.text())
            return
        }
        switch MPVProperty(named: name) {
        case .pause: isPaused = try value.flag()
        case .loopFile: repetition = try Repetition(value)
        case .volume: volume = try value.number(in: Self.volumes)
        case .mute: isMuted = try value.flag()
        case .speed: rate = PlaybackRate(factor: try value.number(in: Self.speeds))
        case .aid: tracks[.audible] = try Self.choice(value)
        case .sid: tracks[.legible] = try Self.choice(value)
        default: throw .propertyNotFound
        }
    }

    /// `nil` if the value is the default.
    private static func choice(_ value: JSONValue) throws(MPVError) -> TrackChoice? {
        switch value {
        case .string("auto"): nil
        case .string("no"): .off
        default: .track(Int(try value.number(in: 1...10_000)) - 1)
        }
    }
}

extension StartPlace {
    /// mpv's `--start`, without chapters: a time, with a minus before the film's end, or per cent of its length.
    fileprivate init?(_ text: String) throws(MPVError) {
        if text == "none" { return nil }
        if text.hasSuffix("%") {
            self = .part(try JSONValue.string(String(text.dropLast())).number(in: 0...100) / 100)
            return
        }
        let seconds = try JSONValue.string(text).time()
        guard let time = MediaTime(inSeconds: seconds.magnitude) else { throw .unsupportedPropertyFormat }
        let farthest = min(time, .farthest)
        self = text.hasPrefix("-") ? .beforeEnd(farthest) : .time(farthest)
    }
}

/// The options of the entry that plays, and the earlier values.
struct OptionsInForce {
    /// `nil` once a client has requested another item: when the entry is played again, it gets its options again.
    var item: PlayerItem?
    var before: EntryOptions
}

extension MPVAdapter {
    /// Called when an item is opened: restores the values from before the last item's options, then sets this one's. An
    /// item that is reopened for its repetition keeps later settings.
    func applyOptions(of item: PlayerItem) {
        guard optionsInForce?.item !== item else { return }
        restoreOptions()
        guard let options = options(of: item) else { return }
        var before = EntryOptions()
        if options.isPaused != nil { before.isPaused = player.rate.isPaused }
        if options.repetition != nil { before.repetition = player.itemRepetition }
        if options.volume != nil { before.volume = player.loudness.percent }
        if options.isMuted != nil { before.isMuted = player.isMuted }
        if options.rate != nil { before.rate = player.defaultRate }
        optionsInForce = OptionsInForce(item: item, before: before)
        set(options)
    }

    /// Restores the values from before the entry's options.
    func restoreOptions() {
        guard let before = optionsInForce?.before else { return }
        optionsInForce = nil
        set(before)
    }

    /// Makes the entry's options apply again when it is played again.
    func endOptions() { optionsInForce?.item = nil }

    private func set(_ options: EntryOptions) {
        if let isPaused = options.isPaused { setPaused(isPaused) }
        if let repetition = options.repetition { player.itemRepetition = repetition }
        if let volume = options.volume { player.loudness.percent = volume }
        if let isMuted = options.isMuted { player.isMuted = isMuted }
        if let rate = options.rate { player.defaultRate = rate }
    }
}
