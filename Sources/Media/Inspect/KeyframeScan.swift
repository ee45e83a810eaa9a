internal import CGStreamer
internal import Dispatch
public import PlayerCore
internal import Synchronization

/// A film's key frames, with the properties that the scan found.
public struct Keyframes: Hashable, Sendable {
    /// The key frames' times in the film, in rising order; empty if they cannot be found.
    public var times: [MediaTime] = []
    /// Whether the demuxer starts at a key frame after any seek. In a film without an index it starts anywhere.
    public var areKnown = true
    /// The film's least duration, for a demuxer that may not know it before it has read everything; else `nil`.
    public var end: MediaTime?
    /// Whether the film consists of concatenated recordings, in which seeking needs them to be read first; its duration
    /// is `end`.
    public var isJoined = false
    /// The stream that the key frames belong to, by its id.
    var stream: String?

    public init() {}
}

/// Finds a local film's key frames without decoding. The demuxer is asked for key frames only, so that little more than
/// the index of a long film is read. A film without an index is read in whole.
///
/// Runs on a queue of its own at low priority; may be used from any thread, once.
public final class KeyframeScan: Sendable {
    private let location: MediaLocation
    private let isCancelled = Atomic<Bool>(false)

    public init(_ location: MediaLocation) {
        self.location = location
    }

    /// Cancels the scan. It ends within 50 ms, or, while the film is being opened, once it is open; `find` returns an
    /// empty result.
    public func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }

    public func find() async -> Keyframes {
        await withCheckedContinuation { continuation in
            // Not a lower quality of service: Dispatch lowers the priority of its threads, and GLib, which gives each
            // of GStreamer's threads the settings of the first one, may not raise it again as an ordinary user, and
            // complains.
            DispatchQueue(label: "vitrine.keyframes").async(group: GStreamer.pendingWork) { [self] in
                continuation.resume(returning: scan())
            }
        }
    }

    private func scan() -> Keyframes {
        var keyframes = Keyframes()
        guard let pipeline = try? Element(parsing: "filesrc name=file ! parsebin name=parse") else { return keyframes }
        defer { pipeline.set(GST_STATE_NULL) }
        guard let file = pipeline.child("file"), let parse = pipeline.child("parse") else { return keyframes }
        file.setURI(location.uri)
        FragmentIndex.mend(file)
        let found = Found()
        // The pipeline owns the signal's source, which must not hold it.
        parse.connect("pad-added") { [unowned pipeline] in found.link($0.pad(1), in: pipeline) }

        pipeline.set(GST_STATE_PAUSED)
        let isOpen = wait(pipeline, for: GST_MESSAGE_ASYNC_DONE, found, isCancellable: Self.mayCancelBeforePads)
        guard isOpen, found.isLinked else { return keyframes }
        let guess = duration(of: pipeline)
        let factories = Set(pipeline.descendants.compactMap(\.factory))
        keyframes.isJoined = factories.contains("tsdemux") && isBroken()
        if keyframes.isJoined {
            // The film is read to its end, as in playback: a seek would change the demuxer's counting.
            pipeline.set(GST_STATE_PLAYING)
            guard wait(pipeline, for: GST_MESSAGE_EOS, found, isCancellable: true) else { return Keyframes() }
            keyframes.end = found.seen.withLock(\.end)
        } else {
            let flags: GstSeekFlags = [GST_SEEK_FLAG_TRICKMODE_KEY_UNITS, GST_SEEK_FLAG_TRICKMODE_NO_AUDIO]
            guard go(pipeline, to: .zero, flags, found, isReading: true) else { return keyframes }
        }
        keyframes.stream = found.stream
        keyframes.times = found.seen.withLock { Array(Set($0.keyframes)).sorted() }
        if factories.contains(where: SegmentStartFix.landsAnywhere) {
            // The demuxer outputs all frames in spite of the flag, and counts its length from the first one.
            keyframes.end = found.seen.withLock(\.end)
            keyframes.areKnown = false
        } else if factories.contains(where: SegmentStartFix.isNeeded) {
            learnEnd(guess, in: pipeline, found, &keyframes)
            learnLanding(in: pipeline, found, &keyframes)
        } else if factories.contains("qtdemux"), duration(of: pipeline) != guess {
            // In a fragmented file the index says where the last fragment starts, and only that fragment says where it
            // ends.
            learnEnd(guess, in: pipeline, found, &keyframes)
        }
        return keyframes
    }

    private func isBroken() -> Bool {
        location.path.map { TransportClock.isBroken(in: $0) { isCancelled.load(ordering: .relaxed) } } ?? false
    }

    /// Updates the duration, which a demuxer that estimates it knows better the more it has read.
    private func learnEnd(
        _ guess: MediaTime?, in pipeline: Element, _ found: Found, _ keyframes: inout Keyframes
    ) {
        keyframes.end = duration(of: pipeline)
        guard let last = keyframes.times.last, keyframes.end != guess else { return }
        // Reads all frames, because with key frames only the demuxer skips the others without reading their times.
        guard go(pipeline, to: last, GST_SEEK_FLAG_ACCURATE, found, isReading: true) else { return }
        keyframes.end = [found.seen.withLock(\.end), duration(of: pipeline)].compactMap { $0 }.max()
    }

    /// Checks where a demuxer starts after a seek near the end of the longest group.
    private func learnLanding(
        in pipeline: Element, _ found: Found, _ keyframes: inout Keyframes
    ) {
        let ends = keyframes.times.dropFirst() + [keyframes.end].compactMap { $0 }
        guard let group = zip(keyframes.times, ends).max(by: { $0.1 - $0.0 < $1.1 - $1.0 }), group.1 > group.0 else {
            return
        }
        let length = group.1 - group.0
        let place = group.1 - min(.milliseconds(100), MediaTime(nanoseconds: length.nanoseconds / 2))
        guard go(pipeline, to: place, GST_SEEK_FLAG_ACCURATE, found, isReading: false),
            let first = found.seen.withLock(\.first)
        else { return }
        // Containers that count milliseconds may be off by one.
        keyframes.areKnown = first <= group.0 + .milliseconds(1)
    }

    private func duration(of pipeline: Element) -> MediaTime? { pipeline.duration().flatMap { mediaTime($0) } }

    /// - Parameter isReading: whether to read to the end; else until there is a frame.
    private func go(
        _ pipeline: Element, to place: MediaTime, _ flags: GstSeekFlags, _ found: Found, isReading: Bool
    ) -> Bool {
        guard !isCancelled.load(ordering: .relaxed) else { return false }
        pipeline.set(GST_STATE_PAUSED)
        guard pipeline.seek(to: place.nanoseconds, flags.union(GST_SEEK_FLAG_FLUSH)) else { return false }
        if isReading { pipeline.set(GST_STATE_PLAYING) }
        return wait(pipeline, for: isReading ? GST_MESSAGE_EOS : GST_MESSAGE_ASYNC_DONE, found, isCancellable: true)
    }

    /// False after an error, at an early end of the film, when cancelled, and when nothing arrived for 5 s.
    private func wait(
        _ pipeline: Element, for type: GstMessageType, _ found: Found, isCancellable: Bool
    ) -> Bool {
        guard let bus = pipeline.bus else { return false }
        var (idle, seen) = (0, 0)
        while !(isCancellable && isCancelled.load(ordering: .relaxed)), idle < 100 {
            if let message = bus.pop([type, GST_MESSAGE_ERROR, GST_MESSAGE_EOS], within: 50_000_000) {
                return message.type == type
            }
            let buffers = found.buffers.load(ordering: .relaxed)
            idle = buffers == seen ? idle + 1 : 0
            seen = buffers
        }
        return false
    }
}

/// The findings of the streaming thread.
///
/// `@unchecked Sendable` because the plain fields belong to that one thread, and `entry` is read only after the last
/// pad was added.
private final class Found: @unchecked Sendable {
    struct Seen {
        var keyframes: [MediaTime] = []
        /// The start of the first frame that arrived, in decoding order, and the end of the last one.
        var first: MediaTime?
        var end: MediaTime?
    }

    /// Since the last flush.
    let seen = Mutex(Seen())
    let buffers = Atomic<Int>(0)
    private let hasVideo = Atomic<Bool>(false)
    var isLinked: Bool { hasVideo.load(ordering: .acquiring) }
    private var segment = GstSegment()
    private var entry: Pad?

    /// Links only the film's pad: `parsebin` has no queues, so that two sinks would wait for each other. All pads are
    /// added before data flows, and the best one stays linked.
    func link(_ pad: Pad, in pipeline: Element) {
        guard pad.carriesVideo else { return }
        if let entry { return pad.relinkBest(to: entry) }
        guard let sink = try? Element("fakesink"), let entry = sink.pad("sink") else { return }
        pipeline.add(sink)
        sink.syncStateWithParent()
        _ = pad.link(to: entry)
        self.entry = entry
        hasVideo.store(true, ordering: .releasing)
        let types: GstPadProbeType = [
            GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_EVENT_FLUSH,
        ]
        entry.probe(types) { [weak self] _, info in
            self?.note(info)
            return GST_PAD_PROBE_OK
        }
    }

    /// The linked stream's id. Only while no pads are being added.
    var stream: String? { entry?.peer?.streamID }

    private func note(_ info: ProbeInfo) {
        if let event = info.event {
            if event.type == GST_EVENT_SEGMENT { segment = event.segment }
            if event.type == GST_EVENT_FLUSH_STOP { seen.withLock { $0 = Seen() } }
        }
        guard let buffer = info.buffer else { return }
        buffers.wrappingAdd(1, ordering: .relaxed)
        guard let time = buffer.streamTime(in: segment).flatMap({ Int64(exactly: $0) }).flatMap({ mediaTime($0) })
        else { return }
        let length = Int64(exactly: buffer.duration).flatMap { mediaTime($0) } ?? .zero
        seen.withLock { seen in
            if buffer.isKeyframe { seen.keyframes.append(time) }
            seen.first = seen.first ?? time
            seen.end = max(seen.end ?? .zero, time + length)
        }
    }
}
