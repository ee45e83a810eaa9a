internal import CGStreamer
internal import Glibc
public import PlayerCore

/// Writes a picture to a file, in the format of its name's extension: `.png`, `.jpg` or `.jpeg`.
public enum PictureFile {
    /// Whether the name's extension selects a format. `write` makes a PNG of others.
    public static func hasFormat(_ path: String) -> Bool {
        [".png", ".jpg", ".jpeg"].contains { path.lowercased().hasSuffix($0) }
    }

    /// Writes the file. Blocks during encoding (some 50 ms for a display), so not for the loop. The file appears whole
    /// or not at all.
    /// - Parameters:
    ///   - bytes: red, green, blue of each pixel, line by line, no padding.
    public static func write(_ bytes: [UInt8], width: Int, height: Int, to path: String) throws(MediaFailure) {
        try GStreamer.start()
        let isJPEG = path.lowercased().hasSuffix(".jpg") || path.lowercased().hasSuffix(".jpeg")
        let encoder = isJPEG ? "jpegenc quality=90" : "pngenc compression-level=1"
        let partial = path + ".part"
        let description = "appsrc name=source format=time ! videoconvert ! \(encoder) ! filesink name=file"
        let pipeline = try Element(parsing: description)
        defer { pipeline.set(GST_STATE_NULL) }
        guard let source = pipeline.child("source"), let file = pipeline.child("file"),
            let caps = Caps("video/x-raw,format=RGB,width=\(width),height=\(height),framerate=0/1")
        else { return }
        source.set("caps", to: caps)
        file.set("location", to: partial)
        pipeline.set(GST_STATE_PLAYING)
        // GStreamer requires lines that start at multiples of four bytes.
        let (line, stride) = (width * 3, (width * 3 + 3) & ~3)
        source.push(stride * height) { room in
            for row in 0..<height {
                UnsafeMutableRawBufferPointer(rebasing: room[(row * stride)...])
                    .copyBytes(from: bytes[row * line..<(row + 1) * line])
            }
        }
        source.endStream()
        let failure = waitForEnd(of: pipeline)
        pipeline.set(GST_STATE_NULL)
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

    private static func waitForEnd(of pipeline: Element) -> String? {
        switch pipeline.bus?.pop([GST_MESSAGE_EOS, GST_MESSAGE_ERROR], within: 10_000_000_000)?.content {
        case .error(let report): report.text
        case nil: "not written within 10 s"
        default: nil
        }
    }
}
