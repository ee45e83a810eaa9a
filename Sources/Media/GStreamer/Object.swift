internal import CGStreamer

/// A counted reference to a GObject.
///
/// `@unchecked Sendable` because the reference never changes, and GStreamer's objects lock for themselves.
class Object: Hashable, @unchecked Sendable {
    let object: UnsafeMutableRawPointer

    /// Takes ownership of the caller's reference.
    required init?(owning object: UnsafeMutableRawPointer?) {
        guard let object else { return nil }
        self.object = object
    }

    /// Takes ownership of a new object that is not floating.
    required init(made object: UnsafeMutableRawPointer) {
        self.object = object
    }

    /// Adds a reference to an object that the caller borrows.
    required init(sharing object: UnsafeMutableRawPointer) {
        self.object = g_object_ref(object)
    }

    /// Takes ownership of the floating reference of a new object.
    required init(sinking object: UnsafeMutableRawPointer) {
        self.object = g_object_ref_sink(object)
    }

    deinit { g_object_unref(object) }

    static func == (one: Object, other: Object) -> Bool { one.object == other.object }

    func hash(into hasher: inout Hasher) { hasher.combine(object) }
}

/// Holds a Swift closure for a C function, until GLib destroys it.
final class Context<Body> {
    let body: Body

    private init(_ body: Body) { self.body = body }

    static func retained(_ body: Body) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(Context(body)).toOpaque()
    }

    static func body(of data: UnsafeMutableRawPointer) -> Body {
        Unmanaged<Context>.fromOpaque(data).takeUnretainedValue().body
    }

    static func release(_ data: UnsafeMutableRawPointer?) {
        if let data { Unmanaged<Context>.fromOpaque(data).release() }
    }
}

/// GLib's fundamental types: `G_TYPE_MAKE_FUNDAMENTAL`, a macro that does not import.
enum FundamentalType {
    static let boolean = GType(5 << 2)
    static let int64 = GType(10 << 2)
    static let uint64 = GType(11 << 2)
    static let double = GType(15 << 2)
    static let string = GType(16 << 2)
}

/// Properties. `g_object_set` and `g_object_get` are variadic and do not import; these use GValue.
///
/// Thread: any; GObject locks. The element's own setter may take its lock (kmssink holds it during a SetPlane, up to
/// one vblank). For an unknown name, or a value out of range, GLib prints a warning on stderr and changes nothing.
extension Object {
    func set(_ name: String, to value: Bool) {
        set(name, FundamentalType.boolean) { g_value_set_boolean($0, value ? 1 : 0) }
    }

    /// Sets a property of any integer or enumeration type; GObject converts.
    func set(_ name: String, to value: some BinaryInteger) {
        if let signed = Int64(exactly: value) {
            set(name, FundamentalType.int64) { g_value_set_int64($0, .init(signed)) }
        } else {
            set(name, FundamentalType.uint64) { g_value_set_uint64($0, .init(UInt64(value))) }
        }
    }

    /// Sets a property of type float or double.
    func set(_ name: String, to value: Double) {
        set(name, FundamentalType.double) { g_value_set_double($0, value) }
    }

    func set(_ name: String, to value: String) {
        set(name, FundamentalType.string) { g_value_set_string($0, value) }
    }

    func set(_ name: String, to value: Object) {
        set(name, g_object_get_type()) { g_value_set_object($0, value.object) }
    }

    func set(_ name: String, to value: Caps) {
        set(name, gst_caps_get_type()) { g_value_set_boxed($0, value.raw) }
    }

    /// Sets a property of any type from `gst-launch` text: nicknames of enumerations, `<0,1,2,3>` for arrays,
    /// structures.
    func set(_ name: String, serialized text: String) {
        gst_util_set_object_arg(object.assumingMemoryBound(to: GObject.self), name, text)
    }

    private func set(_ name: String, _ type: GType, fill: (UnsafeMutablePointer<GValue>) -> Void) {
        var value = GValue()
        g_value_init(&value, type)
        fill(&value)
        g_object_set_property(object.assumingMemoryBound(to: GObject.self), name, &value)
        g_value_unset(&value)
    }

    /// Whether the object's class has a property of this name.
    func has(_ property: String) -> Bool {
        let instance = object.assumingMemoryBound(to: GTypeInstance.self)
        let objectClass = UnsafeMutableRawPointer(instance.pointee.g_class).assumingMemoryBound(to: GObjectClass.self)
        return g_object_class_find_property(objectClass, property) != nil
    }

    /// The value of a property of any integer or enumeration type that fits 64 bits signed; `guint64` above that wraps.
    func integer(_ name: String) -> Int64 {
        get(name, FundamentalType.int64) { Int64(g_value_get_int64($0)) }
    }

    func element(_ name: String) -> Element? {
        get(name, g_object_get_type()) { Element(owning: g_value_dup_object($0)) }
    }

    /// Passes a property of type `GstStructure`, which is valid while `body` runs.
    func withStructure(_ name: String, _ body: (Structure) -> Void) {
        get(name, gst_structure_get_type()) {
            if let structure = Structure(gst_value_get_structure($0), in: nil) { body(structure) }
        }
    }

    private func get<Value>(_ name: String, _ type: GType, read: (UnsafeMutablePointer<GValue>) -> Value) -> Value {
        var value = GValue()
        g_value_init(&value, type)
        defer { g_value_unset(&value) }
        g_object_get_property(object.assumingMemoryBound(to: GObject.self), name, &value)
        return read(&value)
    }
}
