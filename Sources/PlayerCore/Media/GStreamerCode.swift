/// What kind of error GStreamer says it is: its domain and its number in that (`GST_RESOURCE_ERROR_NOT_FOUND` is
/// `resource`, 3).
public struct GStreamerCode: Hashable, Sendable {
    public enum Domain: Hashable, Sendable {
        case core, library, resource, stream
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

    public var domain: Domain
    public var number: Int32

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
