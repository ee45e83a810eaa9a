internal import CGStreamer
internal import Dispatch
public import PlayerCore
internal import Synchronization

/// Decodes a film invisibly, for its scrub sheet and for still images: with a software decoder, which leaves the
/// hardware's to the film that plays, and on one thread. From servers it reads files, but no HLS or DASH.
///
/// Any thread, one at a time. Every call blocks.
public final class FilmFrames: Sendable {
    /// The film's properties that a sheet needs.
    public struct Film: Hashable, Sendable {
        public var duration: MediaTime
        /// The duration of a frame; `nil` if it is unknown or varies.
        public var frame: MediaTime?
        /// The size of the pictures.
        public var size: SheetSize
        /// "avdec_h264"
        public var decoder: String
    }

    /// A requested frame, small and upright. Borrowed for the call.
    public struct Frame {
        /// Its presentation time.
        public var time: MediaTime
        /// The encoding of its YCbCr; `nil` if it was RGB.
        public var color: FilmColor?
        public var size: SheetSize
        /// Its planes, one behind the other without gaps.
        public var planes: UnsafeMutableBufferPointer<UInt8>
    }

    private let location: MediaLocation
    private let limit: SheetSize
    private let pipeline: Element
    private let bus: Bus
    private let tap: FrameTap
    private let isCancelled = Atomic<Bool>(false)

    /// The longest time without progress, ns, until a frame that is near: a server has to answer first.
    private var patience: UInt { location.isLocal ? 10_000_000_000 : 20_000_000_000 }

    /// Builds the pipeline, and does not open the film yet.
    /// - Parameter limit: the size of a landscape film's pictures.
    public init(_ location: MediaLocation, limit: SheetSize) throws(MediaFailure) {
        try GStreamer.start()
        guard let source = location.stillSource else {
            throw MediaFailure(
                reason: .notMedia, message: "\(location.name): frames are taken of files alone, on a disk or a server")
        }
        let line =
            "\(source) name=file ! parsebin name=parse decodebin name=decode force-sw-decoders=true ! fakesink name=sink sync=false"
        pipeline = try Element(parsing: line)
        guard let bus = pipeline.bus, let exit = pipeline.child("sink")?.pad("sink"),
            let decode = pipeline.child("decode"), let parse = pipeline.child("parse"), let entry = decode.pad("sink"),
            let file = pipeline.child("file")
        else { throw MediaFailure(reason: .cannotBuild, message: "Unable to build pipeline: no decoder") }
        (self.location, self.limit, self.bus) = (location, limit, bus)
        let tap = FrameTap(limit: limit)
        self.tap = tap
        file.setURI(location.uri)
        FragmentIndex.mend(file)
        // Only the film's video: `parsebin` has no queues, so that two sinks would wait for each other.
        parse.connect("pad-added") { values in
            let pad = values.pad(1)
            guard pad.carriesVideo || pad.carriesMovingJPEGs else { return }
            tap.hasVideo.store(true, ordering: .relaxed)
            pad.relinkBest(to: entry)
        }
        parse.connect("deep-element-added") { values in
            if values.element(2).factory.map(SegmentStartFix.landsAnywhere) == true {
                tap.landsAnywhere.store(true, ordering: .relaxed)
            }
        }
        decode.connect("deep-element-added") { values in
            let element = values.element(2)
            if element.has("max-threads") { element.set("max-threads", to: 1) }
        }
        exit.probe(
            [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_EVENT_FLUSH]
        ) { pad, info in
            tap.take(info, at: pad)
            return GST_PAD_PROBE_OK
        }
    }

    deinit { pipeline.set(GST_STATE_NULL) }

    /// Cancels `read`, which ends within 50 ms. Any thread.
    public func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Opens the film, up to its first frame.
    public func open() throws(MediaFailure) -> Film {
        pipeline.set(GST_STATE_PAUSED)
        let none = MediaFailure(reason: .notMedia, message: "\(location.name): there is no video in it")
        do throws(MediaFailure) { try wait(for: GST_MESSAGE_ASYNC_DONE, patience) } catch {
            // Data without a link is an error in GStreamer's own words.
            if error.reason == .notMedia, !tap.hasVideo.load(ordering: .relaxed) { throw none }
            throw error
        }
        // A film whose sound begins first has a gap before its first frame.
        if tap.shape == nil {
            pipeline.set(GST_STATE_PLAYING)
            try wait(for: GST_MESSAGE_EOS, patience, orUntil: { tap.shape != nil })
            try pause()
            // A short film may have ended meanwhile.
            while bus.pop(GST_MESSAGE_EOS) != nil {}
        }
        guard let shape = tap.shape else { throw none }
        guard let duration = pipeline.duration().flatMap({ mediaTime($0) }), duration > .zero else {
            throw MediaFailure(reason: .notMedia, message: "\(location.name): it has no length, and no bar to scrub on")
        }
        let decoder = pipeline.descendants.first { $0.factoryClass.contains("Decoder/Video") }?.factory
        return Film(
            duration: duration, frame: shape.frame, size: shape.size, decoder: decoder ?? "unknown")
    }

    /// The frames to read.
    public enum Part: Hashable, Sendable {
        /// All key frames.
        case keyframes
        /// The last key frame at or before a time.
        case keyframe(before: MediaTime)
        /// All frames from the key frame before the lower bound on; to the film's end if the upper one is `.farthest`.
        case range(Range<MediaTime>)
    }

    /// Decodes a part of the film.
    /// - Parameters:
    ///   - wants: whether a frame is wanted; called for each frame, in order, on a streaming thread.
    ///   - take: receives the wanted frames; on the same thread.
    /// - Throws: the error that ends decoding, `.cancelled` after `cancel`.
    public func read(
        _ part: Part, wants: @escaping @Sendable (MediaTime) -> Bool, take: @escaping @Sendable (Frame) -> Void
    ) throws(MediaFailure) {
        tap.handlers.withLock { $0 = nil }
        pipeline.set(GST_STATE_PAUSED)
        let event: Event? =
            switch part {
            case .keyframes:
                .seek(
                    1, [GST_SEEK_FLAG_FLUSH, GST_SEEK_FLAG_TRICKMODE_KEY_UNITS, GST_SEEK_FLAG_TRICKMODE_NO_AUDIO],
                    from: 0, to: -1)
            case .keyframe(let time):
                .seek(
                    1,
                    [
                        GST_SEEK_FLAG_FLUSH, GST_SEEK_FLAG_KEY_UNIT, GST_SEEK_FLAG_SNAP_BEFORE,
                        GST_SEEK_FLAG_TRICKMODE_KEY_UNITS, GST_SEEK_FLAG_TRICKMODE_NO_AUDIO,
                    ],
                    from: start(time).nanoseconds, to: time.nanoseconds + 1)
            case .range(let range):
                .seek(
                    1, [GST_SEEK_FLAG_FLUSH, GST_SEEK_FLAG_KEY_UNIT, GST_SEEK_FLAG_SNAP_BEFORE],
                    from: start(range.lowerBound).nanoseconds,
                    to: range.upperBound < .farthest ? range.upperBound.nanoseconds : -1)
            }
        tap.handlers.withLock { $0 = FrameTap.Handlers(wants: wants, take: take) }
        defer { tap.handlers.withLock { $0 = nil } }
        guard let event, pipeline.send(event) else {
            throw MediaFailure(reason: .other, message: "\(location.name): it cannot be sought in")
        }
        pipeline.set(GST_STATE_PLAYING)
        try wait(for: GST_MESSAGE_EOS, .max)
    }

    /// Decodes the last key frame at or before a time, and stops there: of a server's file, hardly more is read than
    /// that frame. The film stays open for the next one.
    /// - Parameter take: receives the frame, on a streaming thread; not called if the film has no frame there.
    public func readKeyframe(
        before time: MediaTime, take: @escaping @Sendable (Frame) -> Void
    ) throws(MediaFailure) {
        let isTaken = Atomic<Bool>(false)
        tap.handlers.withLock { $0 = nil }
        try pause()
        let event = Event.seek(
            1, [GST_SEEK_FLAG_FLUSH, GST_SEEK_FLAG_KEY_UNIT, GST_SEEK_FLAG_SNAP_BEFORE], from: time.nanoseconds, to: -1)
        tap.handlers.withLock {
            $0 = FrameTap.Handlers(
                wants: { _ in !isTaken.exchange(true, ordering: .relaxed) }, take: take, takesAtOnce: true)
        }
        defer { tap.handlers.withLock { $0 = nil } }
        guard let event, pipeline.send(event) else {
            throw MediaFailure(reason: .other, message: "\(location.name): it cannot be sought in")
        }
        // In PAUSED, the sink keeps its first frame, and everything before it waits.
        try wait(for: GST_MESSAGE_ASYNC_DONE, patience)
    }

    /// Returns once the sink keeps a frame, and no other one flows.
    private func pause() throws(MediaFailure) {
        guard pipeline.set(GST_STATE_PAUSED) == GST_STATE_CHANGE_ASYNC else { return }
        try wait(for: GST_MESSAGE_ASYNC_DONE, patience)
    }

    /// The place to seek to, so that all frames from a time on are decoded, and the key frame before it.
    private func start(_ time: MediaTime) -> MediaTime {
        guard tap.landsAnywhere.load(ordering: .relaxed) else { return time }
        return max(time - SegmentStartFix.usualGroup - SegmentStartFix.mostAhead, .zero)
    }

    /// - Parameters:
    ///   - time: the longest time without progress, ns.
    ///   - isOver: whether to wait no longer, for another reason.
    private func wait(
        for type: GstMessageType, _ time: UInt, orUntil isOver: () -> Bool = { false }
    ) throws(MediaFailure) {
        var (passed, idle) = (tap.passed.load(ordering: .relaxed), UInt(0))
        while !isCancelled.load(ordering: .relaxed) {
            if isOver() { return }
            if let message = bus.pop([type, GST_MESSAGE_ERROR], within: 50_000_000) {
                guard case .error(let report) = message.content else { return }
                throw MediaFailure(reason: .notMedia, message: "\(location.name): \(report.text)")
            }
            let now = tap.passed.load(ordering: .relaxed)
            idle = now == passed ? idle + 50_000_000 : 0
            passed = now
            // A software decoder that gets little processor time may be slow, but not one minute for one frame.
            if idle > min(time, 60_000_000_000) {
                throw MediaFailure(
                    reason: .notMedia, message: "\(location.name): the decoder gives no more frames")
            }
        }
        throw MediaFailure(reason: .cancelled, message: "\(location.name): stopped")
    }
}

extension MediaLocation {
    /// Whether frames can be taken of it, unless its server sends it in pieces.
    public var hasStills: Bool { stillSource != nil }

    /// The element that reads the file byte by byte; `nil` for pieces and live media.
    fileprivate var stillSource: String? {
        if path != nil { return "filesrc" }
        let scheme = uri.prefix { $0 != ":" }.lowercased()
        let file = uri.prefix { $0 != "?" && $0 != "#" }.lowercased()
        guard scheme == "http" || scheme == "https", ![".m3u8", ".m3u", ".mpd"].contains(where: file.hasSuffix) else {
            return nil
        }
        return "souphttpsrc"
    }
}

/// The state of the streaming thread for frames.
///
/// `@unchecked Sendable` because the plain fields belong to that one thread, or to the one that ends a flush, for which
/// it waits.
private final class FrameTap: @unchecked Sendable {
    struct Handlers {
        var wants: @Sendable (MediaTime) -> Bool
        var take: @Sendable (FilmFrames.Frame) -> Void
        /// Whether a frame is taken as it comes, because no other one follows it.
        var takesAtOnce = false
    }

    let handlers = Mutex<Handlers?>(nil)
    let passed = Atomic<Int>(0)
    /// Whether the file's demuxer has found any video.
    let hasVideo = Atomic<Bool>(false)
    /// Whether seeks lead to the middle of a group of frames, even of a later one.
    let landsAnywhere = Atomic<Bool>(false)
    private let limit: SheetSize
    private let learned = Mutex<Shape?>(nil)
    private var segment = GstSegment()
    private var shrinker: FrameShrinker?
    private var picture = [UInt8]()
    private var held = LastOfTime<Sample>()

    /// The shape of the film's first frame.
    struct Shape {
        var upright: DisplayTransform
        /// The size of the pictures.
        var size: SheetSize
        /// The duration of a frame; `nil` if it is unknown or varies.
        var frame: MediaTime?
    }

    init(limit: SheetSize) { self.limit = limit }

    /// Set once the first frame has arrived.
    var shape: Shape? { learned.withLock { $0 } }

    func take(_ info: ProbeInfo, at pad: Pad) {
        if let event = info.event {
            if let frame = held.release(before: event.type) { take(frame) }
            if event.type == GST_EVENT_SEGMENT { segment = event.segment }
            if event.type == GST_EVENT_CAPS { shrinker = nil }
        }
        guard let buffer = info.buffer else { return }
        passed.wrappingAdd(1, ordering: .relaxed)
        guard let caps = pad.currentCaps else { return }
        if shape == nil, let info = caps.videoInfo { learn(info, at: pad) }
        guard let takesAtOnce = handlers.withLock({ $0?.takesAtOnce }),
            let time = buffer.streamTime(in: segment).flatMap({ Int64(exactly: $0) }).flatMap({ mediaTime($0) })
        else { return }
        if let frame = held.release(before: time) { take(frame) }
        held.hold(Sample(buffer, caps), at: time)
        if takesAtOnce, let frame = held.release() { take(frame) }
    }

    private func take(_ held: LastOfTime<Sample>.Held) {
        let (time, sample) = (held.time, held.frame)
        guard let handlers = handlers.withLock({ $0 }), let shape, let buffer = sample.buffer, handlers.wants(time)
        else { return }
        if shrinker == nil {
            shrinker = sample.caps?.videoInfo.flatMap { FrameShrinker($0, upright: shape.upright, size: shape.size) }
            picture = [UInt8](repeating: 0, count: shape.size.width * shape.size.height * 3 / 2)
        }
        guard let shrinker else { return }
        picture.withUnsafeMutableBufferPointer { planes in
            guard shrinker.shrink(buffer, into: planes) else { return }
            handlers.take(FilmFrames.Frame(time: time, color: shrinker.color, size: shrinker.size, planes: planes))
        }
    }

    private func learn(_ info: GstVideoInfo, at pad: Pad) {
        let upright = pad.peer.map { DisplayTransform(uprightAt: $0) } ?? .identity
        let frame = MediaTime(value: Int64(info.fps_d), timescale: Int64(info.fps_n), rounding: .nearest)
        let shape = Shape(
            upright: upright, size: FrameShrinker.size(info, upright, limit),
            // Longer durations come from a damaged header.
            frame: frame.flatMap { $0 > .zero && $0 <= .seconds(3600) ? $0 : nil })
        learned.withLock { $0 = shape }
    }
}
