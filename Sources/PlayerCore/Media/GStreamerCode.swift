/// What kind of error GStreamer says it is: its domain and its number in that (`GST_RESOURCE_ERROR_NOT_FOUND` is
/// `resource`, 3).
public struct GStreamerCode: Hashable, Sendable {
    /// GStreamer's four, and those of its elements' own.
    public enum Domain: Hashable, Sendable {
        /// `GST_CORE_ERROR` and its three sisters.
        case core, library, resource, stream
        /// The name of its quark.
        case other(String)

        /// By the name of GLib's quark, "gst-resource-error-quark".
        public init(quark: String) {
            self =
                switch quark {
                case "gst-core-error-quark": .core
                case "gst-library-error-quark": .library
                case "gst-resource-error-quark": .resource
                case "gst-stream-error-quark": .stream
                default: .other(quark)
                }
        }
    }

    /// Of which kind the number is.
    public var domain: Domain
    /// GStreamer's, or the element's, for it.
    public var number: Int32

    /// As GStreamer tells the two.
    public init(domain: Domain, number: Int32) {
        self.domain = domain
        self.number = number
    }
}

extension GStreamerCode: CustomStringConvertible {
    /// "resource 3"
    public var description: String {
        if case .other(let quark) = domain { return "\(quark) \(number)" }
        return "\(domain) \(number)"
    }
}
