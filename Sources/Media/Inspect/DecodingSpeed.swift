internal import CGStreamer
internal import Dispatch
public import PlayerCore
internal import Synchronization

/// How fast this machine decodes a film's pictures when it does nothing else (N9).
public struct DecodingSpeed: Hashable, Sendable {
    /// So much of the film was decoded ...
    public var film: MediaTime
    /// ... in so much of the clock's time; above 0.
    public var clock: Duration
    /// By this element: "avdec_h264", or one of a device's, "v4l2slh264dec".
    public var decoder: String

    public init(film: MediaTime, clock: Duration, decoder: String) {
        self.film = film
        self.clock = clock
        self.decoder = decoder
    }

    /// In hundredths of the film's own speed: at 100 each picture is there just in time.
    public var hundredths: Int64 { film.nanoseconds / max(clock.inNanoseconds / 100, 1) }

    /// Decodes a local film from its middle on, for two seconds. Any thread; takes up to 17 s of a film that is damaged, or far too much.
    /// - Returns: `nil` where there are no pictures, fewer than four of them, or no decoder.
    public static func measure(_ location: MediaLocation) async -> DecodingSpeed? {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "vitrine.decoding").async(group: GStreamer.errands) {
                continuation.resume(returning: DecodingTrial().run(location))
            }
        }
    }
}

/// One such trial.
private final class DecodingTrial: Sendable {
    private struct Passed {
        var first: (place: UInt, at: MonotonicTime)?
        var last: (place: UInt, at: MonotonicTime)?
        var count = 0
    }

    private let passed = Mutex(Passed())

    private static let length: UInt = 2_000_000_000
    private static let patience: UInt = 5_000_000_000
    /// Pictures: so many are waited for beyond `length`, and so many say something.
    private static let enough = 10, least = 4

    func run(_ location: MediaLocation) -> DecodingSpeed? {
        let line = "filesrc name=file ! parsebin name=parse decodebin name=decode ! fakesink name=sink sync=false"
        guard let pipeline = try? Element(parsing: line) else { return nil }
        defer { pipeline.set(GST_STATE_NULL) }
        guard let file = pipeline.child("file"), let parse = pipeline.child("parse"), let bus = pipeline.bus,
            let entry = pipeline.child("decode")?.pad("sink"), let exit = pipeline.child("sink")?.pad("sink")
        else { return nil }
        file.setURI(location.uri)
        FragmentIndex.mend(file)
        // The film's pictures alone: `parsebin` has no queues, so that two sinks would wait for each other.
        parse.connect("pad-added") { values in
            let pad = values.pad(1)
            if pad.leadsPictures { pad.relinkBest(to: entry) }
        }

        pipeline.set(GST_STATE_PAUSED)
        guard wait(on: bus, for: GST_MESSAGE_ASYNC_DONE, Self.patience),
            let decoder = pipeline.descendants.first(where: { $0.factoryClass.contains("Decoder/Video") })?.factory
        else { return nil }
        if let duration = pipeline.duration(), duration > 4 * Int64(Self.length) {
            // What a film begins with is often black.
            guard
                !pipeline.seek(to: duration / 2, [GST_SEEK_FLAG_FLUSH, GST_SEEK_FLAG_KEY_UNIT])
                    || wait(on: bus, for: GST_MESSAGE_ASYNC_DONE, Self.patience)
            else { return nil }
        }
        // From now on the pictures that come out of the decoder are counted.
        exit.watchBuffers { [self] in note($0.start) }
        pipeline.set(GST_STATE_PLAYING)
        let isOver = wait(on: bus, for: GST_MESSAGE_EOS, Self.length)
        // The slower, the more is to be said of it.
        if !isOver, passed.withLock(\.count) < Self.enough { _ = wait(on: bus, for: GST_MESSAGE_EOS, Self.patience) }
        return speed(decoder)
    }

    private func speed(_ decoder: String) -> DecodingSpeed? {
        let passed = passed.withLock { $0 }
        guard let first = passed.first, let last = passed.last, passed.count >= Self.least, last.place > first.place,
            last.at > first.at
        else { return nil }
        let film = Int64(exactly: last.place - first.place).flatMap { mediaTime($0) } ?? .zero
        return DecodingSpeed(film: min(film, .farthest), clock: last.at - first.at, decoder: decoder)
    }

    private func note(_ place: UInt) {
        guard place != UInt(bitPattern: -1) else { return }
        let now = MonotonicTime(nanoseconds: Int64(g_get_monotonic_time()) * 1000)
        passed.withLock { passed in
            passed.first = passed.first ?? (place, now)
            passed.last = (place, now)
            passed.count += 1
        }
    }

    /// False at an error, at the film's end where that is not waited for, and after so many nanoseconds.
    private func wait(on bus: Bus, for type: GstMessageType, _ time: UInt) -> Bool {
        bus.pop([type, GST_MESSAGE_ERROR, GST_MESSAGE_EOS], within: time)?.type == type
    }
}
