internal import CGStreamer
internal import PlayerCore

extension WindowPointer {
    /// A mouse or touch event on the window. The sink reports pixels of its frame, whose size is `width` and `height`,
    /// wherever the frame is in the window.
    init?(_ navigation: Event, width: Int, height: Int) {
        let event = navigation.raw
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
