internal import PlayerCore
internal import Synchronization

/// Which decoder a film's frames have, and which they are not to have. Streaming threads choose it; any thread asks.
final class FilmDecoder: Sendable {
    private let avoided: AvoidedDecoders
    private struct State {
        var current: VideoDecoder?
        var isAskedForOtherForm = false
    }

    private let state = Mutex(State())

    init(avoiding avoided: AvoidedDecoders) { self.avoided = avoided }

    /// The one that was put into the pipeline last; `nil` before there is one.
    var current: VideoDecoder? { state.withLock(\.current) }

    func took(_ decoder: VideoDecoder) { state.withLock { $0.current = decoder } }

    /// Whether it was asked for frames in the processor's memory, because the pipeline turns, crops, scales or blends them. A decoder
    /// that makes frames for a device alone then fails, and is not broken.
    var isAskedForOtherForm: Bool { state.withLock(\.isAskedForOtherForm) }

    func askedForOtherForm() { state.withLock { $0.isAskedForOtherForm = true } }

    /// Whether the next one is to be tried in this one's place. Where there is none that a stream could have besides, it has what
    /// there is, and fails for a reason that can be told.
    func passesOver(_ decoder: VideoDecoder, for stream: Caps) -> Bool {
        isAvoided(decoder) && ElementFactory.decoders(of: stream).contains { !isAvoided($0) }
    }

    /// Has a decodebin, or what has one, try the decoders that are not avoided.
    /// - Parameter note: is called with each that is passed over, and why; on streaming threads.
    func choose(in element: Element, note: @escaping @Sendable (VideoDecoder, String) -> Void = { _, _ in }) {
        element.connect("autoplug-select") { [self] values in
            guard let one = values.factory(3).decoder, let stream = values.boxed(2).map({ Caps(sharing: $0) }),
                passesOver(one, for: stream)
            else { return }
            note(one, WavefrontCrash.isLikely(in: one) ? WavefrontCrash.reason : "it is avoided")
            values.skip()
        }
    }

    private func isAvoided(_ decoder: VideoDecoder) -> Bool {
        avoided.contains(decoder) || WavefrontCrash.isLikely(in: decoder)
    }
}
