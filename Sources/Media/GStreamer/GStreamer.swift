internal import CGStreamer
internal import Dispatch
internal import Glibc
public import PlayerCore

/// GStreamer itself: started once for the process.
public enum GStreamer {
    /// Starts GStreamer; any thread, any number of times. Takes from 20 ms with a registry to seconds without one.
    public static func start() throws(MediaFailure) {
        if case .failure(let failure) = started { throw failure }
    }

    private static let started: Result<Void, MediaFailure> = {
        var error: UnsafeMutablePointer<GError>?
        guard gst_init_check(nil, nil, &error) != 0 else {
            let text = takeError(&error)?.message ?? "unknown reason"
            return .failure(MediaFailure(reason: .cannotBuild, message: "GStreamer does not start: \(text)"))
        }
        if ProcessTuning.ranksJPEGParser { UnrankedJPEGParser.raise() }
        return .success(())
    }()

    /// Pipelines, and plugins that are being loaded for one, whose end nobody else waits for: `endForTracers` does.
    static let pendingWork = DispatchGroup()

    /// Pending work, as long as this object lives.
    public final class PendingWork: Sendable {
        public init() { GStreamer.pendingWork.enter() }
        deinit { GStreamer.pendingWork.leave() }
    }

    /// Deinitializes GStreamer if tracers are active (`GST_TRACERS`), because those for leaks report at that point. A
    /// process without tracers skips it. Blocks until the pending work is done, 5 s at most. GStreamer must not be used
    /// afterwards.
    public static func endForTracers() {
        guard getenv("GST_TRACERS") != nil, gst_is_initialized() != 0 else { return }
        _ = pendingWork.wait(timeout: .now() + 5)
        gst_deinit()
    }

    static func isBefore(_ major: UInt32, _ minor: UInt32) -> Bool {
        var (thisMajor, thisMinor, micro, nano) = (UInt32(0), UInt32(0), UInt32(0), UInt32(0))
        gst_version(&thisMajor, &thisMinor, &micro, &nano)
        return (thisMajor, thisMinor) < (major, minor)
    }

    /// "1.22.0"
    public static var version: String {
        var (major, minor, micro, nano) = (UInt32(0), UInt32(0), UInt32(0), UInt32(0))
        gst_version(&major, &minor, &micro, &nano)
        return "\(major).\(minor).\(micro)"
    }

    /// The available video decoders, hardware's too, in the order in which they are tried: "NAME RANK". GStreamer must
    /// have been started. Any thread.
    public static var videoDecoders: [String] {
        // GST_ELEMENT_FACTORY_TYPE_DECODER and ..._MEDIA_VIDEO, whose macros do not import.
        let list = gst_element_factory_list_get_elements(1 << 0 | 1 << 49, GST_RANK_MARGINAL)
        defer { gst_plugin_feature_list_free(list) }
        let decoders = items(of: list).map { feature in
            let name = takeString(gst_object_get_name(feature.assumingMemoryBound(to: GstObject.self)))
            return (name: name ?? "", rank: gst_plugin_feature_get_rank(OpaquePointer(feature)))
        }
        return decoders.sorted { ($1.rank, $0.name) < ($0.rank, $1.name) }.map { "\($0.name) \($0.rank)" }
    }

    /// The decoders of each usual codec, in the order in which they are tried: hardware and software. Decoders that are
    /// skipped are marked. GStreamer must have been started. Any thread.
    public static var decodersByCodec: [(codec: String, decoders: [String])] {
        let codecs = [
            ("H.264", "video/x-h264"), ("HEVC", "video/x-h265"), ("VP8", "video/x-vp8"), ("VP9", "video/x-vp9"),
            ("AV1", "video/x-av1"), ("MPEG-2", "video/mpeg,mpegversion=2,systemstream=false"),
            ("MPEG-4", "video/mpeg,mpegversion=4,systemstream=false"),
        ]
        return codecs.map { codec, text in
            guard let stream = Caps(text) else { return (codec, []) }
            let choice = FilmDecoder(avoiding: AvoidedDecoders())
            return (
                codec,
                ElementFactory.decoders(of: stream).map { decoder in
                    let kind = decoder.isHardware ? "hardware" : "processor"
                    let isPassedOver = choice.passesOver(decoder, for: stream)
                    return "\(decoder.name) (\(kind)\(isPassedOver ? ", passed over: \(WavefrontCrash.reason)" : ""))"
                }
            )
        }
    }

    static func load(plugin name: String) {
        if let loaded = gst_plugin_load_by_name(name) { gst_object_unref(UnsafeMutableRawPointer(loaded)) }
    }

    /// Loads the decoder that autoplugging chooses for a kind of stream. Blocks.
    static func loadDecoder(of mediaType: String) {
        let caps = gst_caps_new_empty_simple(mediaType)
        // GST_ELEMENT_FACTORY_TYPE_DECODER, whose macro does not import.
        let all = gst_element_factory_list_get_elements(1 << 0, GST_RANK_MARGINAL)
        let fitting = gst_element_factory_list_filter(all, caps, GST_PAD_SINK, 0)
        defer {
            gst_plugin_feature_list_free(all)
            gst_plugin_feature_list_free(fitting)
            gst_caps_unref(caps)
        }
        // The list is sorted by rank, as autoplugging uses it.
        guard let first = fitting?.pointee.data else { return }
        let feature = OpaquePointer(first)
        // The libraries are loaded first: while GStreamer loads a plugin, it loads no other, and a film that is being
        // opened would wait.
        if let plugin = gst_plugin_feature_get_plugin(feature) {
            if let file = gst_plugin_get_filename(plugin) { dlopen(file, RTLD_LAZY) }
            gst_object_unref(UnsafeMutableRawPointer(plugin))
        }
        if let loaded = gst_plugin_feature_load(feature) { gst_object_unref(UnsafeMutableRawPointer(loaded)) }
    }
}

/// The items of a list, borrowed.
func items(of list: UnsafeMutablePointer<GList>?) -> [UnsafeMutableRawPointer] {
    guard let list else { return [] }
    return sequence(first: list) { $0.pointee.next }.compactMap(\.pointee.data)
}

/// Takes ownership of a string that GLib allocated.
func takeString(_ pointer: UnsafeMutablePointer<CChar>?) -> String? {
    guard let pointer else { return nil }
    defer { g_free(pointer) }
    return String(cString: pointer)
}

extension UnsafeMutablePointer {
    /// GObject's cast: a pointer to an object is a pointer to each of its base classes too.
    func cast<Base>(to type: Base.Type) -> UnsafeMutablePointer<Base> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: type)
    }
}

/// `GST_CLOCK_TIME_NONE`, negative times and those that no film has count as unknown.
func mediaTime(_ time: Int64) -> MediaTime? {
    (0...MediaTime.farthest.nanoseconds).contains(time) ? MediaTime(nanoseconds: time) : nil
}
