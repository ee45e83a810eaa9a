internal import CGStreamer
internal import PlayerCore

/// The codes of errors that the pipeline's builder must explain.
extension GStreamerCode {
    /// uridecodebin's code for a stream without a decoder.
    static let missingPlugin = GStreamerCode(
        domain: .core, number: Int32(GST_CORE_ERROR_MISSING_PLUGIN.rawValue))
    /// decodebin's code for a stream without a decoder.
    static let codecNotFound = GStreamerCode(
        domain: .stream, number: Int32(GST_STREAM_ERROR_CODEC_NOT_FOUND.rawValue))
    /// An element that cannot negotiate a format.
    static let negotiation = GStreamerCode(domain: .core, number: Int32(GST_CORE_ERROR_NEGOTIATION.rawValue))
    /// Elements that do not link.
    static let pad = GStreamerCode(domain: .core, number: Int32(GST_CORE_ERROR_PAD.rawValue))
    /// decodebin's code for a file that is no film.
    static let wrongType = GStreamerCode(domain: .stream, number: Int32(GST_STREAM_ERROR_WRONG_TYPE.rawValue))
    static let typeNotFound = GStreamerCode(domain: .stream, number: Int32(GST_STREAM_ERROR_TYPE_NOT_FOUND.rawValue))
    /// "Internal data stream error", for any cause that ends a stream.
    static let streamFailed = GStreamerCode(domain: .stream, number: Int32(GST_STREAM_ERROR_FAILED.rawValue))
    static let notFound = GStreamerCode(domain: .resource, number: Int32(GST_RESOURCE_ERROR_NOT_FOUND.rawValue))
    static let notAuthorized = GStreamerCode(
        domain: .resource, number: Int32(GST_RESOURCE_ERROR_NOT_AUTHORIZED.rawValue))
    static let seek = GStreamerCode(domain: .resource, number: Int32(GST_RESOURCE_ERROR_SEEK.rawValue))
}

extension MediaFailure {
    /// An error of elements that do not link.
    /// - Parameter what: the elements, as "the film's pad does not link".
    init(unlinked what: String) {
        self.init(reason: .cannotBuild, message: "Unable to build pipeline: \(what)", code: .pad)
    }
}
