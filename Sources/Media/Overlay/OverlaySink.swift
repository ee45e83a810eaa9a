internal import PlayerCore
internal import Synchronization

/// The description of the sink of the display's pipeline: a factory's name and its properties.
struct OverlaySink {
    /// A subclass, as for the film: the device buffers that surfaces are copied to stay mapped.
    var factory: String
    /// Set in this order, in `gst-launch`'s notation.
    var properties: [(name: String, value: String)] = []
    /// The turn that the pipeline does before the sink.
    var turn = DisplayTransform.identity
    /// The surface's place on the display if a plane turns it by a quarter.
    private var quarterTurned: OSDLayout.Rectangle?
    private var compositor: OSDCompositor?
    /// The place of the next surface.
    let place: SurfacePlace

    init(factory: String, properties: [(name: String, value: String)] = []) {
        place = SurfacePlace(.init(x: 0, y: 0, width: 0, height: 0))
        self.factory = factory
        self.properties = properties
    }

    /// kmssink on a plane, with the surface one to one at its place.
    init(plane: OverlayPlane) throws(MediaFailure) {
        let surface = plane.place.rectangle
        place = SurfacePlace(surface)
        turn = plane.place.turn
        if plane.place.planeTurn.swapsSides { quarterTurned = surface }
        factory = "kmssink"
        properties = [
            ("fd", "\(plane.fileDescriptor)"), ("connector-id", "\(plane.connectorID)"),
            ("plane-id", "\(plane.planeID)"),
            // Two sinks share the fd: neither may read the other's events.
            ("skip-vsync", "true"), ("restore-crtc", "false"),
            ("render-rectangle", "<\(surface.x),\(surface.y),\(surface.width),\(surface.height)>"),
            // After the rectangle, which would otherwise wait for new caps. A kmssink that may scale squeezes the
            // surface by the pixel aspect ratio that it computes from the connector's millimetres.
            ("can-scale", "false"),
        ]
        guard let planeProperties = plane.properties else { return }
        guard Structure.isValid(planeProperties) else {
            throw MediaFailure(
                reason: .cannotBuild,
                message: "Unable to build pipeline: \"\(planeProperties)\" is no GstStructure for plane-properties")
        }
        properties.append(("plane-properties", planeProperties))
    }

    /// A sink without a plane: each surface goes to the compositor, on the streaming thread.
    init(compositor: OSDCompositor, place: OverlayPlace) {
        factory = "appsink"
        turn = place.turn
        self.place = SurfacePlace(place.rectangle)
        self.compositor = compositor
    }

    func makeElement() throws(MediaFailure) -> Element {
        let sink: Element =
            try compositor == nil ? VideoSink(base: factory, name: "osd-sink") : Element(factory, name: "osd-sink")
        if let compositor {
            let place = place
            sink.set("emit-signals", to: true)
            sink.connect("new-sample") { values in
                if let sample = values.element(0).pullSample() { compositor.show(OSDSurface(sample, at: place.now)) }
            }
        }
        // Shown without synchronization, and without a preroll to wait for.
        for name in ["sync", "async", "qos"] { sink.set(name, to: false) }
        // A kept sample would keep its buffer from the pool.
        sink.set("enable-last-sample", to: false)
        for (name, value) in properties { sink.set(name, serialized: value) }
        if let place = quarterTurned, let sink = sink as? VideoSink {
            sink.setArea(place)
            sink.expectQuarterTurn()
        }
        return sink
    }

    /// Sets the place of surfaces of another size, from the next caps on. Between two buffers.
    func move(_ sink: Element, to rectangle: OSDLayout.Rectangle) {
        place.now = rectangle
        guard compositor == nil, !properties.isEmpty else { return }
        if quarterTurned != nil, let sink = sink as? VideoSink {
            sink.setArea(rectangle)
        } else {
            let (x, y, width, height) = (rectangle.x, rectangle.y, rectangle.width, rectangle.height)
            // A sink that does not scale applies it with the next caps.
            sink.set("render-rectangle", serialized: "<\(x),\(y),\(width),\(height)>")
        }
    }
}

/// The place of the next surface on the display: set by the pipeline's worker, read by its streaming thread.
final class SurfacePlace: Sendable {
    private let place: Mutex<OSDLayout.Rectangle>

    init(_ place: OSDLayout.Rectangle) {
        self.place = Mutex(place)
    }

    var now: OSDLayout.Rectangle {
        get { place.withLock { $0 } }
        set { place.withLock { $0 = newValue } }
    }
}
