internal import PlayerCore

/// Connects the source's pads to the film's branches.
extension FilmPipeline {
    func linkTestPicture() throws(MediaFailure) {
        let linker = makeLinker(holdsPreroll: false)
        for pad in try TestPicture.pads(in: pipeline, hasTone: !audio.isSilent) { linker.link(pad) }
        linker.linkFilm()
    }

    private func makeLinker(holdsPreroll: Bool) -> PadLinker {
        PadLinker(
            pipeline: pipeline, video: video, audio: audio, loopSegments: seeks.loopSegments,
            segmentStartFix: seeks.segmentStartFix,
            holdsPreroll: holdsPreroll
        ) { [news] in news.yield($0) }
    }

    func linkPads(of source: Element, holdsPreroll: Bool) -> PadLinker {
        let linker = makeLinker(holdsPreroll: holdsPreroll)
        // Each of these connections holds the linker.
        source.connect("source-setup") { FragmentIndex.mend($0.element(1)) }
        source.connect("pad-added") { linker.link($0.pad(1)) }
        source.connect("pad-removed") { linker.forget($0.pad(1)) }
        // No decoder takes subtitles without a name, and TextTap reads them as they are.
        source.connect("autoplug-continue") { values in
            values.answer(values.boxed(2).map { !Caps(sharing: $0).isUnnamedText } ?? true)
        }
        video.decoder.choose(in: source)
        source.connect("autoplug-query") { [video] values in
            values.answer(values.boxed(3).map { video.answer($0, of: values.element(2)) } ?? false)
        }
        source.connect("no-more-pads") { linker.complete($0.element(0)) }
        pipeline.connect("deep-element-added") { values in
            let element = values.element(2)
            FilmSource.keepReadAhead(of: element, in: values.element(1))
            linker.guardDecoder(element)
        }
        return linker
    }
}
