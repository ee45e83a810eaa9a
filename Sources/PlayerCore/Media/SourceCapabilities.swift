/// How media come here, and what that makes of them: one rule for what is played and for what is only looked at.
public struct SourceCapabilities: Hashable, Sendable {
    /// It gives nothing out before it plays, as a camera.
    public var isLiveSource = false
    /// In many files, of HLS or DASH.
    public var isAdaptive = false
    /// In parts without an end, as a camera sends JPEGs by HTTP.
    public var isEndless = false
    /// Whether the server gives out parts of a file.
    public var offersRanges = true

    /// Of a file, as long as nothing else is known.
    public init() {}

    /// HLS and DASH are live without a live source, where they know no end. A film whose server does not say how long it is
    /// is not.
    public func isLive(lasting duration: MediaTime?) -> Bool {
        isLiveSource || isEndless || isAdaptive && duration == nil
    }

    /// - Parameter isAnswered: what the pipeline says, which does not ask the server.
    public func isSeekable(_ isAnswered: Bool, lasting duration: MediaTime?) -> Bool {
        isAnswered && !isLive(lasting: duration) && (offersRanges || isAdaptive)
    }
}
