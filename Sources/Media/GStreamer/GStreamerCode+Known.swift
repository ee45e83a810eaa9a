internal import CGStreamer
internal import PlayerCore

/// What GStreamer calls errors that it leaves to whoever builds the pipeline to tell.
extension GStreamerCode {
    /// As uridecodebin says it of a stream that has no decoder.
    static let missingPlugin = GStreamerCode(
        domain: .core, number: Int32(GST_CORE_ERROR_MISSING_PLUGIN.rawValue))
    /// Elements that do not link.
    static let pad = GStreamerCode(domain: .core, number: Int32(GST_CORE_ERROR_PAD.rawValue))
    /// As decodebin says it of what is no film.
    static let wrongType = GStreamerCode(domain: .stream, number: Int32(GST_STREAM_ERROR_WRONG_TYPE.rawValue))
}

extension MediaFailure {
    /// Elements do not link.
    /// - Parameter what: which, as "the film's pad does not link".
    init(unlinked what: String) {
        self.init(reason: .cannotBuild, message: "Unable to build pipeline: \(what)", code: .pad)
    }
}
