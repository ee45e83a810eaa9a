import CGStreamer

// Typed access to GObject properties. `g_object_set` and `g_object_get` are variadic and do not import; these go through
// GValue. A pointer to any instance struct converts to `UnsafeMutableRawPointer` by itself; interfaces, which import as
// `OpaquePointer`, are wrapped: `UnsafeMutableRawPointer(pad)`.
//
// Thread: any; GObject locks. The element's own setter may take its lock (kmssink holds it during a SetPlane, up to one
// vblank). A name the object has not, or a value out of range, is GLib's warning on stderr and changes nothing.

func setProperty(_ object: UnsafeMutableRawPointer, _ name: String, to value: Bool) {
    setProperty(object, name, type: FundamentalType.boolean) { g_value_set_boolean($0, value ? 1 : 0) }
}

/// Sets a property of any integer or enumeration type; GObject converts.
func setProperty(_ object: UnsafeMutableRawPointer, _ name: String, to value: some BinaryInteger) {
    if let signed = Int64(exactly: value) {
        setProperty(object, name, type: FundamentalType.int64) { g_value_set_int64($0, .init(signed)) }
    } else {
        setProperty(object, name, type: FundamentalType.uint64) { g_value_set_uint64($0, .init(UInt64(value))) }
    }
}

/// Sets a property of type float or double.
func setProperty(_ object: UnsafeMutableRawPointer, _ name: String, to value: Double) {
    setProperty(object, name, type: FundamentalType.double) { g_value_set_double($0, value) }
}

/// Sets a property of type string; the object copies the text.
func setProperty(_ object: UnsafeMutableRawPointer, _ name: String, to value: String?) {
    setProperty(object, name, type: FundamentalType.string) { g_value_set_string($0, value) }
}

/// Sets a property of a GObject type; the object takes a reference of its own.
func setProperty(_ object: UnsafeMutableRawPointer, _ name: String, toObject value: UnsafeMutableRawPointer?) {
    setProperty(object, name, type: g_object_get_type()) { g_value_set_object($0, value) }
}

/// Sets a property of type `GstCaps`; the object takes a reference of its own.
func setProperty(_ object: UnsafeMutableRawPointer, _ name: String, to caps: UnsafeMutablePointer<GstCaps>?) {
    setProperty(object, name, type: gst_caps_get_type()) { g_value_set_boxed($0, caps) }
}

/// Sets a property of type `GstStructure` from its text form, `name,field=(int)1`.
/// - Returns: whether the text is a structure.
func setProperty(_ object: UnsafeMutableRawPointer, _ name: String, toStructure text: String) -> Bool {
    guard let structure = gst_structure_new_from_string(text) else { return false }
    setProperty(object, name, type: gst_structure_get_type()) { g_value_take_boxed($0, structure) }
    return true
}

/// Sets a property of any type from the text that `gst-launch` would take: nicknames of enumerations, `<0,1,2,3>` for
/// arrays, caps.
func setProperty(_ object: UnsafeMutableRawPointer, _ name: String, serialized text: String) {
    gst_util_set_object_arg(object.assumingMemoryBound(to: GObject.self), name, text)
}

/// Whether the object's class has a property of this name.
func hasProperty(_ object: UnsafeMutableRawPointer, _ name: String) -> Bool {
    let instance = object.assumingMemoryBound(to: GTypeInstance.self)
    let objectClass = UnsafeMutableRawPointer(instance.pointee.g_class).assumingMemoryBound(to: GObjectClass.self)
    return g_object_class_find_property(objectClass, name) != nil
}

func boolProperty(_ object: UnsafeMutableRawPointer, _ name: String) -> Bool {
    property(object, name, type: FundamentalType.boolean) { g_value_get_boolean($0) != 0 }
}

/// Reads a property of any integer or enumeration type that fits 64 bits signed; `guint64` above that wraps.
func integerProperty(_ object: UnsafeMutableRawPointer, _ name: String) -> Int64 {
    property(object, name, type: FundamentalType.int64) { Int64(g_value_get_int64($0)) }
}

/// Reads a property of type float or double.
func doubleProperty(_ object: UnsafeMutableRawPointer, _ name: String) -> Double {
    property(object, name, type: FundamentalType.double) { g_value_get_double($0) }
}

func stringProperty(_ object: UnsafeMutableRawPointer, _ name: String) -> String? {
    property(object, name, type: FundamentalType.string) { value in
        g_value_get_string(value).map { String(cString: $0) }
    }
}

/// Reads a property of type `GstStructure`, which is there as long as `body` runs.
func withStructureProperty(
    _ object: UnsafeMutableRawPointer, _ name: String, _ body: (UnsafePointer<GstStructure>) -> Void
) {
    property(object, name, type: gst_structure_get_type()) { value in
        if let structure = gst_value_get_structure(value) { body(structure) }
    }
}

/// Reads a property of a GObject type.
/// - Returns: a new reference that the caller owns (`g_object_unref`).
func objectProperty(_ object: UnsafeMutableRawPointer, _ name: String) -> UnsafeMutableRawPointer? {
    property(object, name, type: g_object_get_type()) { value in
        g_value_dup_object(value).map { UnsafeMutableRawPointer($0) }
    }
}

private func setProperty(
    _ object: UnsafeMutableRawPointer, _ name: String, type: GType, fill: (UnsafeMutablePointer<GValue>) -> Void
) {
    var value = GValue()
    g_value_init(&value, type)
    fill(&value)
    g_object_set_property(object.assumingMemoryBound(to: GObject.self), name, &value)
    g_value_unset(&value)
}

private func property<Result>(
    _ object: UnsafeMutableRawPointer, _ name: String, type: GType, read: (UnsafeMutablePointer<GValue>) -> Result
) -> Result {
    var value = GValue()
    g_value_init(&value, type)
    defer { g_value_unset(&value) }
    g_object_get_property(object.assumingMemoryBound(to: GObject.self), name, &value)
    return read(&value)
}
