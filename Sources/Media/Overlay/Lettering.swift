internal import CGStreamer
internal import Dispatch
internal import PlayerCore
internal import Synchronization

/// Renders lines of text to coverage masks, with `textoverlay` as for all text of the display.
///
/// Recently rendered lines are cached. Any thread; a call may wait for some milliseconds, the first one for loading the
/// typeface.
public final class Lettering: Sendable {
    /// The mask of a line: as high as the font's line, and as wide as its letters.
    public struct Mask: Sendable {
        public var width: Int
        public var height: Int
        /// 0...255 for each pixel, rows without gaps.
        public var coverage: [UInt8]
    }

    private struct Line: Hashable {
        var text: String
        var fontSize: Int
        var isBold: Bool
    }

    private struct State {
        var press: Press?
        var isBroken = false
        var masks: [Line: Mask] = [:]
        /// The oldest first.
        var order: [Line] = []
    }

    /// Enough for a screen full of choices.
    private static let mostLines = 128

    private let state = Mutex(State())
    private let patience: Duration

    public convenience init() { self.init(patience: .seconds(5)) }

    /// - Parameter patience: the time limit for a line. The first one may wait for the disk.
    init(patience: Duration) { self.patience = patience }

    /// - Returns: `nil` if there are no letters, or they cannot be rendered.
    public func mask(of text: String, fontSize: Int, isBold: Bool) -> Mask? {
        let line = Line(text: text, fontSize: fontSize, isBold: isBold)
        return state.withLock { state -> Mask? in
            if let known = state.masks[line] { return known }
            let markup = OverlayText.markup(text, attributes: isBold ? #"weight="bold""# : #"weight="medium""#)
            guard !markup.isEmpty, !state.isBroken else { return nil }
            if state.press == nil {
                do throws(MediaFailure) { state.press = try Press() } catch { state.isBroken = true }
            }
            let length = text.unicodeScalars.count
            guard let mask = state.press?.mask(of: markup, length: length, fontSize: fontSize, within: patience) else {
                // A line that is late would be taken for the next one; and `textoverlay` crashes if its font changes
                // while it draws.
                state.press = nil
                return nil
            }
            state.masks[line] = mask
            state.order.append(line)
            if state.order.count > Self.mostLines { state.masks[state.order.removeFirst()] = nil }
            return mask
        }
    }
}

/// `appsrc ! textoverlay ! appsink`: a black buffer for each line, whose grey becomes the coverage.
private final class Press: Sendable {
    private let pipeline: Element
    private let source: Element
    private let overlay: Element
    private let sink: Element
    private let pendingWork = GStreamer.PendingWork()

    init() throws(MediaFailure) {
        try GStreamer.start()
        pipeline = Element(pipeline: "osd-letters")
        source = try Element("appsrc", name: "osd-letters-source")
        overlay = try Element("textoverlay", name: "osd-letters-text")
        sink = try Element("appsink", name: "osd-letters-sink")
        source.set("is-live", to: true)
        source.set("do-timestamp", to: true)
        source.set("format", serialized: "time")
        overlay.set("auto-resize", to: false)
        for name in ["draw-outline", "draw-shadow", "shaded-background"] { overlay.set(name, to: false) }
        overlay.set("color", to: 0xFFFF_FFFF as UInt32)
        overlay.set("wrap-mode", serialized: "none")
        overlay.set("halignment", serialized: "left")
        overlay.set("valignment", serialized: "top")
        for name in ["xpad", "ypad"] { overlay.set(name, to: 0) }
        for name in ["sync", "async", "qos", "enable-last-sample"] { sink.set(name, to: false) }
        try pipeline.add([source, overlay, sink], as: "the lettering")
        guard pipeline.set(GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE else {
            throw MediaFailure(reason: .cannotBuild, message: "The lettering does not start")
        }
    }

    deinit {
        // Stopping may wait for the streaming thread, but the thread that drops the last reference may not.
        let (pipeline, pendingWork) = (pipeline, pendingWork)
        DispatchQueue.global().async {
            pipeline.set(GST_STATE_NULL)
            withExtendedLifetime(pendingWork) {}
        }
    }

    func mask(of markup: String, length: Int, fontSize: Int, within patience: Duration) -> Lettering.Mask? {
        // Nearly all characters are at most as wide as the font is high.
        let width = (min((length + 2) * fontSize, 4096) + 3) & ~3
        let height = fontSize * 3 / 2
        guard
            let caps = Caps(
                "video/x-raw,format=GRAY8,width=\(width),height=\(height),framerate=0/1,pixel-aspect-ratio=1/1")
        else { return nil }
        overlay.set("font-desc", to: OverlayText.fontDescription(pixels: fontSize))
        overlay.set("text", to: markup)
        source.set("caps", to: caps)
        source.push(width * height) { $0.initializeMemory(as: UInt8.self, repeating: 0) }
        guard let sample = sink.pullSample(within: GstClockTime(patience.inNanoseconds)), let buffer = sample.buffer
        else {
            return nil
        }
        let inked = min(max(Int(overlay.integer("text-x")) + Int(overlay.integer("text-width")), 0), width)
        guard inked > 0 else { return nil }
        return buffer.withBytes(GST_MAP_READ) { bytes -> Lettering.Mask? in
            guard bytes.count >= width * height else { return nil }
            var coverage = [UInt8](repeating: 0, count: inked * height)
            for row in 0..<height {
                for column in 0..<inked { coverage[row * inked + column] = bytes[row * width + column] }
            }
            return Lettering.Mask(width: inked, height: height, coverage: coverage)
        } ?? nil
    }
}
