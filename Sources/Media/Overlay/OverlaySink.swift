internal import CGStreamer
internal import CPictureSink
internal import PlayerCore

/// The element at the end of the display's pipeline, before it is made: a factory's name and its properties.
struct OverlaySink {
    /// Subclassed like the film's: the device buffers that a strip is copied to stay mapped.
    var factory: String
    /// Set in this order, in `gst-launch`'s notation.
    var properties: [(name: String, value: String)] = []

    init(factory: String, properties: [(name: String, value: String)] = []) {
        self.factory = factory
        self.properties = properties
    }

    /// kmssink on a plane, the strip one to one at its place.
    init(plane: OverlayPlane, layout: OSDLayout) throws(MediaFailure) {
        let strip = layout.strip
        factory = "kmssink"
        properties = [
            ("fd", "\(plane.fileDescriptor)"), ("connector-id", "\(plane.connectorID)"),
            ("plane-id", "\(plane.planeID)"),
            // Two sinks share the fd: neither may read the other's events.
            ("skip-vsync", "true"), ("restore-crtc", "false"),
            ("render-rectangle", "<\(strip.x),\(strip.y),\(strip.width),\(strip.height)>"),
            // After the rectangle, which would else wait for new caps. A kmssink that may scale squeezes the strip by
            // the pixel aspect ratio that it makes from the connector's millimetres.
            ("can-scale", "false"),
        ]
        guard let planeProperties = plane.properties else { return }
        guard let structure = gst_structure_new_from_string(planeProperties) else {
            throw MediaFailure(
                reason: .cannotBuild,
                message: "Unable to build pipeline: \"\(planeProperties)\" is no GstStructure for plane-properties")
        }
        gst_structure_free(structure)
        properties.append(("plane-properties", planeProperties))
    }

    /// - Returns: a floating reference.
    func makeElement() throws(MediaFailure) -> UnsafeMutablePointer<GstElement> {
        guard let sink = vitrine_sink_new(factory, "osd-sink") else {
            gst_object_unref(gst_object_ref_sink(try Media.makeElement(factory)))
            throw MediaFailure(reason: .cannotBuild, message: "Unable to build pipeline: \(factory) is no sink")
        }
        // Shown as it comes, and without a preroll that it would wait for.
        setProperty(sink, "sync", to: false)
        setProperty(sink, "async", to: false)
        setProperty(sink, "qos", to: false)
        // A kept sample would keep its buffer from the pool.
        setProperty(sink, "enable-last-sample", to: false)
        for (name, value) in properties { setProperty(sink, name, serialized: value) }
        return sink
    }
}
