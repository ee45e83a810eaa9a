/// The kind of a GStreamer error: its domain and its number in that (`GST_RESOURCE_ERROR_NOT_FOUND` is `resource`, 3).
public struct GStreamerCode: Hashable, Sendable {
    /// GStreamer's four domains, and those of its elements.
    public enum Domain: Hashable, Sendable {
        /// `GST_CORE_ERROR` and its three siblings.
        case core, library, resource, stream
        /// Another domain, by the name of its quark.
        case other(String)

        /// The domain with this GLib quark, such as "gst-resource-error-quark".
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

    /// The domain that the number belongs to.
    public var domain: Domain
    /// The number that GStreamer or the element gave the error.
    public var number: Int32

    /// An error's code as GStreamer gives it.
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
