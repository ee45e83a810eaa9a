internal import PlayerCore
internal import Synchronization

/// The current decoder of a film's frames, and the avoided ones. Streaming threads choose the decoder; any thread may
/// ask for it.
final class FilmDecoder: Sendable {
    private let avoided: AvoidedDecoders
    private struct State {
        var current: VideoDecoder?
        var isAskedForOtherForm = false
    }

    private let state = Mutex(State())

    init(avoiding avoided: AvoidedDecoders) { self.avoided = avoided }

    /// The decoder that was last added to the pipeline; `nil` before there is one.
    var current: VideoDecoder? { state.withLock(\.current) }

    func took(_ decoder: VideoDecoder) { state.withLock { $0.current = decoder } }

    /// Whether the decoder was asked for frames in system memory, because the pipeline turns, crops, scales or blends
    /// them. A decoder that makes frames only for a device then fails, and is not broken.
    var isAskedForOtherForm: Bool { state.withLock(\.isAskedForOtherForm) }

    func askedForOtherForm() { state.withLock { $0.isAskedForOtherForm = true } }

    /// Whether to try the next decoder in place of this one. If the stream has no other, this one is used, and fails
    /// with a reason that can be reported.
    func passesOver(_ decoder: VideoDecoder, for stream: Caps) -> Bool {
        isAvoided(decoder) && ElementFactory.decoders(of: stream).contains { !isAvoided($0) }
    }

    /// Makes a decodebin, or an element that contains one, skip avoided decoders.
    /// - Parameter note: called with each skipped decoder and the reason; on streaming threads.
    func choose(in element: Element, note: @escaping @Sendable (VideoDecoder, String) -> Void = { _, _ in }) {
        element.connect("autoplug-select") { [self] values in
            guard let one = values.factory(3).decoder, let stream = values.boxed(2).map({ Caps(sharing: $0) }),
                passesOver(one, for: stream)
            else { return }
            note(one, WavefrontCrash.isLikely(in: one) ? WavefrontCrash.reason : "it is avoided")
            values.skip()
        }
    }

    func isAvoided(_ decoder: VideoDecoder) -> Bool {
        avoided.contains(decoder) || WavefrontCrash.isLikely(in: decoder)
    }
}
