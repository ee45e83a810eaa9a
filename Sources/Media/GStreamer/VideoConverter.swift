internal import CGStreamer
internal import PlayerCore

/// The size, format and colour of pictures in GStreamer's terms.
struct VideoShape: Hashable {
    var width: Int
    var height: Int
    /// GStreamer's name: "I420", "BGRx", ...
    var format: String
    /// `nil` for RGB.
    var color: FilmColor?
    /// Offset and line length of each of the format's planes, in bytes; if empty, GStreamer's default layout.
    var components: [Component] = []

    struct Component: Hashable {
        var offset: Int
        var pitch: Int
    }

    /// I420 without gaps, as a scrub sheet's decoder produces it; GStreamer's own lines end on multiples of four bytes.
    init(packedWidth width: Int, height: Int, color: FilmColor?) {
        let luma = width * height
        self.init(
            width: width, height: height, format: "I420", color: color,
            components: [
                .init(offset: 0, pitch: width), .init(offset: luma, pitch: width / 2),
                .init(offset: luma * 5 / 4, pitch: width / 2),
            ])
    }

    init(width: Int, height: Int, format: String, color: FilmColor?, components: [Component] = []) {
        (self.width, self.height, self.format, self.color) = (width, height, format, color)
        self.components = components
    }

    fileprivate var info: GstVideoInfo? {
        var info = GstVideoInfo()
        guard gst_video_info_set_format(&info, gst_video_format_from_string(format), guint(width), guint(height)) != 0
        else {
            return nil
        }
        if let color {
            info.colorimetry.range = color.isFullRange ? GST_VIDEO_COLOR_RANGE_0_255 : GST_VIDEO_COLOR_RANGE_16_235
            info.colorimetry.matrix =
                switch color.matrix {
                case .bt601: GST_VIDEO_COLOR_MATRIX_BT601
                case .bt709: GST_VIDEO_COLOR_MATRIX_BT709
                case .bt2020: GST_VIDEO_COLOR_MATRIX_BT2020
                }
        }
        withUnsafeMutableBytes(of: &info.stride) { strides in
            for (place, component) in components.enumerated() {
                strides.storeBytes(of: gint(component.pitch), toByteOffset: place * 4, as: gint.self)
            }
        }
        withUnsafeMutableBytes(of: &info.offset) { offsets in
            for (place, component) in components.enumerated() {
                offsets.storeBytes(of: gsize(component.offset), toByteOffset: place * 8, as: gsize.self)
            }
        }
        return info
    }
}

/// Converts a part of a picture into a part of another one of other size, format or colour, with black around it.
///
/// For one thread at a time.
final class VideoConverter {
    private let converter: OpaquePointer
    private var source: GstVideoInfo
    private var target: GstVideoInfo

    /// - Returns: `nil` for formats that GStreamer does not convert.
    init?(_ source: VideoShape, _ seen: OSDLayout.Rectangle, to target: VideoShape, _ place: OSDLayout.Rectangle) {
        guard var from = source.info, var to = target.info else { return nil }
        // The same chroma siting in both: moving chroma costs as much as scaling.
        from.chroma_site = to.chroma_site
        let fields = [
            ("src-x", seen.x), ("src-y", seen.y), ("src-width", seen.width), ("src-height", seen.height),
            ("dest-x", place.x), ("dest-y", place.y), ("dest-width", place.width), ("dest-height", place.height),
        ].map { ",GstVideoConverter.\($0)=(int)\($1)" }.joined()
        // Registers the type, so that a text can name its values.
        _ = gst_video_resampler_method_get_type()
        let text = "s,GstVideoConverter.resampler-method=(GstVideoResamplerMethod)linear" + fields
        guard let options = gst_structure_new_from_string(text),
            let converter = gst_video_converter_new(&from, &to, options)
        else { return nil }
        self.converter = converter
        (self.source, self.target) = (from, to)
    }

    deinit { gst_video_converter_free(converter) }

    /// - Parameters:
    ///   - picture: laid out as the source's shape says.
    ///   - bytes: laid out as the target's shape says.
    /// - Returns: `false` if one of them is too short.
    func convert(_ picture: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        guard var from = frame(&source, UnsafeMutableRawBufferPointer(mutating: picture)),
            var to = frame(&target, bytes)
        else {
            return false
        }
        gst_video_converter_frame(converter, &from, &to)
        return true
    }

    /// Blends a surface into the target.
    /// - Parameters:
    ///   - pixels: BGRA, multiplied by alpha, rows without gaps.
    ///   - bytes: laid out as the target's shape says.
    func blend(
        _ pixels: UnsafeRawBufferPointer, at place: OSDLayout.Rectangle, into bytes: UnsafeMutableRawBufferPointer
    ) {
        let size = place.width * place.height * 4
        guard pixels.count >= size, var to = frame(&target, bytes),
            // The memory is only read.
            let buffer = gst_buffer_new_wrapped_full(
                GST_MEMORY_FLAG_READONLY, UnsafeMutableRawPointer(mutating: pixels.baseAddress), gsize(size), 0,
                gsize(size), nil,
                nil)
        else { return }
        defer { gst_mini_object_unref(buffer.cast(to: GstMiniObject.self)) }
        gst_buffer_add_video_meta(
            buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_BGRA, guint(place.width), guint(place.height))
        let surface = gst_video_overlay_rectangle_new_raw(
            buffer, gint(place.x), gint(place.y), guint(place.width), guint(place.height),
            GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA)
        defer {
            gst_mini_object_unref(
                UnsafeMutableRawPointer(surface).map { $0.assumingMemoryBound(to: GstMiniObject.self) })
        }
        let composition = gst_video_overlay_composition_new(surface)
        gst_video_overlay_composition_blend(composition, &to)
        gst_mini_object_unref(
            UnsafeMutableRawPointer(composition).map { $0.assumingMemoryBound(to: GstMiniObject.self) })
    }

    private func frame(_ info: inout GstVideoInfo, _ bytes: UnsafeMutableRawBufferPointer) -> GstVideoFrame? {
        var frame = GstVideoFrame()
        frame.info = info
        guard let start = bytes.baseAddress else { return nil }
        let count = Int(info.finfo.pointee.n_planes)
        let isWhole = withUnsafeBytes(of: &info.offset) { offsets in
            withUnsafeBytes(of: &info.stride) { strides in
                withUnsafeMutableBytes(of: &frame.data) { data in
                    (0..<count).allSatisfy { place in
                        let offset = Int(offsets.load(fromByteOffset: place * 8, as: gsize.self))
                        let pitch = Int(strides.load(fromByteOffset: place * 4, as: gint.self))
                        data.storeBytes(of: start + offset, toByteOffset: place * 8, as: UnsafeMutableRawPointer.self)
                        let lines = place == 0 ? Int(info.height) : (Int(info.height) + 1) / 2
                        return offset + pitch * lines <= bytes.count
                    }
                }
            }
        }
        return isWhole ? frame : nil
    }
}
