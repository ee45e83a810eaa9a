internal import CGStreamer
internal import CPictureSink
internal import PlayerCore

/// The film's way from the decoder to the plane: `queue ! [videoconvertscale ! capsfilter !] picture sink`, with a gate
/// behind the queue.
///
/// Made before there is a pad to link, so that the pipeline's worker and the streaming thread that links it share only
/// constants. Thread: any, after `init`; GStreamer's objects lock for themselves.
///
/// `@unchecked Sendable` because all fields are constants and everything they point to locks for itself.
final class VideoBranch: @unchecked Sendable {
    let sink: UnsafeMutablePointer<GstElement>
    let gate: OpaquePointer
    /// Before the decoder; `gate` stands behind it.
    let decoderGate: OpaquePointer
    private let queue: UnsafeMutablePointer<GstElement>
    private let output: FilmOutput.Plane?

    init(output: FilmOutput.Plane?) throws(MediaFailure) {
        self.output = output
        let factory = output == nil ? "fakesink" : "kmssink"
        guard let sink = vitrine_sink_new(factory, "film") else {
            _ = try makeElement(factory)
            throw MediaFailure(
                reason: .cannotBuild, message: "Unable to build pipeline: \(factory) is not a video sink")
        }
        self.sink = gst_object_ref_sink(sink).assumingMemoryBound(to: GstElement.self)
        queue = gst_object_ref_sink(try makeElement("queue", name: "film-queue")).assumingMemoryBound(
            to: GstElement.self)
        gate = vitrine_gate_new()
        decoderGate = vitrine_gate_new()
        // Few: what waits here was decoded in vain when the finger moves on.
        setProperty(queue, "max-size-buffers", to: 1)
        setProperty(queue, "max-size-bytes", to: 0)
        setProperty(queue, "max-size-time", to: 0)
        setProperty(queue, "silent", to: true)
        setProperty(sink, "enable-last-sample", to: false)
        if let output {
            setProperty(sink, "fd", to: output.fileDescriptor)
            setProperty(sink, "connector-id", to: output.connectorID)
            setProperty(sink, "plane-id", to: output.planeID)
            // Two sinks share the fd: neither may read the other's events (docs/architecture.md, "One fd, two sinks").
            setProperty(sink, "skip-vsync", to: true)
            setProperty(sink, "can-scale", to: output.canScale)
            setProperty(sink, "restore-crtc", to: false)
            if let properties = output.properties {
                _ = setProperty(sink, "plane-properties", toStructure: properties)
            }
        } else {
            setProperty(sink, "sync", to: true)
        }
    }

    deinit {
        vitrine_gate_unref(gate)
        vitrine_gate_unref(decoderGate)
        gst_object_unref(queue)
        gst_object_unref(sink)
    }

    /// Adds the branch to the pipeline and links it to a decoder's pad. Thread: the streaming thread that found the pad.
    func link(_ pad: UnsafeMutablePointer<GstPad>, in pipeline: UnsafeMutablePointer<GstElement>) throws(MediaFailure) {
        var chain = [queue]
        if let output, needsConverter(pad, output) {
            // nearest-neighbour (0) flickers on fine lines; bilinear (1) is the converter's default and its cheapest.
            let converter = try makeElement("videoconvertscale", name: "film-scaler")
            let filter = try makeElement("capsfilter", name: "film-size")
            chain += [converter, filter]
            fit(converter, filter, output)
        }
        chain.append(sink)
        for element in chain {
            gst_bin_add(pipeline.cast(to: GstBin.self), element)
        }
        for (from, to) in zip(chain, chain.dropFirst()) where gst_element_link(from, to) == 0 {
            throw MediaFailure(
                reason: .cannotBuild, message: "Unable to build pipeline: the film's branch does not link")
        }
        let gatePad = gst_element_get_static_pad(chain[1], "sink")
        vitrine_gate_attach(gate, gatePad)
        gst_object_unref(gatePad)
        // From the sink up: nothing flows into an element that is not ready for it.
        for element in chain.reversed() { gst_element_sync_state_with_parent(element) }
        let entry = gst_element_get_static_pad(queue, "sink")
        defer { gst_object_unref(entry) }
        guard gst_pad_link(pad, entry) == GST_PAD_LINK_OK else {
            throw MediaFailure(reason: .cannotBuild, message: "Unable to build pipeline: the film's pad does not link")
        }
    }

    /// A plane that scales and takes the decoder's format needs nothing in between.
    private func needsConverter(_ pad: UnsafeMutablePointer<GstPad>, _ output: FilmOutput.Plane) -> Bool {
        guard output.canScale, let caps = gst_pad_get_current_caps(pad) else { return true }
        defer { gst_caps_unref(caps) }
        guard let format = gst_structure_get_string(gst_caps_get_structure(caps, 0), "format") else { return true }
        return !output.formats.contains(String(cString: format))
    }

    /// Sets the size behind the scaler from the caps in front of it, whenever they change (S3).
    private func fit(
        _ converter: UnsafeMutablePointer<GstElement>, _ filter: UnsafeMutablePointer<GstElement>,
        _ output: FilmOutput.Plane
    ) {
        let pad = gst_element_get_static_pad(converter, "sink")
        defer { gst_object_unref(pad) }
        let fit = Fit(filter: filter, output: output)
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
            { _, info, data in
                if let event = gst_pad_probe_info_get_event(info), event.pointee.type == GST_EVENT_CAPS, let data {
                    var caps: UnsafeMutablePointer<GstCaps>?
                    gst_event_parse_caps(event, &caps)
                    if let caps { Unmanaged<Fit>.fromOpaque(data).takeUnretainedValue().apply(caps) }
                }
                return GST_PAD_PROBE_OK
            }, Unmanaged.passRetained(fit).toOpaque(), { Unmanaged<Fit>.fromOpaque($0!).release() })
    }
}

/// Constants for the streaming thread that meets new caps.
private final class Fit {
    /// Borrowed: it lives in the same bin as the scaler whose pad owns this.
    let filter: UnsafeMutablePointer<GstElement>
    let output: FilmOutput.Plane

    init(filter: UnsafeMutablePointer<GstElement>, output: FilmOutput.Plane) {
        self.filter = filter
        self.output = output
    }

    func apply(_ caps: UnsafeMutablePointer<GstCaps>) {
        var info = GstVideoInfo()
        guard gst_video_info_from_caps(&info, caps) != 0 else { return }
        let decoded = String(cString: gst_video_format_to_string(info.finfo.pointee.format))
        let formats = output.formats.contains(decoded) ? [decoded] : output.formats
        var text = "video/x-raw,format={\(formats.joined(separator: ","))},pixel-aspect-ratio=1/1"
        let size = AspectFit(
            width: Int(info.width), height: Int(info.height),
            pixelAspect: (Int(info.par_n), Int(info.par_d)), within: (output.displayWidth, output.displayHeight))
        if output.canScale {
            // The plane scales: square pixels are all it needs, at the film's own height.
            let width = (Int(info.width) * Int(info.par_n) / max(Int(info.par_d), 1) + 1) & ~1
            text += ",width=\(width),height=\(info.height)"
        } else {
            text += ",width=\(size.width),height=\(size.height)"
        }
        let fitted = gst_caps_from_string(text)
        setProperty(filter, "caps", to: fitted)
        gst_caps_unref(fitted)
    }
}
