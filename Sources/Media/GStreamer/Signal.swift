internal import CGStreamer

/// The arguments of a signal: the first value is the object that emits it.
struct SignalValues {
    fileprivate let values: UnsafePointer<GValue>
    fileprivate let result: UnsafeMutablePointer<GValue>?

    func element(_ place: Int) -> Element { Element(sharing: g_value_get_object(values + place)) }

    func pad(_ place: Int) -> Pad { Pad(sharing: g_value_get_object(values + place)) }

    /// A value of a boxed type: caps, a message, an error; valid while the handler runs.
    func boxed(_ place: Int) -> UnsafeMutableRawPointer? { g_value_get_boxed(values + place) }

    func factory(_ place: Int) -> ElementFactory { ElementFactory(sharing: g_value_get_object(values + place)) }

    /// A value of a class without a wrapper; valid while the handler runs.
    func object(_ place: Int) -> UnsafeMutableRawPointer? { g_value_get_object(values + place).map { .init($0) } }

    /// Sets the result of a signal that returns a Boolean.
    func answer(_ answer: Bool) { result.map { g_value_set_boolean($0, answer ? 1 : 0) } }

    /// Makes decodebin's `autoplug-select` try the next factory (GST_AUTOPLUG_SELECT_SKIP of GstAutoplugSelectResult,
    /// which its plugin does not export).
    func skip() { result.map { g_value_set_enum($0, 2) } }
}

extension Object {
    /// Handles a signal for the lifetime of the object. The handler must not hold the object, which holds it.
    func connect(_ signal: String, _ handler: @escaping @Sendable (SignalValues) -> Void) {
        typealias Handler = Context<@Sendable (SignalValues) -> Void>
        let data = Handler.retained(handler)
        guard let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.size), data) else { return }
        g_closure_set_marshal(closure) { closure, result, _, values, _, _ in
            guard let data = closure?.pointee.data, let values else { return }
            Handler.body(of: data)(SignalValues(values: values, result: result))
        }
        g_closure_add_finalize_notifier(closure, data) { data, _ in Handler.release(data) }
        g_signal_connect_closure(object, signal, closure, 0)
    }
}
