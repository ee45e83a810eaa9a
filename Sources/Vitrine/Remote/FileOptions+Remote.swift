internal import Control
internal import PlayerCore

/// The options that `loadfile` takes for one film, by mpv's names.
extension FileOptions {
    /// - Throws: ``MPVError/invalidParameter`` for an option, or a value, that would not be kept.
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
        switch RemoteProperty(named: name) {
        case .pause: isPaused = try value.flag()
        case .loopFile: repetition = try Repetition(value)
        case .volume: volume = try value.number(in: RemotePlayer.volumes)
        case .mute: isMuted = try value.flag()
        case .speed:
            let factor = try value.number(in: PlaybackRate.slowest.factor...PlaybackRate.fastest.factor)
            guard let rate = PlaybackRate(factor: factor) else { throw .unsupportedPropertyFormat }
            self.rate = rate
        case .aid: try choose(.audible, value)
        case .sid: try choose(.legible, value)
        default: throw .propertyNotFound
        }
    }

    private mutating func choose(_ kind: MediaCharacteristic, _ value: JSONValue) throws(MPVError) {
        switch value {
        case .string("auto"): tracks[kind] = nil
        case .string("no"): tracks[kind] = .some(nil)
        default: tracks[kind] = .some(Int(try value.number(in: 1...10_000)))
        }
    }
}

extension StartPlace {
    /// As mpv's `--start`, except for chapters: a time, with a minus before the film's end, or per cent of its length.
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
