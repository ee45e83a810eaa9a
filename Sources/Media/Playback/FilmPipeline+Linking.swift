internal import CGStreamer
internal import PlayerCore

/// How a film's pads find their branches.
extension FilmPipeline {
    func linkTestPicture() throws(MediaFailure) {
        let linker = PadLinker(pipeline: pipeline, video: video, audio: audio, passes: passes, lateStart: lateStart) {
            _, _ in
        }
        for pad in try TestPicture.pads(in: pipeline, hasTone: !audio.isSilent) {
            linker.link(pad)
            gst_object_unref(pad)
        }
        linker.linkFilm()
    }

    func linkPads(of source: UnsafeMutablePointer<GstElement>, isHeld: Bool) -> PadLinker {
        let linker = PadLinker(
            pipeline: pipeline, video: video, audio: audio, passes: passes, lateStart: lateStart,
            isHeld: isHeld
        ) {
            [news] in
            news.yield(.cue(track: $0, $1))
        }
        let added: @convention(c) (gpointer?, UnsafeMutablePointer<GstPad>?, gpointer?) -> Void = { _, pad, data in
            guard let pad, let data else { return }
            Unmanaged<PadLinker>.fromOpaque(data).takeUnretainedValue().link(pad)
        }
        let removed: @convention(c) (gpointer?, UnsafeMutablePointer<GstPad>?, gpointer?) -> Void = { _, pad, data in
            guard let pad, let data else { return }
            Unmanaged<PadLinker>.fromOpaque(data).takeUnretainedValue().forget(pad)
        }
        let complete: @convention(c) (UnsafeMutablePointer<GstElement>?, gpointer?) -> Void = { source, data in
            guard let source, let data else { return }
            Unmanaged<PadLinker>.fromOpaque(data).takeUnretainedValue().complete(source)
        }
        let opens: @convention(c) (gpointer?, UnsafeMutablePointer<GstElement>?, gpointer?) -> Void = { _, file, _ in
            if let file { FragmentIndex.mend(Element(sharing: file)) }
        }
        let deep: @convention(c) (gpointer?, gpointer?, UnsafeMutablePointer<GstElement>?, gpointer?) -> Void = {
            _, bin, element, data in
            guard let bin, let element, let data else { return }
            FilmPipeline.keepReadAhead(of: element, in: bin)
            Unmanaged<PadLinker>.fromOpaque(data).takeUnretainedValue().guardDecoder(element)
        }
        // No decoder takes subtitles without a name, and TextTap reads them as they are.
        let goesOn: @convention(c) (gpointer?, gpointer?, UnsafeMutablePointer<GstCaps>?, gpointer?) -> gboolean = {
            _, _, caps, _ in TextTap.isUnnamed(caps) ? 0 : 1
        }
        /// Each connection holds the linker.
        func connect(_ object: UnsafeMutablePointer<GstElement>, _ signal: String, _ handler: GCallback) {
            g_signal_connect_data(
                object, signal, handler, Unmanaged.passRetained(linker).toOpaque(),
                { data, _ in Unmanaged<PadLinker>.fromOpaque(data!).release() }, .init(rawValue: 0))
        }
        connect(source, "source-setup", unsafeBitCast(opens, to: GCallback.self))
        connect(source, "pad-added", unsafeBitCast(added, to: GCallback.self))
        connect(source, "pad-removed", unsafeBitCast(removed, to: GCallback.self))
        connect(source, "autoplug-continue", unsafeBitCast(goesOn, to: GCallback.self))
        connect(source, "no-more-pads", unsafeBitCast(complete, to: GCallback.self))
        connect(pipeline, "deep-element-added", unsafeBitCast(deep, to: GCallback.self))
        return linker
    }
}
