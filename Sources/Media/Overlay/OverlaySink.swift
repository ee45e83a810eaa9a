internal import CGStreamer
internal import CPictureSink
internal import PlayerCore

/// The element at the end of the display's pipeline, before it is made: a factory's name and its properties.
struct OverlaySink {
    /// Subclassed like the film's: the device buffers that a strip is copied to stay mapped.
    var factory: String
    /// Set in this order, in `gst-launch`'s notation.
    var properties: [(name: String, value: String)] = []
    /// What the pipeline turns before the sink.
    var turn = DisplayTransform.identity
    /// Where on the display a plane turns it by a quarter.
    private var quarterTurned: OSDLayout.Rectangle?
    private var compositor: (StripCompositor, OSDLayout.Rectangle)?

    init(factory: String, properties: [(name: String, value: String)] = []) {
        self.factory = factory
        self.properties = properties
    }

    /// kmssink on a plane, the strip one to one at its place.
    init(plane: OverlayPlane) throws(MediaFailure) {
        let strip = plane.place.rectangle
        turn = plane.place.turn
        if plane.place.planeTurn.swapsSides { quarterTurned = strip }
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

    /// No plane: each strip goes to the compositor, on the streaming thread.
    init(compositor: StripCompositor, place: OverlayPlace) {
        factory = "appsink"
        turn = place.turn
        self.compositor = (compositor, place.rectangle)
    }

    /// - Returns: a floating reference.
    func makeElement() throws(MediaFailure) -> UnsafeMutablePointer<GstElement> {
        let sink = try makeSink()
        // Shown as it comes, and without a preroll that it would wait for.
        setProperty(sink, "sync", to: false)
        setProperty(sink, "async", to: false)
        setProperty(sink, "qos", to: false)
        // A kept sample would keep its buffer from the pool.
        setProperty(sink, "enable-last-sample", to: false)
        for (name, value) in properties { setProperty(sink, name, serialized: value) }
        if let place = quarterTurned {
            vitrine_sink_set_area(sink, Int32(place.x), Int32(place.y), Int32(place.width), Int32(place.height))
            vitrine_sink_expect_quarter_turn(sink)
        }
        return sink
    }

    private func makeSink() throws(MediaFailure) -> UnsafeMutablePointer<GstElement> {
        if let (compositor, place) = compositor {
            let sink = try Media.makeElement(factory, name: "osd-sink")
            StripReceiver(compositor, place).receive(from: sink)
            return sink
        }
        if let sink = vitrine_sink_new(factory, "osd-sink") { return sink }
        gst_object_unref(gst_object_ref_sink(try Media.makeElement(factory)))
        throw MediaFailure(reason: .cannotBuild, message: "Unable to build pipeline: \(factory) is no sink")
    }
}

/// Constants for the streaming thread.
private final class StripReceiver {
    private let compositor: StripCompositor
    private let place: OSDLayout.Rectangle

    init(_ compositor: StripCompositor, _ place: OSDLayout.Rectangle) {
        self.compositor = compositor
        self.place = place
    }

    func receive(from sink: UnsafeMutablePointer<GstElement>) {
        var callbacks = GstAppSinkCallbacks()
        callbacks.new_sample = { sink, data in
            guard let sample = gst_app_sink_pull_sample(sink) else { return GST_FLOW_OK }
            defer { gst_sample_unref(sample) }
            if let data, let buffer = gst_sample_get_buffer(sample) {
                let receiver = Unmanaged<StripReceiver>.fromOpaque(data).takeUnretainedValue()
                receiver.compositor.show(Strip(buffer, at: receiver.place))
            }
            return GST_FLOW_OK
        }
        gst_app_sink_set_callbacks(
            sink.cast(to: GstAppSink.self), &callbacks, Unmanaged.passRetained(self).toOpaque(),
            { Unmanaged<StripReceiver>.fromOpaque($0!).release() })
    }
}
