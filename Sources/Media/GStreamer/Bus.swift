internal import CGStreamer
internal import Dispatch
internal import PlayerCore

final class Bus: Object, @unchecked Sendable {
    fileprivate var raw: UnsafeMutablePointer<GstBus> { object.assumingMemoryBound(to: GstBus.self) }

    /// Pops the oldest message of these types; older messages are dropped.
    /// - Parameter time: how long to wait for one, ns.
    func pop(_ types: GstMessageType = GST_MESSAGE_ANY, within time: GstClockTime = 0) -> Message? {
        Message(owning: gst_bus_timed_pop_filtered(raw, time, types))
    }

    /// Drops all messages, posted and future ones.
    func flush() { gst_bus_set_flushing(raw, 1) }
}

/// Notifies a serial queue when a bus has messages, until it is dropped.
///
/// It keeps the bus until Dispatch has released the bus's descriptor, some time later. Closed before that, the
/// descriptor's number could be reused by another bus, whose messages would then be lost.
final class BusWatch {
    private let source: any DispatchSourceRead

    /// `hasMessages` is called on `queue`.
    init(_ bus: Bus, on queue: DispatchQueue, hasMessages: @escaping () -> Void) {
        var poll = GPollFD()
        gst_bus_get_pollfd(bus.raw, &poll)
        source = DispatchSource.makeReadSource(fileDescriptor: Int32(poll.fd), queue: queue)
        source.setEventHandler(handler: hasMessages)
        source.setCancelHandler { withExtendedLifetime(bus) {} }
        source.activate()
    }

    deinit { source.cancel() }
}

/// An error as an element reports it.
struct ErrorReport {
    var code: GStreamerCode
    var text: String
    var debug: String?
    /// Further details, if the element gives them.
    var details: Structure?

    /// Whether it is decodebin's or uridecodebin's report of a missing plugin.
    var isOfMissingPlugin: Bool { code == .missingPlugin || code == .codecNotFound }
}

final class Message: MiniObject, @unchecked Sendable {
    fileprivate var raw: UnsafeMutablePointer<GstMessage> { object.assumingMemoryBound(to: GstMessage.self) }

    /// The message's content.
    enum Content {
        case element(Structure), application(Structure)
        case asyncDone, durationChanged, latency, late, end
        case stateChanged(GstState)
        case tags(TagList)
        case chapters(ChapterList)
        case buffering(percent: Int)
        case warning(ErrorReport), error(ErrorReport)
        case other
    }

    var type: GstMessageType { raw.pointee.type }

    var seqnum: UInt32 { gst_message_get_seqnum(raw) }

    var structure: Structure? { Structure(gst_message_get_structure(raw), in: self) }

    func isFrom(_ element: Element) -> Bool { raw.pointee.src.map { UnsafeMutableRawPointer($0) } == element.object }

    /// The element that posted it.
    var source: Element? { raw.pointee.src.map { Element(sharing: $0) } }

    /// Identifies the object that posted the message.
    var sourceAddress: UInt { UInt(bitPattern: raw.pointee.src) }

    var sourceName: String { raw.pointee.src.flatMap { takeString(gst_object_get_name($0)) } ?? "?" }

    var content: Content {
        switch type {
        case GST_MESSAGE_ELEMENT: return structure.map { .element($0) } ?? .other
        case GST_MESSAGE_APPLICATION: return structure.map { .application($0) } ?? .other
        case GST_MESSAGE_ASYNC_DONE: return .asyncDone
        case GST_MESSAGE_DURATION_CHANGED: return .durationChanged
        case GST_MESSAGE_LATENCY: return .latency
        case GST_MESSAGE_QOS: return .late
        case GST_MESSAGE_EOS: return .end
        case GST_MESSAGE_STATE_CHANGED:
            var state = GST_STATE_NULL
            gst_message_parse_state_changed(raw, nil, &state, nil)
            return .stateChanged(state)
        case GST_MESSAGE_TAG:
            var tags: UnsafeMutablePointer<GstTagList>?
            gst_message_parse_tag(raw, &tags)
            return TagList(owning: tags).map { .tags($0) } ?? .other
        case GST_MESSAGE_TOC:
            var toc: OpaquePointer?
            gst_message_parse_toc(raw, &toc, nil)
            guard let toc, let owned = MiniObject(owning: UnsafeMutableRawPointer(toc)) else { return .other }
            return withExtendedLifetime(owned) { .chapters(ChapterList(toc)) }
        case GST_MESSAGE_BUFFERING:
            var percent: gint = 0
            gst_message_parse_buffering(raw, &percent)
            return .buffering(percent: Int(percent))
        case GST_MESSAGE_WARNING: return .warning(report(gst_message_parse_warning, gst_message_parse_warning_details))
        case GST_MESSAGE_ERROR: return .error(report(gst_message_parse_error, gst_message_parse_error_details))
        default: return .other
        }
    }

    private func report(
        _ parse: (
            UnsafeMutablePointer<GstMessage>?, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?,
            UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?
        ) -> Void,
        _ parseDetails: (UnsafeMutablePointer<GstMessage>?, UnsafeMutablePointer<UnsafePointer<GstStructure>?>?) -> Void
    ) -> ErrorReport {
        var (error, debug) = (UnsafeMutablePointer<GError>?.none, UnsafeMutablePointer<gchar>?.none)
        var details: UnsafePointer<GstStructure>?
        parse(raw, &error, &debug)
        parseDetails(raw, &details)
        let (code, message) = takeError(&error) ?? (GStreamerCode(domain: .other(""), number: 0), "unknown")
        return ErrorReport(code: code, text: message, debug: takeString(debug), details: Structure(details, in: self))
    }
}

/// Messages about missing plugins, and about a window's mouse and touches.
extension Message {
    /// The missing plugin: the installer's detail, and a description; `nil` for another message.
    var missingPlugin: (detail: String, what: String)? {
        guard gst_is_missing_plugin_message(raw) != 0 else { return nil }
        return (
            takeString(gst_missing_plugin_message_get_installer_detail(raw)) ?? "",
            takeString(gst_missing_plugin_message_get_description(raw)) ?? "a plugin"
        )
    }

    /// The mouse or touch event that no element handled; `nil` for another message.
    var navigation: Event? {
        var event: UnsafeMutablePointer<GstEvent>?
        guard gst_navigation_message_get_type(raw) == GST_NAVIGATION_MESSAGE_EVENT,
            gst_navigation_message_parse_event(raw, &event) != 0
        else { return nil }
        return Event(owning: event)
    }
}

/// Takes ownership of a GLib error.
func takeError(_ error: inout UnsafeMutablePointer<GError>?) -> (code: GStreamerCode, message: String)? {
    guard let given = error?.pointee else { return nil }
    defer { g_clear_error(&error) }
    return (GStreamerCode(given), String(cString: given.message))
}

extension GStreamerCode {
    init(_ error: GError) {
        self.init(domain: Domain(quark: String(cString: g_quark_to_string(error.domain))), number: Int32(error.code))
    }
}
