internal import Dispatch
internal import PlayerCore

/// Loads GStreamer's parts in the background at start. Loading takes half of the start's time.
extension FilmPipeline {
    /// Serial, because GStreamer and the dynamic linker load one thing at a time.
    private static let loader = DispatchQueue(label: "vitrine.loader", qos: .userInitiated)

    /// Begins to load what every film needs. Returns at once. Failures are reported when the film is built.
    public static func beginLoading() {
        loader.async(group: GStreamer.pendingWork) {
            do throws(MediaFailure) {
                try GStreamer.start()
                for name in ["uridecodebin", "queue", "videoconvertscale"] { try load(name) }
            } catch {}
        }
    }

    /// Begins to load what this film needs: the elements of its container, and for common containers the H.264 decoder (Debian's
    /// libav plugin loads dozens of libraries).
    ///
    /// Makes GLib keep more idle threads in the whole process (`ThreadReserve`), so only for programs that just play films.
    /// - Parameter hasSound: whether the film's sound is wanted.
    public static func beginLoading(
        for location: MediaLocation?, window: FilmOutput.Window? = nil, hasSound: Bool = true
    ) {
        beginLoading()
        loader.async(group: GStreamer.pendingWork) {
            ThreadReserve.fill()
            try? load(window?.factory ?? "kmssink")
            // Before the decoder, whose libraries take half a second in the rig: the first frame also waits for the card.
            if hasSound, SoundCard.mayExist() { try? load("alsasink") }
            guard let ending = location?.path?.split(separator: ".").last,
                let container = containers.first(where: { $0.endings.contains(ending.lowercased()) })
            else { return }
            GStreamer.load(plugin: "typefindfunctions")
            for name in [container.demuxer, "h264parse", "aacparse"] { try? load(name) }
            GStreamer.loadDecoder(of: "video/x-h264")
        }
    }

    /// Calls the closure on a queue once all loading is over; soon if nothing is being loaded.
    public static func whenLoaded(_ call: @escaping @Sendable () -> Void) {
        loader.async(execute: call)
    }

    private static let containers = [
        (endings: ["mp4", "m4v", "mov"], demuxer: "qtdemux"), (endings: ["mkv"], demuxer: "matroskademux"),
        (endings: ["ts"], demuxer: "tsdemux"), (endings: ["avi"], demuxer: "avidemux"),
    ]

    private static func load(_ factory: String) throws(MediaFailure) { _ = try Element(factory) }
}
