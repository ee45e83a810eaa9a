internal import CGStreamer
internal import Dispatch
public import PlayerCore

/// A short tone that shows where a sound card's sound is heard.
public enum Tone {
    /// Plays the tone to its end: half a second, or 6 s into a sound server. Waits for that, 15 s at most: a card's driver may
    /// hang.
    public static func play(on route: SoundRoute) throws(MediaFailure) {
        let device = route.device
        try GStreamer.start()
        let pipeline = Element(pipeline: "tone")
        let (source, filter) = (try Element("audiotestsrc"), try Element("capsfilter"))
        let sink = try Element("alsasink", name: SoundCard.elementName)
        sink.set("device", to: device)
        source.set("volume", to: 0.3)
        let isServers = route.isServers || ALSA.playsIntoServer(device)
        source.set("num-buffers", to: isServers ? Self.serverBuffers : Self.buffers)
        if let caps = Caps("audio/x-raw,rate=48000,channels=2") { filter.set("caps", to: caps) }
        try pipeline.add(
            [source, filter, try Element("audioconvert"), try Element("audioresample"), sink], as: "the tone")
        let line = DispatchQueue.forBlocking("vitrine.tone")
        line.async { pipeline.set(GST_STATE_PLAYING) }
        defer {
            let end = DispatchGroup()
            line.async(group: end) { pipeline.set(GST_STATE_NULL) }
            _ = end.wait(timeout: .now() + Self.closingPatience)
        }
        let message = pipeline.bus?.pop([GST_MESSAGE_EOS, GST_MESSAGE_ERROR], within: Self.patience)
        switch message?.content {
        case .end?: return
        case .error(let report)?:
            throw MediaFailure(
                reason: .audioLost, message: "\(device) does not play: \(report.text)", details: report.debug)
        default:
            throw MediaFailure(
                reason: .audioLost,
                message: "\(device) does not answer: choose another place, or restart the computer and try again")
        }
    }

    /// The number of buffers, of 1024 samples each.
    private static let buffers = 24
    /// An AirPlay loudspeaker drops the sound until it is connected. It plays 2 s late, and drops the rest at the stream's end.
    private static let serverBuffers = 281
    /// ns
    private static let patience: GstClockTime = 15_000_000_000
    private static let closingPatience = DispatchTimeInterval.seconds(1)
}
