internal import CGStreamer
internal import Glibc
public import PlayerCore

/// Writes a picture to a file, in the format that its name's ending asks for: `.png`, `.jpg` or `.jpeg`.
public enum PictureFile {
    /// Blocks for the encoding (some 50 ms for a display); not for the loop. The file appears whole or not at all.
    /// - Parameters:
    ///   - bytes: red, green, blue of each pixel, line by line, no padding.
    public static func write(_ bytes: [UInt8], width: Int, height: Int, to path: String) throws(MediaFailure) {
        try GStreamer.start()
        let isJPEG = path.lowercased().hasSuffix(".jpg") || path.lowercased().hasSuffix(".jpeg")
        let encoder = isJPEG ? "jpegenc quality=90" : "pngenc compression-level=1"
        let partial = path + ".part"
        let line = "appsrc name=source format=time ! videoconvert ! \(encoder) ! filesink name=file"
        var error: UnsafeMutablePointer<GError>?
        guard let pipeline = gst_parse_launch(line, &error) else {
            defer { g_clear_error(&error) }
            let text = error.map { String(cString: $0.pointee.message) } ?? "unknown reason"
            throw MediaFailure(
                reason: .missingPlugin(package: "gstreamer1.0-plugins-good"),
                message: "Unable to build pipeline: \(text): sudo apt install gstreamer1.0-plugins-good")
        }
        defer {
            gst_element_set_state(pipeline, GST_STATE_NULL)
            gst_object_unref(pipeline)
        }
        let bin = pipeline.cast(to: GstBin.self)
        guard let source = gst_bin_get_by_name(bin, "source"), let file = gst_bin_get_by_name(bin, "file") else {
            return
        }
        defer {
            gst_object_unref(source)
            gst_object_unref(file)
        }
        let caps = gst_caps_from_string("video/x-raw,format=RGB,width=\(width),height=\(height),framerate=0/1")
        setProperty(source, "caps", to: caps)
        gst_caps_unref(caps)
        setProperty(file, "location", to: partial)
        let app = UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstAppSrc.self)
        gst_element_set_state(pipeline, GST_STATE_PLAYING)
        gst_app_src_push_buffer(app, buffer(of: bytes, width: width, height: height))
        gst_app_src_end_of_stream(app)
        let failure = waitForEnd(of: pipeline)
        gst_element_set_state(pipeline, GST_STATE_NULL)
        if let failure {
            remove(partial)
            throw MediaFailure(reason: .other, message: "\(path): \(failure)")
        }
        guard rename(partial, path) == 0 else {
            let number = errno
            remove(partial)
            throw MediaFailure(reason: .other, message: "\(path): \(String(cString: strerror(number))) (\(number))")
        }
    }

    /// GStreamer wants lines that start at multiples of four bytes.
    private static func buffer(of bytes: [UInt8], width: Int, height: Int) -> UnsafeMutablePointer<GstBuffer>? {
        let (line, stride) = (width * 3, (width * 3 + 3) & ~3)
        let buffer = gst_buffer_new_allocate(nil, gsize(stride * height), nil)
        bytes.withUnsafeBytes { source in
            for row in 0..<height {
                gst_buffer_fill(buffer, gsize(row * stride), source.baseAddress! + row * line, gsize(line))
            }
        }
        return buffer
    }

    private static func waitForEnd(of pipeline: UnsafeMutablePointer<GstElement>) -> String? {
        guard let bus = gst_element_get_bus(pipeline) else { return "no bus" }
        defer { gst_object_unref(bus) }
        let types = GstMessageType(rawValue: GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ERROR.rawValue)
        guard let message = gst_bus_timed_pop_filtered(bus, 10_000_000_000, types) else {
            return "not written within 10 s"
        }
        defer { gst_message_unref(message) }
        guard message.pointee.type == GST_MESSAGE_ERROR else { return nil }
        var error: UnsafeMutablePointer<GError>?
        gst_message_parse_error(message, &error, nil)
        defer { g_clear_error(&error) }
        return error.map { String(cString: $0.pointee.message) } ?? "unknown reason"
    }
}
