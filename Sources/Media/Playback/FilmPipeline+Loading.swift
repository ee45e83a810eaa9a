internal import Dispatch
internal import PlayerCore

/// What a film needs of GStreamer is loaded beside all else that a start is made of: it is half of it.
extension FilmPipeline {
    /// One after another: GStreamer and the dynamic linker load one thing at a time.
    private static let loader = DispatchQueue(label: "vitrine.loader", qos: .userInitiated)

    /// Begins to load what every film needs. Returns at once; what fails, the film says when it is built.
    public static func beginLoading() {
        loader.async(group: GStreamer.pendingWork) {
            do throws(MediaFailure) {
                try GStreamer.start()
                for name in ["uridecodebin", "queue", "videoconvertscale"] { try load(name) }
            } catch {}
        }
    }

    /// Begins to load what this film will need, so that it opens sooner: its container's elements, and for the usual
    /// containers the decoder of H.264 (Debian's libav plugin brings dozens of libraries).
    ///
    /// Has GLib keep some more idle threads in all of the process (`ThreadReserve`): for a program that does nothing but play films.
    /// - Parameter hasSound: whether the film is to be heard.
    public static func beginLoading(
        for location: MediaLocation?, window: FilmOutput.Window? = nil, hasSound: Bool = true
    ) {
        beginLoading()
        loader.async(group: GStreamer.pendingWork) {
            ThreadReserve.fill()
            try? load(window?.factory ?? "kmssink")
            // Before the decoder, whose libraries take half a second in the rig: the first frame is shown once the card is open, too.
            if hasSound, SoundCard.mayExist() { try? load("alsasink") }
            guard let ending = location?.path?.split(separator: ".").last,
                let container = containers.first(where: { $0.endings.contains(ending.lowercased()) })
            else { return }
            GStreamer.load(plugin: "typefindfunctions")
            for name in [container.demuxer, "h264parse", "aacparse"] { try? load(name) }
            GStreamer.loadDecoder(of: "video/x-h264")
        }
    }

    /// Calls it once what is being loaded is there, on a queue of its own; soon where nothing is.
    public static func whenLoaded(_ call: @escaping @Sendable () -> Void) {
        loader.async(execute: call)
    }

    private static let containers = [
        (endings: ["mp4", "m4v", "mov"], demuxer: "qtdemux"), (endings: ["mkv"], demuxer: "matroskademux"),
        (endings: ["ts"], demuxer: "tsdemux"), (endings: ["avi"], demuxer: "avidemux"),
    ]

    private static func load(_ factory: String) throws(MediaFailure) { _ = try Element(factory) }
}
