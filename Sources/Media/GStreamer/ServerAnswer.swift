internal import CGStreamer

/// Whether a web server gives out parts of the film that it is about to send; `nil` where the message says nothing of it.
/// souphttpsrc seeks on any server, and fails on one that sends all of the film whatever it is asked for.
/// - Parameter structure: of any element's message.
func offersRanges(_ structure: UnsafePointer<GstStructure>) -> Bool? {
    var status: guint = 0
    guard gst_structure_has_name(structure, "http-headers") != 0,
        gst_structure_get_uint(structure, "http-status-code", &status) != 0, status == 200,
        let value = gst_structure_get_value(structure, "response-headers"),
        let headers = gst_value_get_structure(value)
    else { return nil }
    return (0..<gst_structure_n_fields(headers)).contains { place in
        guard let name = gst_structure_nth_field_name(headers, guint(place)),
            String(cString: name).lowercased() == "accept-ranges",
            let value = gst_structure_get_string(headers, name)
        else { return false }
        return String(cString: value) == "bytes"
    }
}
