internal import CGStreamer
internal import Dispatch
internal import PlayerCore
internal import Synchronization

/// The result of a trial of a film's decoder.
public struct DecoderTrial: Sendable {
    public var use: DecoderUse
    /// `nil` if it was not measured, or if too few frames arrived.
    public var speed: DecodingSpeed?

    /// Decodes a local film as the player would for that plane, with the highest ranked decoder that plays it. Any
    /// thread. Takes up to 5 s, or up to 17 s if the speed of a damaged or far too demanding film is measured; as long
    /// again for each decoder that does not play it.
    /// - Parameters:
    ///   - offer: the plane, or why there is none.
    ///   - measuresSpeed: whether to decode for two seconds from the film's middle on.
    /// - Returns: `nil` if there is no video, or no decoder.
    public static func run(
        _ location: MediaLocation, for offer: Result<PlaneOffer, PlaneProblem>, measuresSpeed: Bool = true
    ) async -> DecoderTrial? {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "vitrine.decoding").async(group: GStreamer.pendingWork) {
                continuation.resume(returning: run(location, offer, measuresSpeed))
            }
        }
    }

    /// The reason why no plane can be asked.
    public struct PlaneProblem: Error, Hashable, Sendable {
        public var text: String

        public init(_ text: String) { self.text = text }
    }

    private static func run(
        _ location: MediaLocation, _ offer: Result<PlaneOffer, PlaneProblem>, _ measuresSpeed: Bool
    ) -> DecoderTrial? {
        guard (try? GStreamer.start()) != nil else { return nil }
        var avoided = AvoidedDecoders()
        var failed: [DecoderUse.PassedOver] = []
        while true {
            let attempt = DecoderAttempt(FilmDecoder(avoiding: avoided), try? offer.get())
            switch attempt.run(location, measuresSpeed: measuresSpeed) {
            case .played(let decoder, let output, let speed):
                let route: DecoderUse.Route =
                    switch offer {
                    case .success(let offer): DecoderUse.route(of: output, to: offer)
                    // Frames in system memory are copied for every plane.
                    case .failure(let problem): output.isInDeviceMemory ? .unknown(problem.text) : .copied([])
                    }
                if let reason = DecoderUse.reasonToLeave(output, on: route), avoided.names.insert(decoder.name).inserted
                {
                    failed.append(DecoderUse.PassedOver(decoder: decoder, reason: reason))
                    continue
                }
                let use = DecoderUse(
                    decoder: decoder, format: output.caps.format, route: route,
                    passedOver: failed + attempt.passedOver.filter { !avoided.contains($0.decoder) })
                return DecoderTrial(use: use, speed: speed)
            case .failed(let decoder, let reason):
                // The next one by rank, as in the player.
                guard let decoder, decoder.isHardware, avoided.names.insert(decoder.name).inserted else { return nil }
                failed.append(DecoderUse.PassedOver(decoder: decoder, reason: reason))
            }
        }
    }
}

/// One attempt with one decoder.
private final class DecoderAttempt: Sendable {
    enum Outcome {
        case played(VideoDecoder, DecoderUse.Output, DecodingSpeed?)
        /// The decoder that was to be used, if there was any, and its error.
        case failed(VideoDecoder?, String)
    }

    private struct Passed {
        var first: (place: UInt, at: MonotonicTime)?
        var last: (place: UInt, at: MonotonicTime)?
        var count = 0
    }

    private let decoder: FilmDecoder
    private let offer: PlaneOffer?
    private let passed = Mutex(Passed())
    private let output = Mutex<DecoderUse.Output?>(nil)
    private let skipped = Mutex<[DecoderUse.PassedOver]>([])

    private static let length: UInt = 2_000_000_000
    private static let patience: UInt = 5_000_000_000
    /// The number of frames to wait for beyond `length`, and the least number that is meaningful.
    private static let enough = 10, least = 4

    init(_ decoder: FilmDecoder, _ offer: PlaneOffer?) {
        self.decoder = decoder
        self.offer = offer
    }

    /// Decoders that were not tried.
    var passedOver: [DecoderUse.PassedOver] { skipped.withLock { $0 } }

    func run(_ location: MediaLocation, measuresSpeed: Bool) -> Outcome {
        let line = "filesrc name=file ! parsebin name=parse decodebin name=decode ! fakesink name=sink sync=false"
        guard let pipeline = try? Element(parsing: line) else { return .failed(nil, "Unable to build pipeline") }
        defer { pipeline.set(GST_STATE_NULL) }
        guard let file = pipeline.child("file"), let parse = pipeline.child("parse"), let bus = pipeline.bus,
            let decode = pipeline.child("decode"), let entry = decode.pad("sink"),
            let exit = pipeline.child("sink")?.pad("sink")
        else { return .failed(nil, "Unable to build pipeline") }
        file.setURI(location.uri)
        FragmentIndex.mend(file)
        // Only the film's video: `parsebin` has no queues, so that two sinks would wait for each other.
        parse.connect("pad-added") { values in
            let pad = values.pad(1)
            if pad.carriesVideo { pad.relinkBest(to: entry) }
        }
        choose(in: decode)
        watch(exit)

        pipeline.set(GST_STATE_PAUSED)
        if let failure = wait(on: bus, for: GST_MESSAGE_ASYNC_DONE, Self.patience) {
            return .failed(decoder.current, failure)
        }
        guard let current = decoder.current, let output = output.withLock({ $0 }) else {
            return .failed(decoder.current, "it made no frame")
        }
        return .played(current, output, measuresSpeed ? speed(of: pipeline, bus, exit, current) : nil)
    }

    // MARK: As in the player

    private func choose(in decode: Element) {
        decoder.choose(in: decode) { [self] decoder, reason in
            skipped.withLock { skipped in
                guard !skipped.contains(where: { $0.decoder == decoder }) else { return }
                skipped.append(DecoderUse.PassedOver(decoder: decoder, reason: reason))
            }
        }
        decode.connect("autoplug-query") { [offer] values in
            let element = values.element(2)
            values.answer(
                values.boxed(3).map { question in
                    DecoderQuestion.answer(question, of: element, as: offer?.screen) { offer?.deviceCaps }
                } ?? false)
        }
        decode.connect("deep-element-added") { [decoder] values in
            let element = values.element(2)
            // A decoder inside another decoder is a part of that.
            guard !(element.parent.map { PadLinker.isDecoder($0.factoryClass) } ?? false) else { return }
            if let name = element.factory, let one = VideoDecoder(name, of: element.factoryClass) {
                decoder.took(one)
            }
        }
    }

    private func watch(_ exit: Pad) {
        exit.probe([GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM]) { [self] pad, info in
            // kmssink reads where a frame's lines are. A decoder that must not say so copies them.
            if info.answerMemory() { return GST_PAD_PROBE_HANDLED }
            output.withLock { output in
                guard output == nil, let buffer = info.buffer, let caps = pad.currentCaps else { return }
                output = DecoderUse.Output(
                    caps: caps, isInDeviceMemory: buffer.isInDeviceMemory,
                    upright: pad.peer.map { DisplayTransform(uprightAt: $0) } ?? .identity,
                    hasUnmarkedFields: pad.peer?.hasUnmarkedFields == true)
            }
            return GST_PAD_PROBE_OK
        }
    }

    // MARK: Speed

    private func speed(of pipeline: Element, _ bus: Bus, _ exit: Pad, _ decoder: VideoDecoder) -> DecodingSpeed? {
        if let duration = pipeline.duration(), duration > 4 * Int64(Self.length) {
            // The beginning of a film is often black, which is easy to decode.
            guard
                !pipeline.seek(to: duration / 2, [GST_SEEK_FLAG_FLUSH, GST_SEEK_FLAG_KEY_UNIT])
                    || wait(on: bus, for: GST_MESSAGE_ASYNC_DONE, Self.patience) == nil
            else { return nil }
        }
        // From now on the decoder's output frames are counted.
        exit.watchBuffers { [self] in note($0.start) }
        pipeline.set(GST_STATE_PLAYING)
        let isOver = wait(on: bus, for: GST_MESSAGE_EOS, Self.length) == nil
        // The slower the decoding, the more it matters to measure it.
        if !isOver, passed.withLock(\.count) < Self.enough { _ = wait(on: bus, for: GST_MESSAGE_EOS, Self.patience) }
        let passed = passed.withLock { $0 }
        guard let first = passed.first, let last = passed.last, passed.count >= Self.least, last.place > first.place,
            last.at > first.at
        else { return nil }
        let film = Int64(exactly: last.place - first.place).flatMap { mediaTime($0) } ?? .zero
        return DecodingSpeed(film: min(film, .farthest), clock: last.at - first.at, decoder: decoder.name)
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

    /// - Returns: `nil` once there is such a message; else the error, also for EOS if that is not waited for, and for a
    ///   timeout after so many nanoseconds.
    private func wait(on bus: Bus, for type: GstMessageType, _ time: UInt) -> String? {
        guard let message = bus.pop([type, GST_MESSAGE_ERROR, GST_MESSAGE_EOS], within: time) else {
            return "it gave no result in \(time / 1_000_000_000) s"
        }
        if case .error(let report) = message.content { return report.text }
        return message.type == type ? nil : "the film ends before its first frame"
    }
}

extension PlaneOffer {
    /// The plane's device memory formats as kmssink reports them; GStreamer before 1.24 does not know such caps.
    fileprivate var deviceCaps: Caps? {
        guard !deviceFormats.isEmpty, !GStreamer.isBefore(1, 24) else { return nil }
        let formats = deviceFormats.map { "(string)\"\($0)\"" }.joined(separator: ",")
        return Caps("video/x-raw(memory:DMABuf),format=(string)DMA_DRM,drm-format={\(formats)}")
    }
}
