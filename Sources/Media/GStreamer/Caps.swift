internal import CGStreamer
internal import CVideoSink

/// A counted reference to one of GStreamer's mini objects, whose fields do not change while others have references,
/// too.
///
/// `@unchecked Sendable` because the reference never changes, and the object is only read.
class MiniObject: @unchecked Sendable {
    let object: UnsafeMutableRawPointer

    /// Takes ownership of the caller's reference.
    required init?(owning object: UnsafeMutableRawPointer?) {
        guard let object else { return nil }
        self.object = object
    }

    /// Adds a reference to an object that the caller borrows.
    required init(sharing object: UnsafeMutableRawPointer) {
        gst_mini_object_ref(object.assumingMemoryBound(to: GstMiniObject.self))
        self.object = object
    }

    deinit { gst_mini_object_unref(object.assumingMemoryBound(to: GstMiniObject.self)) }
}

final class Caps: MiniObject, @unchecked Sendable {
    var raw: UnsafeMutablePointer<GstCaps> { object.assumingMemoryBound(to: GstCaps.self) }

    /// `nil` if the text is not valid caps.
    convenience init?(_ text: String) { self.init(owning: gst_caps_from_string(text)) }

    /// The first structure; `nil` for ANY and for empty caps.
    var first: Structure? { gst_caps_get_size(raw) > 0 ? Structure(gst_caps_get_structure(raw, 0), in: self) : nil }

    var text: String { takeString(gst_caps_to_string(raw)) ?? "" }

    /// Whether nothing matches the caps.
    var isEmpty: Bool { gst_caps_is_empty(raw) != 0 }

    /// The codec's description; `nil` if GStreamer has none.
    var codec: String? { takeString(gst_pb_utils_get_codec_description(raw)) }

    func isEqual(to other: Caps) -> Bool { gst_caps_is_equal(raw, other.raw) != 0 }

    func canIntersect(_ other: Caps) -> Bool { gst_caps_can_intersect(raw, other.raw) != 0 }

    /// Whether frames are in system memory, not in a device's.
    var isSystemMemory: Bool {
        gst_caps_features_contains(gst_caps_get_features(raw, 0), "memory:SystemMemory") != 0
    }

    /// The DRM format of frames in device memory, such as "NV12" and "NV12:0x0700000000000004"; `nil` for other caps.
    var deviceFormat: String? { first?.string("drm-format") }

    /// Whether a stream's frames may consist of fields. `h264parse` says so in a field of its own, by which the kernel's
    /// decoders choose their frames' interlace mode.
    var isOfFields: Bool {
        guard let first else { return false }
        let isInterlaced = first.string("interlace-mode").map { $0 != "progressive" } ?? false
        return isInterlaced || first.string("coded-picture-structure") == "field"
    }

    /// The structures for frames in DMA-BUF memory; `nil` if there are none.
    var inDeviceMemory: Caps? {
        let places = (0..<gst_caps_get_size(raw)).filter {
            gst_caps_features_contains(gst_caps_get_features(raw, $0), "memory:DMABuf") != 0
        }
        guard !places.isEmpty, let caps = gst_caps_new_empty() else { return nil }
        for place in places { gst_caps_append(caps, gst_caps_copy_nth(raw, place)) }
        return Caps(owning: caps)
    }

    /// These caps followed by others.
    func followed(by others: Caps) -> Caps? {
        gst_caps_copy(raw).flatMap { Caps(owning: gst_caps_merge($0, gst_caps_ref(others.raw))) }
    }

    /// The intersection, in the order of these caps.
    func intersection(with other: Caps) -> Caps? {
        Caps(owning: gst_caps_intersect_full(raw, other.raw, GST_CAPS_INTERSECT_FIRST))
    }

    /// The video info, by `vitrine_video_info`.
    var videoInfo: GstVideoInfo? {
        var info = GstVideoInfo()
        return vitrine_video_info(&info, raw) ? info : nil
    }
}

/// The named fields of caps, a message or a property.
struct Structure {
    private let raw: UnsafePointer<GstStructure>
    /// The object that contains the fields; `nil` for a property's, which are valid only while it is read.
    private let owner: MiniObject?

    init?(_ raw: UnsafePointer<GstStructure>?, in owner: MiniObject?) {
        guard let raw else { return nil }
        self.raw = raw
        self.owner = owner
    }

    /// Whether a text is a valid structure.
    static func isValid(_ text: String) -> Bool {
        guard let structure = gst_structure_new_from_string(text) else { return false }
        gst_structure_free(structure)
        return true
    }

    var name: String { String(cString: gst_structure_get_name(raw)) }

    var fields: [String] {
        (0..<max(gst_structure_n_fields(raw), 0)).compactMap { place in
            gst_structure_nth_field_name(raw, guint(place)).map { String(cString: $0) }
        }
    }

    func string(_ field: String) -> String? { gst_structure_get_string(raw, field).map { String(cString: $0) } }

    func bool(_ field: String) -> Bool? {
        var value: gboolean = 0
        return gst_structure_get_boolean(raw, field, &value) != 0 ? value != 0 : nil
    }

    func uint(_ field: String) -> UInt32? {
        var value: guint = 0
        return gst_structure_get_uint(raw, field, &value) != 0 ? value : nil
    }

    func int64(_ field: String) -> Int64? {
        var value: gint64 = 0
        return gst_structure_get_int64(raw, field, &value) != 0 ? Int64(value) : nil
    }

    func uint64(_ field: String) -> UInt64? {
        var value: guint64 = 0
        return gst_structure_get_uint64(raw, field, &value) != 0 ? UInt64(value) : nil
    }

    func fraction(_ field: String) -> (numerator: Int32, denominator: Int32)? {
        var (numerator, denominator): (gint, gint) = (0, 1)
        return gst_structure_get_fraction(raw, field, &numerator, &denominator) != 0 ? (numerator, denominator) : nil
    }

    func structure(_ field: String) -> Structure? {
        gst_structure_get_value(raw, field).flatMap { Structure(gst_value_get_structure($0), in: owner) }
    }

    /// The structures in an array field.
    func structures(_ field: String) -> [Structure] {
        guard let list = gst_structure_get_value(raw, field) else { return [] }
        return (0..<gst_value_array_get_size(list)).compactMap { place in
            gst_value_array_get_value(list, place).flatMap { Structure(gst_value_get_structure($0), in: owner) }
        }
    }

    func caps(_ field: String) -> Caps? {
        gst_structure_get_value(raw, field).flatMap { g_value_get_boxed($0) }.map { Caps(sharing: $0) }
    }
}
