import Logging
import PlayerCore

extension PlayCommand {
    /// Reads the arguments with which the unit starts a kiosk's player, `play` and these three with a value each,
    /// without ArgumentParser: examining the declarations of all options and commands takes it a tenth of a small
    /// board's start. `nil` for other arguments, which ArgumentParser reads and checks.
    ///
    /// Every option must get a value here: one without must not be read.
    init?(ofService words: [String]) {
        guard words.count == 7, words[0] == Self.name else { return nil }
        var values: [String: String] = [:]
        for index in stride(from: 1, to: 7, by: 2) where !words[index + 1].hasPrefix("-") {
            values[words[index]] = words[index + 1]
        }
        guard let settings = values["--settings"], let state = values["--state"], let control = values["--control"]
        else {
            return nil
        }
        self.init()
        (self.settings, self.state, self.control) = (settings, state, control)
        (films, start, paused, rate, log, keyboard) = ([], nil, false, 1, .notice, false)
        (end, loop, mute, sound, volume, audio, subtitle) = (nil, nil, nil, nil, nil, nil, nil)
        (output, connector, mode, fileDescriptor, osd, gravity) = (.display, nil, nil, nil, nil, nil)
        (controls, time, chooseOutput, attract) = (nil, nil, nil, nil)
        (rotate, reflect, rotateBy, matchRefresh, whenUnplugged, touch) = (nil, nil, .plane, nil, nil, nil)
    }
}
