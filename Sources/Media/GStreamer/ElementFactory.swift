internal import CGStreamer
internal import PlayerCore

/// A factory of elements.
final class ElementFactory: Object, @unchecked Sendable {
    private var raw: OpaquePointer { OpaquePointer(object) }

    var name: String { takeString(gst_object_get_name(object.assumingMemoryBound(to: GstObject.self))) ?? "" }

    /// Such as "Codec/Decoder/Video/Hardware".
    var kind: String {
        gst_element_factory_get_metadata(raw, GST_ELEMENT_METADATA_KLASS).map { String(cString: $0) } ?? ""
    }

    /// `nil` if it is no video decoder.
    var decoder: VideoDecoder? { VideoDecoder(name, of: kind) }

    /// The decoders for a stream, by rank.
    static func decoders(of stream: Caps) -> [VideoDecoder] {
        // GST_ELEMENT_FACTORY_TYPE_DECODER and ..._MEDIA_VIDEO, whose macros do not import.
        let all = gst_element_factory_list_get_elements(1 << 0 | 1 << 49, GST_RANK_MARGINAL)
        let fitting = gst_element_factory_list_filter(all, stream.raw, GST_PAD_SINK, 0)
        defer {
            gst_plugin_feature_list_free(all)
            gst_plugin_feature_list_free(fitting)
        }
        return items(of: fitting).compactMap { ElementFactory(sharing: $0).decoder }
    }
}

extension VideoDecoder {
    /// - Parameter kind: the factory's class.
    init?(_ name: String, of kind: String) {
        guard kind.contains("Decoder"), kind.contains("Video") else { return nil }
        self.init(name: name, isHardware: kind.contains("Hardware"))
    }
}
