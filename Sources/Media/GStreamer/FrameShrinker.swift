internal import CGStreamer
internal import PlayerCore

/// Scales frames down to a scrub sheet's pictures: planar 4:2:0 of 8 bits, upright, square pixels, with the film's own
/// matrix and range.
///
/// For one thread at a time. Frames must be in system memory.
final class FrameShrinker {
    /// The size of the pictures.
    let size: SheetSize
    /// The film's colour encoding, which the pictures keep; for a film in RGB, that of GStreamer's conversion.
    let color: FilmColor?
    private let upright: DisplayTransform
    private var input: GstVideoInfo
    private var output: GstVideoInfo
    private let converter: OpaquePointer
    /// The picture before it is turned.
    private let memory: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - upright: the transform that brings the film's frames upright.
    ///   - size: the size of the pictures, even if the film's size changes.
    /// - Returns: `nil` for frames that GStreamer cannot convert.
    init?(_ info: GstVideoInfo, upright: DisplayTransform, size: SheetSize) {
        guard info.width > 0, info.height > 0 else { return nil }
        (self.upright, self.size) = (upright, size)
        input = info
        // Scaling fields separately would cost more and look worse.
        input.interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
        let stored = upright.size(width: size.width, height: size.height)
        output = GstVideoInfo()
        guard gst_video_info_set_format(&output, GST_VIDEO_FORMAT_I420, guint(stored.width), guint(stored.height)) != 0
        else { return nil }
        (output.fps_n, output.fps_d) = (info.fps_n, info.fps_d)
        let own = FilmColor(info)
        if own != nil {
            output.colorimetry = info.colorimetry
            output.chroma_site = info.chroma_site
        }
        color = own ?? FilmColor(output)
        let options = gst_structure_new_from_string(
            "options,GstVideoConverter.resampler-method=(GstVideoResamplerMethod)linear,GstVideoConverter.threads=(uint)1"
        )
        guard let converter = gst_video_converter_new(&input, &output, options) else { return nil }
        self.converter = converter
        memory = .allocate(byteCount: Int(output.size), alignment: 64)
    }

    deinit {
        gst_video_converter_free(converter)
        memory.deallocate()
    }

    /// The picture size for a film's frames.
    /// - Parameter limit: the largest picture of a landscape film.
    static func size(_ info: GstVideoInfo, _ upright: DisplayTransform, _ limit: SheetSize) -> SheetSize {
        let width = Int(info.width) * Int(max(info.par_n, 1)) / Int(max(info.par_d, 1))
        let seen = upright.size(width: max(width, 1), height: Int(info.height))
        return SheetSize(fitting: SheetSize(width: seen.width, height: seen.height), in: limit)
    }

    /// - Parameter picture: receives the planes, one behind the other without gaps; 1.5 bytes for each of `size`'s
    ///   pixels.
    /// - Returns: false if the frame cannot be read.
    func shrink(_ buffer: Buffer, into picture: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        var (from, to) = (GstVideoFrame(), GstVideoFrame())
        guard gst_video_frame_map(&from, &input, buffer.raw, GST_MAP_READ) != 0 else { return false }
        defer { gst_video_frame_unmap(&from) }
        let size = gsize(output.size)
        guard let wrapped = gst_buffer_new_wrapped_full(GstMemoryFlags(rawValue: 0), memory, size, 0, size, nil, nil)
        else { return false }
        defer { gst_buffer_unref(wrapped) }
        guard gst_video_frame_map(&to, &output, wrapped, GST_MAP_WRITE) != 0 else { return false }
        gst_video_converter_frame(converter, &from, &to)
        gst_video_frame_unmap(&to)
        turn(into: picture)
        return true
    }

    private func turn(into picture: UnsafeMutableBufferPointer<UInt8>) {
        let (width, height) = (Int(output.width), Int(output.height))
        let half = ((width + 1) / 2, (height + 1) / 2)
        let (offsets, strides) = (output.offset, output.stride)
        let planes = [
            (width, height, Int(offsets.0), Int(strides.0)), (half.0, half.1, Int(offsets.1), Int(strides.1)),
            (half.0, half.1, Int(offsets.2), Int(strides.2)),
        ]
        var end = 0
        for (width, height, offset, stride) in planes {
            let room = UnsafeMutableBufferPointer(rebasing: picture[end..<end + width * height])
            end += width * height
            let start = UnsafeRawPointer(memory + offset).assumingMemoryBound(to: UInt8.self)
            upright.copy(start, width: width, height: height, stride: stride, into: room)
        }
    }
}

extension DisplayTransform {
    /// Turns one plane of bytes.
    /// - Parameter room: receives the result without gaps.
    func copy(
        _ start: UnsafePointer<UInt8>, width: Int, height: Int, stride: Int,
        into room: UnsafeMutableBufferPointer<UInt8>
    ) {
        // The offset of the first byte, the step to the next one to the right, and the step to the next line.
        let (mirror, left) = (isReflected ? -1 : 1, isReflected ? width - 1 : 0)
        let right = width - 1 - left
        let bottom = (height - 1) * stride
        let (first, across, down) =
            switch rotation {
            case .none: (left, mirror, stride)
            case .quarter: (bottom + left, -stride, mirror)
            case .half: (bottom + right, -mirror, -stride)
            case .threeQuarters: (right, stride, -mirror)
            }
        let (columns, lines) = size(width: width, height: height)
        guard var target = room.baseAddress else { return }
        for line in 0..<lines {
            var source = start + first + line * down
            if across == 1 {
                target.update(from: source, count: columns)
                target += columns
                continue
            }
            for _ in 0..<columns {
                target.pointee = source.pointee
                target += 1
                source += across
            }
        }
    }
}
