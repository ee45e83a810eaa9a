internal import PlayerCore
internal import Synchronization

/// Which decoder a film's pictures have, and which they are not to have. Streaming threads choose it; any thread asks.
final class FilmDecoder: Sendable {
    private let avoided: AvoidedDecoders
    private let state = Mutex<PictureDecoder?>(nil)

    init(avoiding avoided: AvoidedDecoders) { self.avoided = avoided }

    /// The one that was put into the pipeline last; `nil` before there is one.
    var current: PictureDecoder? { state.withLock { $0 } }

    func took(_ decoder: PictureDecoder) { state.withLock { $0 = decoder } }

    /// Whether the next one is to be tried in this one's place. Where there is none that a stream could have besides, it has what
    /// there is, and fails for a reason that can be told.
    func passesOver(_ decoder: PictureDecoder, for stream: Caps) -> Bool {
        isAvoided(decoder) && ElementFactory.decoders(of: stream).contains { !isAvoided($0) }
    }

    private func isAvoided(_ decoder: PictureDecoder) -> Bool {
        avoided.contains(decoder) || WavefrontCrash.isLikely(in: decoder)
    }
}
