internal import CGStreamer
internal import PlayerCore

extension FilmPipeline {
    /// The mouse or a touch on the window, which the sink tells when no element of the film took it. Worker only.
    func handleNavigation(_ message: UnsafeMutablePointer<GstMessage>) {
        var event: UnsafeMutablePointer<GstEvent>?
        guard let screen = video.screen, gst_navigation_message_parse_event(message, &event) != 0, let event else {
            return
        }
        defer { gst_event_unref(event) }
        if let pointer = WindowPointer(event, width: screen.width, height: screen.height) {
            news.yield(.pointer(pointer))
        }
    }
}

extension WindowPointer {
    /// The sink tells pixels of its picture, which is as large as `width` and `height` say, wherever it lies in the window.
    fileprivate init?(_ event: UnsafeMutablePointer<GstEvent>, width: Int, height: Int) {
        var (x, y, pressure) = (0.0, 0.0, 0.0)
        var (button, id) = (gint(0), guint(0))
        var place: Place { Place(x: x / Double(width), y: y / Double(height)) }
        switch gst_navigation_event_get_type(event) {
        case GST_NAVIGATION_EVENT_MOUSE_BUTTON_PRESS:
            gst_navigation_event_parse_mouse_button_event(event, &button, &x, &y)
            self = .buttonPressed(Int(button), place)
        case GST_NAVIGATION_EVENT_MOUSE_BUTTON_RELEASE:
            gst_navigation_event_parse_mouse_button_event(event, &button, &x, &y)
            self = .buttonReleased(Int(button), place)
        case GST_NAVIGATION_EVENT_MOUSE_MOVE:
            gst_navigation_event_parse_mouse_move_event(event, &x, &y)
            self = .mouseMoved(place)
        case GST_NAVIGATION_EVENT_TOUCH_DOWN:
            gst_navigation_event_parse_touch_event(event, &id, &x, &y, &pressure)
            self = .touchDown(id: id, place)
        case GST_NAVIGATION_EVENT_TOUCH_MOTION:
            gst_navigation_event_parse_touch_event(event, &id, &x, &y, &pressure)
            self = .touchMoved(id: id, place)
        case GST_NAVIGATION_EVENT_TOUCH_UP:
            gst_navigation_event_parse_touch_up_event(event, &id, &x, &y)
            self = .touchUp(id: id, place)
        case GST_NAVIGATION_EVENT_TOUCH_CANCEL: self = .touchCancelled
        default: return nil
        }
    }
}
