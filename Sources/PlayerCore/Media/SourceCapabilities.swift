/// The capabilities of a source, by one rule for films that are played and those that are only inspected.
public struct SourceCapabilities: Hashable, Sendable {
    /// Whether the source produces no data before it plays, as a camera.
    public var isLiveSource = false
    /// Whether the media are split into many files, as HLS and DASH do.
    public var isAdaptive = false
    /// Whether the source sends parts without an end, as a camera sends JPEGs over HTTP.
    public var isEndless = false
    /// Whether the server supports range requests.
    public var offersRanges = true

    /// The capabilities of a file, the default.
    public init() {}

    /// Whether the media are live. HLS and DASH without a duration are live although they have no live source. A film
    /// on a server that does not give its length is not.
    public func isLive(lasting duration: MediaTime?) -> Bool {
        isLiveSource || isEndless || isAdaptive && duration == nil
    }

    /// - Parameter isAnswered: the pipeline's answer, which does not consider the server.
    public func isSeekable(_ isAnswered: Bool, lasting duration: MediaTime?) -> Bool {
        isAnswered && !isLive(lasting: duration) && (offersRanges || isAdaptive)
    }
}
